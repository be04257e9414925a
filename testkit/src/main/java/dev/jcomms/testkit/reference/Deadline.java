package dev.jcomms.testkit.reference;

import dev.jcomms.OpOptions;
import java.time.Duration;

/**
 * The end of one operation's patience.
 *
 * @param timeout as it was given, for messages
 * @param nanoTime when it ends
 */
record Deadline(Duration timeout, long nanoTime) {

  /** From now, as long as the options say; core sees to it that they do. */
  static Deadline of(OpOptions options) {
    return after(options.timeout().orElseThrow());
  }

  static Deadline after(Duration timeout) {
    return new Deadline(timeout, System.nanoTime() + timeout.toNanos());
  }

  boolean passed() {
    return System.nanoTime() - nanoTime >= 0;
  }

  /** What is left, but not more than this. */
  Duration left(Duration most) {
    Duration left = Duration.ofNanos(Math.max(0, nanoTime - System.nanoTime()));
    return left.compareTo(most) < 0 ? left : most;
  }
}
