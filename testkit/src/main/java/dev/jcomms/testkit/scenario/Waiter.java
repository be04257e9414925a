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

/** A thread that is, or soon will be, inside a blocking operation which other ranks do not call. */
final class Waiter {
  private final Rank rank;
  private final Collective op;
  private final Thread thread;
  private volatile Throwable outcome;

  /** Returns when the operation is about to be handed to the backend. */
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
