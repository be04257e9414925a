package dev.jcomms.jccl.internal.reduce;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.jcomms.ReduceOp.Standard;
import dev.jcomms.tensor.DType;
import java.lang.foreign.MemorySegment;

/**
 * Folds in i64: i64 itself, and the average of every integer type.
 *
 * <p>A sum of narrow integers cannot overflow an i64, so their average is exact, truncated toward
 * zero; that of i64 is the average of the sum as it wrapped.
 */
final class LongKernel extends BlockKernel<long[]> {
  private final DType in;
  private final DType out;
  private final Standard op;

  LongKernel(DType in, DType out, Standard op) {
    this.in = in;
    this.out = out;
    this.op = op;
  }

  @Override
  long[] block(Scratch scratch, int which) {
    return scratch.longs(which);
  }

  @Override
  void load(Terms terms, int term, long start, long[] block, int count) {
    MemorySegment segment = terms.segment(term);
    long at = terms.at(term) + start * in.bytes();
    switch (in) {
      case I32 -> {
        int[] narrow = terms.scratch().ints(0);
        MemorySegment.copy(segment, JAVA_INT_UNALIGNED, at, narrow, 0, count);
        for (int i = 0; i < count; i++) {
          block[i] = narrow[i];
        }
      }
      case I16 -> {
        short[] narrow = terms.scratch().shorts(0);
        MemorySegment.copy(segment, JAVA_SHORT_UNALIGNED, at, narrow, 0, count);
        for (int i = 0; i < count; i++) {
          block[i] = narrow[i];
        }
      }
      case I8, U8 -> {
        byte[] narrow = terms.scratch().bytes(0);
        MemorySegment.copy(segment, JAVA_BYTE, at, narrow, 0, count);
        for (int i = 0; i < count; i++) {
          block[i] = in == DType.U8 ? narrow[i] & 0xff : narrow[i];
        }
      }
      default -> MemorySegment.copy(segment, JAVA_LONG_UNALIGNED, at, block, 0, count);
    }
  }

  @Override
  void combine(long[] acc, long[] next, int count) {
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
      long[] acc,
      int count,
      int divisor,
      Scratch scratch,
      MemorySegment segment,
      long outAt,
      long start) {
    if (op == Standard.AVG && divisor > 1) {
      for (int i = 0; i < count; i++) {
        acc[i] /= divisor;
      }
    }
    long at = outAt + start * out.bytes();
    switch (out) {
      case I32 -> {
        int[] narrow = scratch.ints(0);
        for (int i = 0; i < count; i++) {
          narrow[i] = (int) acc[i];
        }
        MemorySegment.copy(narrow, 0, segment, JAVA_INT_UNALIGNED, at, count);
      }
      case I16 -> {
        short[] narrow = scratch.shorts(0);
        for (int i = 0; i < count; i++) {
          narrow[i] = (short) acc[i];
        }
        MemorySegment.copy(narrow, 0, segment, JAVA_SHORT_UNALIGNED, at, count);
      }
      case I8, U8 -> {
        byte[] narrow = scratch.bytes(0);
        for (int i = 0; i < count; i++) {
          narrow[i] = (byte) acc[i];
        }
        MemorySegment.copy(narrow, 0, segment, JAVA_BYTE, at, count);
      }
      default -> MemorySegment.copy(acc, 0, segment, JAVA_LONG_UNALIGNED, at, count);
    }
  }
}
