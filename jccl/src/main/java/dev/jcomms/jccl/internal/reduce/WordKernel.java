package dev.jcomms.jccl.internal.reduce;

import dev.jcomms.ReduceOp.Standard;
import dev.jcomms.tensor.DType;
import java.lang.foreign.MemorySegment;

/**
 * Folds bits, eight bytes at a time: the bit operations of integers of any width, and everything
 * there is for bool.
 *
 * <p>A bool is true if its byte is not zero. The sum and the maximum of bools are true if one is,
 * the product and the minimum if all are; what is written is 0 or 1.
 */
final class WordKernel extends BlockKernel<long[]> {
  private static final long ONES = 0x0101010101010101L;

  private final int width;
  private final boolean bool;
  private final Standard op;

  WordKernel(DType dtype, Standard op) {
    this.width = dtype.bytes();
    this.bool = dtype == DType.BOOL;
    this.op =
        switch (op) {
          case SUM, MAX, BOR -> Standard.BOR;
          case PRODUCT, MIN, BAND -> Standard.BAND;
          case BXOR -> Standard.BXOR;
          case AVG -> throw new AssertionError(op + " of bits");
        };
  }

  @Override
  long[] block(Scratch scratch, int which) {
    return scratch.longs(which);
  }

  @Override
  void load(Terms terms, int term, long start, long[] block, int count) {
    long at = terms.at(term) + start * width;
    MemorySegment.copy(
        terms.segment(term), at, MemorySegment.ofArray(block), 0, (long) count * width);
    if (bool) {
      for (int i = 0; i < words(count); i++) {
        long bits = block[i];
        bits |= bits >>> 4;
        bits |= bits >>> 2;
        bits |= bits >>> 1;
        block[i] = bits & ONES;
      }
    }
  }

  @Override
  void combine(long[] acc, long[] next, int count) {
    int words = words(count);
    switch (op) {
      case BAND -> {
        for (int i = 0; i < words; i++) {
          acc[i] &= next[i];
        }
      }
      case BOR -> {
        for (int i = 0; i < words; i++) {
          acc[i] |= next[i];
        }
      }
      default -> {
        for (int i = 0; i < words; i++) {
          acc[i] ^= next[i];
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
      MemorySegment out,
      long outAt,
      long start) {
    MemorySegment.copy(
        MemorySegment.ofArray(acc), 0, out, outAt + start * width, (long) count * width);
  }

  /** Words that hold {@code count} elements; the last may hold some left over from before. */
  private int words(int count) {
    return (count * width + Long.BYTES - 1) / Long.BYTES;
  }
}
