package dev.jcomms.testkit;

import dev.jcomms.Comm;
import dev.jcomms.Registration;
import dev.jcomms.spi.Backends;
import dev.jcomms.store.PrefixStore;
import dev.jcomms.store.Store;
import dev.jcomms.tensor.Device;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Ranks that are processes, seen from one of them: every process calls {@link #run} for the same
 * scenarios in the same order. They find each other as any communicator does, by the environment.
 */
final class ProcessRanks implements Ranks {
  private static final String CONTROL = "jcomms-check";

  private final Comm control;
  private final Store store;
  private long runs;

  private ProcessRanks(Comm control, Store store) {
    this.control = control;
    this.store = store;
  }

  static ProcessRanks join(Map<String, String> environment) {
    ControlProvider provider = new ControlProvider();
    try (Registration _ = Backends.register(CONTROL, provider)) {
      Comm control =
          Comm.newBuilder(CONTROL, Device.CPU).name(CONTROL).environment(environment).build();
      return new ProcessRanks(control, provider.store());
    }
  }

  int rank() {
    return control.rank();
  }

  @Override
  public int size() {
    return control.size();
  }

  @Override
  public Result run(Subject subject, Abilities abilities, Scenario scenario) {
    long start = System.nanoTime();
    Store own = PrefixStore.of("run/" + runs, store);
    RankRun.Task task = new RankRun.Task(subject, abilities, scenario, own, rank(), size());
    RankRun run = RankRun.start(task);
    run.join();
    List<String> ended = IntStream.range(0, size()).mapToObj(r -> "kit/ended/" + r).toList();
    own.set(ended.get(rank()), new byte[0]);
    own.await(ended, task.deadline());
    sweep(runs++ - 1);
    Duration time = Duration.ofNanos(System.nanoTime() - start);
    Optional<RankRun.FirstFailure> first = RankRun.firstFailure(own);
    return first.isEmpty()
        ? Result.passed(scenario, size(), time)
        : new Result(
            scenario.name(),
            size(),
            Result.Outcome.FAILED,
            first.get().message(),
            time,
            first.get().rank() == rank() ? run.failure() : Optional.empty());
  }

  /** All have ended a run, so all have left the one before it. */
  private void sweep(long earlier) {
    if (rank() == 0 && earlier >= 0) {
      Store old = PrefixStore.of("run/" + earlier, store);
      old.listKeys().forEach(old::delete);
    }
  }

  @Override
  public void close() {
    control.close();
  }
}
