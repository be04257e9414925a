package dev.jcomms.jccl.internal.transport.shm;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * How fast the phases of a stream follow each other, for who would rather not look at the clock in
 * each of them. A timer makes up for it: it rings once, so the first phase after a pause is timed,
 * and nothing runs while there are none. One thread.
 */
final class Pace {
  /** Phases are timed that end with none of these bits. */
  private static final int CALM = 7;

  /** As {@link #CALM}, in a hurry. */
  private static final int HURRIED = 31;

  /** Phases that take less on average are not worth recording one by one. */
  private static final long HURRY_NANOS = 6_000;

  /** What the phases from one that is timed to the next take when each is worth a look. */
  private static final long SLOW_NANOS = 100_000_000;

  private static final Executor TIMER =
      CompletableFuture.delayedExecutor(SLOW_NANOS, TimeUnit.NANOSECONDS, Runnable::run);

  private enum Timer {
    UNSET,
    SET,
    RUNG
  }

  private volatile Timer timer = Timer.UNSET;
  private long timedNanos;
  private int untimed = CALM;
  private boolean slow;

  /** Times a phase, if it is one of those that are: whether it was. */
  boolean time(long phase) {
    boolean due = (phase & untimed) == 0;
    if (!due && timer != Timer.RUNG) {
      return false;
    }
    long now = System.nanoTime();
    long passed = now - timedNanos;
    slow = passed > SLOW_NANOS;
    if (due || slow) {
      untimed = passed < (untimed + 1) * HURRY_NANOS ? HURRIED : CALM;
      timedNanos = now;
    }
    if (timer != Timer.SET) {
      timer = Timer.SET;
      TIMER.execute(() -> timer = Timer.RUNG);
    }
    return true;
  }

  /** Whether phases are so rare that one must not wait for the next that is timed. */
  boolean isSlow() {
    return slow;
  }

  /** Whether a phase is worth recording: any, but in a hurry few. */
  boolean isNotable(long phase) {
    return untimed == CALM || (phase & untimed) == 0;
  }

  /** Ends the hurry. */
  void rest() {
    untimed = CALM;
  }
}
