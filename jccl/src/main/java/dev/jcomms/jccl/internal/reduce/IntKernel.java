package dev.jcomms.jccl.internal.reduce;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import dev.jcomms.ReduceOp.Standard;
import java.lang.foreign.MemorySegment;

/** Folds i32, wrapping around; averages are {@link LongKernel}'s. */
final class IntKernel extends BlockKernel<int[]> {
  private final Standard op;

  IntKernel(Standard op) {
    this.op = op;
  }

  @Override
  int[] block(Scratch scratch, int which) {
    return scratch.ints(which);
  }

  @Override
  void load(Terms terms, int term, long start, int[] block, int count) {
    long at = terms.at(term) + start * Integer.BYTES;
    MemorySegment.copy(terms.segment(term), JAVA_INT_UNALIGNED, at, block, 0, count);
  }

  @Override
  void combine(int[] acc, int[] next, int count) {
    switch (op) {
      case PRODUCT -> {
        for (int i = 0; i < count; i++) {
          acc[i] *= next[i];
        }
      }
      case MIN -> {
        for (int i = 0; i < count; i++) {
          acc[i] = Math.min(acc[i], next[i]);
        }
      }
      case MAX -> {
        for (int i = 0; i < count; i++) {
          acc[i] = Math.max(acc[i], next[i]);
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          acc[i] += next[i];
        }
      }
    }
  }

  @Override
  void store(
      int[] acc,
      int count,
      int divisor,
      Scratch scratch,
      MemorySegment out,
      long outAt,
      long start) {
    long at = outAt + start * Integer.BYTES;
    MemorySegment.copy(acc, 0, out, JAVA_INT_UNALIGNED, at, count);
  }
}
