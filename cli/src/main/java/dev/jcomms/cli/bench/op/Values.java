package dev.jcomms.cli.bench.op;

import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;

/**
 * What the ranks put into their tensors and what a reduction of them must give: whole numbers that
 * depend on rank and position, small enough that the dtype holds them, and their reduction over all
 * ranks, exactly. Immutable.
 *
 * <p>An element is a hash of rank and position, so that no shift, no other rank and no constant
 * gives the same. Two operations need care: a product takes powers of two of at most six ranks, and
 * an average takes numbers whose sum is a multiple of the number of ranks.
 */
public final class Values {
  private static final int LARGEST = 1 << 16;
  private static final int FACTORS = 6;
  private static final long MIX = 0x9E3779B97F4A7C15L;
  private static final long MORE = 0xBF58476D1CE4E5B9L;

  private final ReduceOp op;
  private final int ranks;
  private final int first;
  private final int kinds;

  /**
   * @param op how ranks are combined; ignored by operations that only move
   */
  public Values(DType dtype, ReduceOp op, int ranks, boolean reduced) {
    // Of bools a product is a conjunction, and has no powers of two.
    boolean conjunction = dtype == DType.BOOL && op == ReduceOp.PRODUCT;
    this.op = !reduced ? null : conjunction ? ReduceOp.BAND : op;
    this.ranks = ranks;
    long limit = exact(dtype);
    if (this.op == ReduceOp.SUM) {
      limit = limit / ranks;
    } else if (this.op == ReduceOp.AVG) {
      limit = limit / ranks - 2L * ranks;
    }
    kinds = Math.clamp(limit, 2, LARGEST);
    first = limit < 2 ? 0 : 1;
  }

  /** A rank's elements from {@code position} on. */
  Content of(int rank, long position) {
    return (from, into, count) -> read(rank, position + from, into, count);
  }

  /** The reduction of all ranks' elements from {@code position} on. */
  Content reduced(long position) {
    return (from, into, count) -> {
      read(0, position + from, into, count);
      long[] next = new long[count];
      for (int rank = 1; rank < ranks; rank++) {
        read(rank, position + from, next, count);
        for (int i = 0; i < count; i++) into[i] = combine(into[i], next[i]);
      }
      for (int i = 0; op == ReduceOp.AVG && i < count; i++) into[i] /= ranks;
    };
  }

  private void read(int rank, long position, long[] into, int count) {
    for (int i = 0; i < count; i++) {
      long at = position + i;
      if (op == ReduceOp.PRODUCT) {
        into[i] = rank < FACTORS && hash(rank, at, 2) != 0 ? 2 : 1;
      } else if (op == ReduceOp.AVG) {
        // The same for all ranks, and a part whose sum over them is n(n-1).
        into[i] = first + hash(0, at, kinds) + 2 * ((rank + at) % ranks);
      } else {
        into[i] = first + hash(rank, at, kinds);
      }
    }
  }

  /** One of {@code 0} to {@code kinds - 1}. */
  private static long hash(int rank, long position, int kinds) {
    long mixed = (position + 1) * MIX + rank * MORE;
    mixed = (mixed ^ mixed >>> 30) * MORE;
    mixed ^= mixed >>> 27;
    return (mixed >>> 32) * kinds >>> 32;
  }

  private long combine(long a, long b) {
    return switch (op) {
      case ReduceOp.Standard.SUM, ReduceOp.Standard.AVG -> a + b;
      case ReduceOp.Standard.PRODUCT -> a * b;
      case ReduceOp.Standard.MIN -> Math.min(a, b);
      case ReduceOp.Standard.MAX -> Math.max(a, b);
      case ReduceOp.Standard.BAND -> a & b;
      case ReduceOp.Standard.BOR -> a | b;
      case ReduceOp.Standard.BXOR -> a ^ b;
      case ReduceOp.PremulSum _ -> throw new IllegalStateException("no factor was given");
    };
  }

  /** Up to here every whole number is exact. */
  private static long exact(DType dtype) {
    return switch (dtype) {
      case F64 -> 1L << 53;
      case F32 -> 1L << 24;
      case F16 -> 1L << 11;
      case BF16 -> 1L << 8;
      case F8E4M3 -> 1L << 4;
      case F8E5M2 -> 1L << 3;
      case I64 -> Long.MAX_VALUE / 2;
      case I32 -> Integer.MAX_VALUE;
      case I16 -> Short.MAX_VALUE;
      case I8 -> Byte.MAX_VALUE;
      case U8 -> 255;
      case BOOL -> 1;
    };
  }
}
