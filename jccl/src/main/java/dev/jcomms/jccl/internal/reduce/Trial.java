package dev.jcomms.jccl.internal.reduce;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * A challenger that takes over from an incumbent once it has proved faster; both give the same
 * bits.
 *
 * <p>Vector code runs a thousand times slower than it should until the JVM's optimising compiler
 * has been at it, and where there is no such compiler, always. So what is asked for is computed by
 * the incumbent; when that has done so much that speed begins to matter, the challenger is tried on
 * memory of no interest, in a thread of its own, until it wins or its time is up.
 *
 * @param <K> what is tried
 */
public final class Trial<K> {
  private static final int BEST_OF = 32;
  private static final Object ONE_AT_A_TIME = new Object();

  private final K incumbent;
  private final Supplier<K> challenger;
  private final Supplier<ToLongFunction<K>> course;
  private final long elementsThatMatter;
  private final Duration patience;

  /** Elements done so far. Threads may lose each other's counts. */
  private long folded;

  private volatile K winner;

  /**
   * @param course lays out what both are tried on; runs one over it and says how long it took
   * @param elementsThatMatter after how many the trial is held
   */
  public Trial(
      K incumbent,
      Supplier<K> challenger,
      Supplier<ToLongFunction<K>> course,
      long elementsThatMatter,
      Duration patience) {
    this.incumbent = incumbent;
    this.challenger = challenger;
    this.course = course;
    this.elementsThatMatter = elementsThatMatter;
    this.patience = patience;
  }

  /** The challenger, if it has won; else null. */
  public K winner() {
    return winner;
  }

  /** Tells that the incumbent has been at work. */
  public void folded(long elements) {
    long before = folded;
    long after = before + elements;
    folded = after;
    if (before < elementsThatMatter && after >= elementsThatMatter) {
      Thread.ofPlatform().daemon().name("jccl-trial").start(this::hold);
    }
  }

  private void hold() {
    synchronized (ONE_AT_A_TIME) {
      if (winner != null) {
        return; // two threads passed the mark together
      }
      K candidate = challenger.get();
      ToLongFunction<K> run = course.get();
      long toBeat = best(() -> run.applyAsLong(incumbent));
      long start = System.nanoTime();
      while (System.nanoTime() - start < patience.toNanos()) {
        if (best(() -> run.applyAsLong(candidate)) < toBeat) {
          winner = candidate;
          return;
        }
      }
    }
  }

  private static long best(LongSupplier run) {
    long best = Long.MAX_VALUE;
    for (int i = 0; i < BEST_OF; i++) {
      best = Math.min(best, run.getAsLong());
    }
    return best;
  }
}
