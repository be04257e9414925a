package dev.jcomms.testkit.scenario;

import dev.jcomms.Collective;
import dev.jcomms.Hook;
import dev.jcomms.OpOptions;
import dev.jcomms.Registration;
import dev.jcomms.testkit.ConformanceError;
import dev.jcomms.testkit.Rank;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A thread that waits inside a blocking operation which other ranks do not call. */
final class Waiter {
  /** After which a thread that does not sleep is taken to wait without. */
  private static final long SPIN_NANOS = Duration.ofMillis(50).toNanos();

  private final Rank rank;
  private final Collective op;
  private final Thread thread;
  private volatile Throwable outcome;

  /**
   * Returns when the backend has the operation, as far as can be told: it would not be its doing if
   * the call failed before.
   */
  Waiter(Rank rank, OpOptions options) throws InterruptedException {
    this.rank = rank;
    this.op = Proof.waiting(rank);
    CountDownLatch inside = new CountDownLatch(1);
    Hook hook =
        new Hook() {
          @Override
          public void before(Call call) {
            inside.countDown();
          }
        };
    try (Registration _ = rank.comm().addHook(hook)) {
      thread =
          Thread.ofPlatform()
              .daemon()
              .name("waiter-" + rank.number())
              .start(
                  () -> {
                    try {
                      rank.comm().run(op, options);
                    } catch (Throwable t) {
                      outcome = t;
                    }
                  });
      Expect.that(
          rank,
          inside.await(rank.patience().toMillis(), TimeUnit.MILLISECONDS),
          "a hook was not told of " + op.opName());
    }
    awaitSleep();
  }

  /** There is no hook between the backend's door and its wait; but most sleep there at last. */
  private void awaitSleep() throws InterruptedException {
    long start = System.nanoTime();
    while (isAwake() && System.nanoTime() - start < SPIN_NANOS) {
      Thread.sleep(1);
    }
  }

  private boolean isAwake() {
    return switch (thread.getState()) {
      case NEW, RUNNABLE, BLOCKED -> true;
      case WAITING, TIMED_WAITING, TERMINATED -> false;
    };
  }

  Thread thread() {
    return thread;
  }

  Collective op() {
    return op;
  }

  /** What the call throws, or null if it returns; it has to do either by then. */
  Throwable outcome(Duration most) throws InterruptedException {
    if (!thread.join(most)) {
      throw new ConformanceError(
          rank + ": " + op.opName() + " has not ended within " + most.toMillis() + " ms");
    }
    return outcome;
  }
}
