package dev.jcomms.jccl.internal.reduce;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Two kernels that give the same bits: one that is good from the start, and a challenger that takes
 * over once it has proved faster.
 *
 * <p>Vector code runs a thousand times slower than it should until the JVM's optimising compiler
 * has been at it, and where there is no such compiler, always. So what is asked for is computed by
 * the incumbent; when that has folded so much that speed begins to matter, the challenger is tried
 * on memory of no interest, in a thread of its own, until it wins or its time is up. Each number of
 * terms has its own trial, as it has its own loop.
 */
final class TrialKernel implements Kernel {
  private static final long ELEMENTS_THAT_MATTER = 1L << 23;
  private static final int TRIAL_ELEMENTS = Scratch.MEMORY_ELEMENTS;
  private static final long TRIAL_BYTES = TRIAL_ELEMENTS * 8L; // of the widest type
  private static final int BEST_OF = 32;

  /** With fewer elements, getting under way costs the challenger more than it gains. */
  static final int LEAST = 512;

  /** Numbers of terms from here on are tried as one: they are folded by the same loops. */
  private static final int MANY = 5;

  private static final Object ONE_AT_A_TIME = new Object();

  private final Kernel incumbent;
  private final Supplier<Kernel> challenger;
  private final long elementsThatMatter;
  private final Duration patience;

  /** Elements folded so far, by number of terms. Threads may lose each other's counts. */
  private final long[] folded = new long[MANY + 1];

  /** Winners, by number of terms; null while the incumbent is in charge. */
  private final Kernel[] winners = new Kernel[MANY + 1];

  /** Published with each winner. */
  private volatile int trialsWon;

  TrialKernel(Kernel incumbent, Supplier<Kernel> challenger) {
    this(incumbent, challenger, ELEMENTS_THAT_MATTER, Duration.ofSeconds(10));
  }

  TrialKernel(
      Kernel incumbent, Supplier<Kernel> challenger, long elementsThatMatter, Duration patience) {
    this.incumbent = incumbent;
    this.challenger = challenger;
    this.elementsThatMatter = elementsThatMatter;
    this.patience = patience;
  }

  @Override
  public void run(Terms terms, MemorySegment out, long outAt, long from, long to, int divisor) {
    int trial = Math.min(terms.count(), MANY);
    Kernel winner = trialsWon == 0 || to - from < LEAST ? null : winners[trial];
    if (winner != null) {
      winner.run(terms, out, outAt, from, to, divisor);
      return;
    }
    incumbent.run(terms, out, outAt, from, to, divisor);
    long before = folded[trial];
    long after = before + (to - from);
    folded[trial] = after;
    if (before < elementsThatMatter && after >= elementsThatMatter) {
      Thread.ofPlatform().daemon().name("jccl-trial").start(() -> hold(trial));
    }
  }

  private void hold(int trial) {
    synchronized (ONE_AT_A_TIME) {
      if (winners[trial] != null) {
        return; // two threads passed the mark together
      }
      Kernel candidate = challenger.get();
      Arena arena = Arena.ofAuto();
      MemorySegment out = arena.allocate(TRIAL_BYTES, 64);
      Terms terms = new Terms();
      for (int k = 0; k < (trial == MANY ? 8 : trial); k++) {
        terms.add(arena.allocate(TRIAL_BYTES, 64), 0);
      }
      long toBeat = best(incumbent, terms, out);
      long start = System.nanoTime();
      while (System.nanoTime() - start < patience.toNanos()) {
        if (best(candidate, terms, out) < toBeat) {
          winners[trial] = candidate;
          trialsWon++; // in this block alone, so no count is lost
          return;
        }
      }
    }
  }

  private static long best(Kernel kernel, Terms terms, MemorySegment out) {
    long best = Long.MAX_VALUE;
    for (int i = 0; i < BEST_OF; i++) {
      long start = System.nanoTime();
      kernel.run(terms, out, 0, 0, TRIAL_ELEMENTS, terms.count());
      best = Math.min(best, System.nanoTime() - start);
    }
    return best;
  }

  /** Whether the challenger folds this many terms by now. */
  boolean won(int terms) {
    return trialsWon > 0 && winners[Math.min(terms, MANY)] != null;
  }
}
