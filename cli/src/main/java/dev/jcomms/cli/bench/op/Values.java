package dev.jcomms.cli.bench.op;

import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;

/**
 * What the ranks put into their tensors and what a reduction of them must give: whole numbers that
 * depend on rank and position, small enough that the dtype holds them, and their reduction over all
 * ranks, exactly. Immutable.
 *
 * <p>An element is {@code 1 + (a * position + b * rank) mod m} for a prime m, so that no shift by
 * less than m elements and no other rank gives the same. Two operations need care: a product takes
 * powers of two of at most six ranks, and an average takes numbers whose sum is a multiple of the
 * number of ranks.
 */
public final class Values {
  private static final int LARGEST = 65521;
  private static final int FACTORS = 6;
  private static final long MIX = 0x9E3779B97F4A7C15L;

  private final ReduceOp op;
  private final int ranks;
  private final int modulus;
  private final int first;
  private final long step;
  private final long turn;

  /**
   * @param op how ranks are combined; ignored by operations that only move
   */
  public Values(DType dtype, ReduceOp op, int ranks, boolean reduced) {
    this.op = reduced ? op : null;
    this.ranks = ranks;
    long limit = exact(dtype);
    if (this.op == ReduceOp.SUM) {
      limit = limit / ranks;
    } else if (this.op == ReduceOp.AVG) {
      limit = limit / ranks - 2L * ranks;
    }
    modulus = primeUpTo(Math.clamp(limit, 2, LARGEST));
    first = limit < 2 ? 0 : 1;
    step = 1 + (modulus - 1) / 3;
    turn = 1 + (modulus - 1) / 2;
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
    long residue = Math.floorMod(step * position + turn * rank, (long) modulus);
    if (op == ReduceOp.PRODUCT) {
      for (int i = 0; i < count; i++) {
        boolean factor = rank < FACTORS && ((position + i) * MIX >>> 32 + rank & 1) != 0;
        into[i] = factor ? 2 : 1;
      }
    } else if (op == ReduceOp.AVG) {
      // The same for all ranks, and a part whose sum over them is n(n-1).
      residue = Math.floorMod(step * position, (long) modulus);
      for (int i = 0; i < count; i++) {
        into[i] = first + residue + 2 * ((rank + position + i) % ranks);
        residue = (residue + step) % modulus;
      }
    } else {
      for (int i = 0; i < count; i++) {
        into[i] = first + residue;
        residue += step;
        if (residue >= modulus) residue -= modulus;
      }
    }
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

  private static int primeUpTo(long limit) {
    int candidate = (int) limit;
    while (!isPrime(candidate)) candidate--;
    return candidate;
  }

  private static boolean isPrime(int number) {
    for (int d = 2; d * d <= number; d++) {
      if (number % d == 0) return false;
    }
    return number > 1;
  }
}
