package dev.jcomms.jccl.internal.reduce;

import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.jcomms.ReduceOp.Standard;
import java.lang.foreign.MemorySegment;

/** Folds i16, wrapping around; averages are {@link LongKernel}'s. */
final class ShortKernel extends BlockKernel<short[]> {
  private final Standard op;

  ShortKernel(Standard op) {
    this.op = op;
  }

  @Override
  short[] block(Scratch scratch, int which) {
    return scratch.shorts(which);
  }

  @Override
  void load(Terms terms, int term, long start, short[] block, int count) {
    long at = terms.at(term) + start * Short.BYTES;
    MemorySegment.copy(terms.segment(term), JAVA_SHORT_UNALIGNED, at, block, 0, count);
  }

  @Override
  void combine(short[] acc, short[] next, int count) {
    switch (op) {
      case PRODUCT -> {
        for (int i = 0; i < count; i++) {
          acc[i] *= next[i];
        }
      }
      case MIN -> {
        for (int i = 0; i < count; i++) {
          acc[i] = (short) Math.min(acc[i], next[i]);
        }
      }
      case MAX -> {
        for (int i = 0; i < count; i++) {
          acc[i] = (short) Math.max(acc[i], next[i]);
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
      short[] acc,
      int count,
      int divisor,
      Scratch scratch,
      MemorySegment out,
      long outAt,
      long start) {
    long at = outAt + start * Short.BYTES;
    MemorySegment.copy(acc, 0, out, JAVA_SHORT_UNALIGNED, at, count);
  }
}
