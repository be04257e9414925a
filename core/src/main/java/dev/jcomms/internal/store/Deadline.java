package dev.jcomms.internal.store;

import java.time.Duration;

/**
 * A point in time by which a call must have ended. A timeout too long to count is one that never
 * comes.
 */
public final class Deadline {
  private static final long NEVER = Long.MAX_VALUE / 2;

  private final Duration timeout;
  private final long start = System.nanoTime();
  private final long nanos;

  private Deadline(Duration timeout, long nanos) {
    this.timeout = timeout;
    this.nanos = nanos;
  }

  /** The deadline that begins now and lasts {@code timeout}; zero has passed at once. */
  public static Deadline after(Duration timeout) {
    if (timeout.isNegative()) throw new IllegalArgumentException("store: timeout=" + timeout);
    boolean countable = timeout.getSeconds() < NEVER / 1_000_000_000;
    return new Deadline(timeout, countable ? timeout.toNanos() : NEVER);
  }

  /** This deadline, put off to {@code grace} from now where it would come earlier. */
  public Deadline orAfter(Duration grace) {
    return nanos() < grace.toNanos() ? new Deadline(timeout, grace.toNanos()) : this;
  }

  /** What was asked for. */
  public Duration timeout() {
    return timeout;
  }

  /** What is left; zero or less when it has passed. */
  public long nanos() {
    return nanos - (System.nanoTime() - start);
  }

  /** Whether it has passed. */
  public boolean passed() {
    return nanos() <= 0;
  }

  /** What is left for APIs that count milliseconds and take 0 as for ever: never less than 1. */
  public int millis() {
    return Math.clamp((nanos() + 999_999) / 1_000_000, 1, Integer.MAX_VALUE);
  }
}
