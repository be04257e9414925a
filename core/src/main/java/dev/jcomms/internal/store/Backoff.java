package dev.jcomms.internal.store;

import java.util.concurrent.locks.LockSupport;

/** Growing pauses between looks at something that cannot call back; never past the deadline. */
public final class Backoff {
  private static final long FIRST_NANOS = 100_000;
  private static final long LAST_NANOS = 10_000_000;

  private final Deadline deadline;
  private long nanos = FIRST_NANOS;

  /** Pauses within a deadline. */
  public Backoff(Deadline deadline) {
    this.deadline = deadline;
  }

  /** Pauses; returns early if the thread is interrupted, whose flag stays set. */
  public void pause() {
    LockSupport.parkNanos(Math.min(nanos, Math.max(0, deadline.nanos())));
    nanos = Math.min(2 * nanos, LAST_NANOS);
  }
}
