package dev.jcomms.internal;

import dev.jcomms.CommTimeoutException;
import dev.jcomms.Work;
import dev.jcomms.spi.Promise;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Follows work that a backend goes on with by itself, and keeps its deadline if the backend does
 * not.
 */
final class Following {
  private static final Duration GRACE = Duration.ofMillis(250);

  private Following() {}

  /** Calls {@code end} once, with the failure or null, when the work ends or the time is over. */
  static void follow(Work work, Duration timeout, Consumer<RuntimeException> end) {
    // A backend that keeps its deadline itself knows better what was missing: it goes first.
    Duration patience = timeout.plus(timeout.compareTo(GRACE) < 0 ? timeout : GRACE);
    CompletableFuture<Void> over =
        new CompletableFuture<Void>().orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS);
    over.whenComplete(
        (_, late) -> {
          if (late == null) {
            end.accept(work.failure().orElse(null));
          } else {
            // The JVM has one thread for all its timers: what follows must not hold it up.
            Thread.ofVirtual().name("jcomms-deadline").start(() -> end.accept(passed(timeout)));
          }
        });
    Runnable ended = () -> over.complete(null);
    if (work instanceof Promise promise) {
      promise.whenEnded(ended);
    } else {
      work.onEnd(ended);
    }
  }

  private static CommTimeoutException passed(Duration timeout) {
    return new CommTimeoutException(timeout, "the backend has not ended it", Set.of());
  }
}
