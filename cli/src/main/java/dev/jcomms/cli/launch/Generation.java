package dev.jcomms.cli.launch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * All ranks of this node from one start to their common end: they succeed together or are stopped
 * together. One thread runs it; all it learns comes through {@code events}.
 */
final class Generation {
  private static final int SIGPIPE = 13;
  private static final Duration LAST_WORDS = Duration.ofMillis(300);

  /** How long a reader of our output may take when we were told to stop. */
  private static final Duration FAREWELL = Duration.ofSeconds(5);

  private final int number;
  private final LaunchSpec spec;
  private final Nodes nodes;
  private final Guard guard;
  private final BlockingQueue<Event> events;
  private final List<RankProcess> ranks = new ArrayList<>();

  Generation(int number, LaunchSpec spec, Nodes nodes, Guard guard, BlockingQueue<Event> events) {
    this.number = number;
    this.spec = spec;
    this.nodes = nodes;
    this.guard = guard;
    this.events = events;
  }

  /** Starts each of {@code placements} and stays until none of them is left. */
  Outcome run(List<Placement> placements, Function<Placement, RankProcess> start)
      throws InterruptedException {
    Outcome outcome;
    // What came before there were ranks is for nobody; one that has just begun might die of it.
    events.removeIf(event -> event instanceof Event.Signalled(int number) && !Signals.ends(number));
    try {
      for (Placement placement : placements) {
        RankProcess rank = start.apply(placement);
        ranks.add(rank);
        guard.watch(rank);
      }
      outcome = watch();
    } catch (RuntimeException e) {
      nodes.stopped(number, "node %d: %s".formatted(spec.nodeRank(), e.getMessage()));
      throw e;
    } finally {
      clear();
    }
    return drain(outcome);
  }

  private Outcome watch() throws InterruptedException {
    int running = ranks.size();
    while (true) {
      switch (events.take()) {
        case Event.Exited(RankProcess rank, int status) -> {
          if (!ranks.contains(rank)) continue;
          release(rank);
          if (status != 0) {
            nodes.failed(
                number, status, "rank %d: %s".formatted(rank.rank(), ExitStatus.describe(status)));
            stop(Posix.SIGTERM, spec.shutdown().orElse(LaunchSpec.AFTER_FAILURE));
            return new Outcome.Failed(rank, status);
          }
          running--;
          if (running == 0) nodes.done(number);
        }
        case Event.AllDone(int generation) -> {
          if (generation == number) return new Outcome.Succeeded();
        }
        case Event.NodeFailed(int generation, int status, String what, boolean stopped) -> {
          if (generation != number) continue;
          stop(Posix.SIGTERM, spec.shutdown().orElse(LaunchSpec.AFTER_FAILURE));
          return new Outcome.FailedElsewhere(status, what, stopped);
        }
        case Event.Signalled(int signal) -> {
          if (Signals.ends(signal)) {
            Outcome outcome = interrupted(signal);
            stop(signal, spec.shutdown().orElse(LaunchSpec.AFTER_SIGNAL));
            return outcome;
          }
          ranks.forEach(rank -> rank.signal(signal));
        }
        case Event.ConsoleLost() -> {
          nodes.stopped(number, "nobody reads the output of node %d".formatted(spec.nodeRank()));
          stop(Posix.SIGTERM, spec.shutdown().orElse(LaunchSpec.AFTER_FAILURE));
          return new Outcome.Interrupted(SIGPIPE);
        }
      }
    }
  }

  /**
   * Asks all ranks to end; those that do not within {@code patience}, or until we are told to stop
   * ourselves, are killed.
   */
  private void stop(int signal, Duration patience) throws InterruptedException {
    ranks.stream().filter(RankProcess::alive).forEach(rank -> rank.signal(signal));
    long deadline = System.nanoTime() + patience.toNanos();
    while (ranks.stream().anyMatch(RankProcess::alive)) {
      Event event = events.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (event == null) return;
      if (event instanceof Event.Exited(RankProcess rank, _)) release(rank);
      if (event instanceof Event.Signalled(int number)) {
        if (Signals.ends(number)) {
          events.add(event); // Still to be heard by who decides what comes next.
          return;
        }
        ranks.forEach(rank -> rank.signal(number));
      }
    }
  }

  /** Nothing of this generation outlives it, be it started by a rank and left behind. */
  private void clear() {
    ranks.forEach(this::release);
  }

  /**
   * Waits until all that the ranks wrote is passed on. Who reads our output may take any time,
   * unless we are told to stop; a job that was, be it while its ranks ended, does not go on.
   */
  private Outcome drain(Outcome outcome) throws InterruptedException {
    long start = System.nanoTime();
    boolean stopping = outcome instanceof Outcome.Interrupted;
    BooleanSupplier enough =
        () ->
            System.nanoTime() - start > FAREWELL.toNanos()
                && (stopping || Signals.ending(events).isPresent());
    for (RankProcess rank : ranks) rank.drain(start, LAST_WORDS, enough);
    OptionalInt signal = Signals.ending(events);
    return stopping || signal.isEmpty() ? outcome : interrupted(signal.getAsInt());
  }

  private Outcome interrupted(int signal) {
    nodes.stopped(number, "node %d was told to stop".formatted(spec.nodeRank()));
    return new Outcome.Interrupted(signal);
  }

  private void release(RankProcess rank) {
    rank.release();
    guard.forget(rank);
  }
}
