package dev.jcomms.testkit;

import dev.jcomms.Comm;
import dev.jcomms.store.PrefixStore;
import dev.jcomms.store.Store;
import dev.jcomms.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One rank's part in one scenario, on a thread of its own. The first rank to fail ends the others:
 * a key of the store says so, and a watcher beside each rank aborts its communicator and interrupts
 * it. A rank that even so does not come back is left behind, and said to be.
 */
final class RankRun {
  /** Which rank is to do what, and where the ranks meet: a store of this run alone. */
  record Task(
      Subject subject, Abilities abilities, Scenario scenario, Store store, int rank, int size) {
    /** How long the whole scenario may take: an operation that times out, and then some. */
    Duration deadline() {
      return subject.timeout().multipliedBy(2).plusSeconds(10);
    }
  }

  private static final String FAILED = "kit/failed";
  private static final Duration GRACE = Duration.ofSeconds(2);

  private final Task task;
  private final Thread thread;
  private final long end;
  private volatile Comm comm;
  private volatile Throwable failure;

  private RankRun(Task task) {
    this.task = task;
    this.end = System.nanoTime() + task.deadline().toNanos();
    this.thread = Thread.ofPlatform().daemon().name("rank-" + task.rank()).unstarted(this::run);
  }

  static RankRun start(Task task) {
    RankRun run = new RankRun(task);
    run.thread.start();
    return run;
  }

  private void run() {
    Thread watcher = Thread.ofVirtual().name("watch-" + task.rank()).start(this::watch);
    try (Comm opened = open()) {
      comm = opened;
      task.scenario()
          .body()
          .run(
              new Rank(
                  opened,
                  PrefixStore.of("scenario", task.store()),
                  task.subject(),
                  task.abilities()));
      // Nobody closes under the hands of a rank that is still at it.
      arrive("kit/done/");
    } catch (Throwable t) {
      failure = t;
      tell(t);
    } finally {
      watcher.interrupt();
    }
  }

  /** Without a name of its own: a backend may be too old for names and still be right. */
  private Comm open() {
    Comm.Builder builder =
        Comm.newBuilder(task.subject().backend(), task.subject().device())
            .ranks(task.rank(), task.size())
            .store(PrefixStore.of("comm", task.store()))
            .timeout(task.subject().timeout())
            .initTimeout(task.subject().timeout())
            .abortProcessOnError(false);
    task.subject().hints().forEach(builder::hint);
    return builder.build();
  }

  private void arrive(String key) {
    List<String> keys = IntStream.range(0, task.size()).mapToObj(r -> key + r).toList();
    task.store().set(keys.get(task.rank()), new byte[0]);
    task.store().await(keys, task.deadline());
  }

  private void tell(Throwable t) {
    boolean interrupted = Thread.interrupted();
    try {
      byte[] text = (task.rank() + " " + describe(t)).getBytes(StandardCharsets.UTF_8);
      task.store().compareSet(FAILED, new byte[0], text);
    } catch (StoreException | IllegalStateException e) {
      t.addSuppressed(e);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** {@code rank 2 of 4: …}, which the kit's own findings say already. */
  private String describe(Throwable t) {
    return t instanceof ConformanceError
        ? t.getMessage()
        : "rank " + task.rank() + " of " + task.size() + ": " + t;
  }

  private void watch() {
    try {
      task.store().await(List.of(FAILED), task.deadline());
      stop(text(task.store().get(FAILED)));
    } catch (StoreException | IllegalStateException e) {
      // The scenario has ended, well or at its deadline.
    }
  }

  private void stop(String why) {
    Comm running = comm;
    if (running != null) {
      try {
        running.abort(why);
      } catch (IllegalStateException e) {
        // It has closed its communicator already.
      }
    }
    thread.interrupt();
  }

  /** Waits until the rank has come back, or is left behind. */
  void join() {
    try {
      Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
      if (thread.join(left.plusNanos(1))) {
        return;
      }
      Throwable hung =
          new ConformanceError(
              "rank "
                  + task.rank()
                  + " of "
                  + task.size()
                  + " has not come back after "
                  + task.deadline().toSeconds()
                  + " s; it is at "
                  + where());
      failure = hung;
      tell(hung);
      stop(hung.getMessage());
      if (thread.join(GRACE)) {
        failure = hung;
      }
    } catch (InterruptedException e) {
      stop("the check was interrupted");
      Thread.currentThread().interrupt();
    }
  }

  private String where() {
    return Arrays.stream(thread.getStackTrace())
        .filter(frame -> !frame.getClassName().startsWith("java."))
        .limit(4)
        .map(frame -> frame.getClassName() + "." + frame.getMethodName())
        .collect(Collectors.joining(", in "));
  }

  /** What this rank failed with. */
  Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  /** Which rank of a run failed first, if any did. */
  static Optional<FirstFailure> firstFailure(Store store) {
    if (!store.check(List.of(FAILED))) {
      return Optional.empty();
    }
    String text = text(store.get(FAILED));
    int blank = text.indexOf(' ');
    return Optional.of(
        new FirstFailure(Integer.parseInt(text.substring(0, blank)), text.substring(blank + 1)));
  }

  record FirstFailure(int rank, String message) {}

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
