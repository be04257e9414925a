package dev.jcomms.testkit;

import dev.jcomms.store.HashStore;
import dev.jcomms.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The ranks that scenarios run on: threads of this JVM, or processes of which this is one. Used by
 * one thread.
 */
interface Ranks extends AutoCloseable {
  /** How many there are. */
  int size();

  /** Runs a scenario on all of them, and says how it went, on every rank alike. */
  Result run(Subject subject, Abilities abilities, Scenario scenario);

  @Override
  void close();

  /** Ranks that are threads. */
  static Ranks threads(int size) {
    return new Ranks() {
      @Override
      public int size() {
        return size;
      }

      @Override
      public Result run(Subject subject, Abilities abilities, Scenario scenario) {
        long start = System.nanoTime();
        try (Store store = HashStore.create(subject.timeout())) {
          List<RankRun> runs = new ArrayList<>();
          for (int r = 0; r < size; r++) {
            runs.add(RankRun.start(new RankRun.Task(subject, abilities, scenario, store, r, size)));
          }
          runs.forEach(RankRun::join);
          Duration time = Duration.ofNanos(System.nanoTime() - start);
          return RankRun.firstFailure(store)
              .map(first -> failed(scenario, size, first, runs, time))
              .orElseGet(() -> Result.passed(scenario, size, time));
        }
      }

      @Override
      public void close() {}
    };
  }

  private static Result failed(
      Scenario scenario, int size, RankRun.FirstFailure first, List<RankRun> runs, Duration time) {
    Optional<Throwable> failure = runs.get(first.rank()).failure();
    return new Result(scenario.name(), size, Result.Outcome.FAILED, first.message(), time, failure);
  }
}
