package dev.jcomms.internal.store.tcp;

/**
 * Whether something under way moves fast enough: each 64 KiB of it must have moved within the
 * limit. A peer that sends or takes a byte now and then does not pass for one that is alive.
 */
final class Progress {
  private static final long STEP_BYTES = 64 << 10;

  private boolean underway;
  private long since;
  private long movedBytes;

  /** Notes bytes that moved. */
  void moved(long bytes, long now) {
    movedBytes += bytes;
    if (movedBytes >= STEP_BYTES) restart(now);
  }

  /** Notes whether anything is under way; what was not before starts now. */
  void set(boolean isUnderway, long now) {
    if (isUnderway && !underway) restart(now);
    underway = isUnderway;
  }

  boolean isUnderway() {
    return underway;
  }

  boolean isOverdue(long now, long limitNanos) {
    return underway && now - since > limitNanos;
  }

  private void restart(long now) {
    since = now;
    movedBytes = 0;
  }
}
