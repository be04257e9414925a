package dev.jcomms.tensor.internal.cpu;

import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * A plain loop that works from the start, and a vector one that takes its place once the JVM has
 * compiled it.
 *
 * <p>The plain loop does the work; when it has done enough for speed to matter, a {@link Trial} is
 * held on memory of no interest. Both give the same bits, so nobody can tell when the change came.
 *
 * @param <K> the loop
 */
final class Takeover<K> {
  private static final int BEST_OF = 8;

  private final K plain;
  private final Supplier<K> vector;
  private final ToLongFunction<K> course;
  private final long enough;

  /** Threads may lose each other's counts. */
  private long done;

  private volatile K current;

  /**
   * @param vector null if there are no vectors here
   * @param course runs a loop once and says how many nanoseconds that took
   * @param enough work after which the trial is held
   */
  Takeover(K plain, Supplier<K> vector, ToLongFunction<K> course, long enough) {
    this.plain = plain;
    this.vector = vector;
    this.course = course;
    this.enough = enough;
    this.current = plain;
  }

  /** The loop to use for this much work. */
  K take(long work) {
    K now = current;
    if (now == plain && vector != null) {
      long before = done;
      long after = before + work;
      done = after;
      if (before < enough && after >= enough) {
        Trial.hold(this::contest);
      }
    }
    return now;
  }

  private Trial.Contest contest() {
    if (current != plain || !Simd.isAvailable()) {
      return null; // two threads passed the mark together, or what was likely is not so
    }
    K candidate = vector.get();
    return () -> {
      boolean won = best(candidate) < best(plain);
      if (won) {
        current = candidate;
      }
      return won;
    };
  }

  private long best(K loop) {
    long best = Long.MAX_VALUE;
    for (int i = 0; i < BEST_OF; i++) {
      best = Math.min(best, course.applyAsLong(loop));
    }
    return best;
  }
}
