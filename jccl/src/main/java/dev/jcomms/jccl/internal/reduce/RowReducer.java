package dev.jcomms.jccl.internal.reduce;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Folds rows by the kernel that is best for so many elements: few go one by one, more go through
 * vectors once those have proved faster. Any thread.
 */
final class RowReducer {
  /** Up to so many elements, one by one is the fastest way. */
  private static final int FEW = 8;

  /** From so many on, other kernels are as fast: getting under way costs them little by then. */
  private static final int MANY = 1 << 13;

  /** Each call counts as so many elements more: of small folds there are many. */
  private static final int CALL = 64;

  private static final long ELEMENTS_THAT_MATTER = 1L << 22;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int TRIAL_ROWS = 4;

  /** Four vectors at a time, one at a time, and less than one, however long a vector is. */
  private static final int TRIAL_ELEMENTS = 256 + 16 + 8 + 4;

  private static final long TRIAL_BYTES = TRIAL_ELEMENTS * 8L; // of the widest type

  private final RowKernel few;

  /** Null where there are no vectors. */
  private final Trial<RowKernel> trial;

  /**
   * @param vectors null where there are none
   */
  RowReducer(RowKernel few, Supplier<RowKernel> vectors) {
    this.few = few;
    this.trial =
        vectors == null
            ? null
            : new Trial<>(few, vectors, RowReducer::course, ELEMENTS_THAT_MATTER, PATIENCE);
  }

  /** Folds if it is good at that; else does nothing and returns false. */
  boolean reduce(
      long first, long stride, int rows, int mine, long own, long out, long elements, int divisor) {
    RowKernel vectors = trial == null ? null : trial.winner();
    if (trial != null && vectors == null) {
      trial.folded(CALL + elements);
    }
    if (elements <= FEW) {
      few.run(first, stride, rows, mine, own, out, (int) elements, divisor);
      return true;
    }
    if (vectors == null || elements >= MANY) {
      return false;
    }
    vectors.run(first, stride, rows, mine, own, out, (int) elements, divisor);
    return true;
  }

  /**
   * Passes every part of a kernel. What it left out the compiler would leave out, too, and the
   * first fold that comes there would have it start anew, at a thousandth of the speed.
   */
  private static ToLongFunction<RowKernel> course() {
    MemorySegment memory = Arena.ofAuto().allocate((TRIAL_ROWS + 1) * TRIAL_BYTES, 64);
    return kernel -> {
      long first = memory.address();
      long out = first + TRIAL_ROWS * TRIAL_BYTES;
      long start = System.nanoTime();
      for (int mine = 0; mine < 2; mine++) {
        long own = first + mine * TRIAL_BYTES;
        kernel.run(first, TRIAL_BYTES, TRIAL_ROWS, mine, own, out, TRIAL_ELEMENTS, TRIAL_ROWS);
      }
      long nanos = System.nanoTime() - start;
      Reference.reachabilityFence(memory); // a kernel knows addresses alone
      return nanos;
    };
  }
}
