package dev.jcomms.jccl.internal.reduce;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Two kernels, one that is good from the start and a challenger, with a {@link Trial} for each
 * number of terms, as each has its own loop.
 */
final class TrialKernel implements Kernel {
  private static final long ELEMENTS_THAT_MATTER = 1L << 23;
  private static final int TRIAL_ELEMENTS = Scratch.MEMORY_ELEMENTS;
  private static final long TRIAL_BYTES = TRIAL_ELEMENTS * 8L; // of the widest type

  /** With fewer elements, getting under way costs the challenger more than it gains. */
  static final int LEAST = 512;

  /** Numbers of terms from here on are tried as one: they are folded by the same loops. */
  private static final int MANY = 5;

  private final Kernel incumbent;
  private final List<Trial<Kernel>> trials = new ArrayList<>();

  TrialKernel(Kernel incumbent, Supplier<Kernel> challenger) {
    this(incumbent, challenger, ELEMENTS_THAT_MATTER, Duration.ofSeconds(10));
  }

  TrialKernel(
      Kernel incumbent, Supplier<Kernel> challenger, long elementsThatMatter, Duration patience) {
    this.incumbent = incumbent;
    for (int terms = 0; terms <= MANY; terms++) {
      int count = terms == MANY ? 8 : terms;
      trials.add(
          new Trial<>(incumbent, challenger, () -> course(count), elementsThatMatter, patience));
    }
  }

  @Override
  public void run(Terms terms, MemorySegment out, long outAt, long from, long to, int divisor) {
    Trial<Kernel> trial = trial(terms.count());
    Kernel winner = to - from < LEAST ? null : trial.winner();
    if (winner != null) {
      winner.run(terms, out, outAt, from, to, divisor);
    } else {
      incumbent.run(terms, out, outAt, from, to, divisor);
      trial.folded(to - from);
    }
  }

  private Trial<Kernel> trial(int terms) {
    return trials.get(Math.min(terms, MANY));
  }

  private static ToLongFunction<Kernel> course(int count) {
    Arena arena = Arena.ofAuto();
    MemorySegment out = arena.allocate(TRIAL_BYTES, 64);
    Terms terms = new Terms();
    for (int k = 0; k < count; k++) {
      terms.add(arena.allocate(TRIAL_BYTES, 64), 0);
    }
    return kernel -> {
      long start = System.nanoTime();
      kernel.run(terms, out, 0, 0, TRIAL_ELEMENTS, count);
      return System.nanoTime() - start;
    };
  }

  /** Whether the challenger folds this many terms by now. */
  boolean won(int terms) {
    return trial(terms).winner() != null;
  }
}
