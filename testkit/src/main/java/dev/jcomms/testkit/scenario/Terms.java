package dev.jcomms.testkit.scenario;

import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import dev.jcomms.testkit.Rank;
import java.util.ArrayList;
import java.util.List;

/**
 * What the ranks bring to a reduction, and what must come of it, reckoned element by element in
 * {@code double} and {@code long}. Terms are whole numbers, small enough that every order of
 * combining gives the exact result, average of floats apart.
 */
final class Terms {
  private Terms() {}

  /** The operations that a dtype has; the factor of a premul_sum is each rank's own. */
  static List<ReduceOp> ops(DType dtype) {
    List<ReduceOp> ops = new ArrayList<>(List.of(ReduceOp.Standard.values()));
    ops.add(ReduceOp.premulSum(1));
    return ops.stream().filter(op -> op.accepts(dtype)).toList();
  }

  /** The operation as a rank calls it. */
  static ReduceOp calledBy(int rank, ReduceOp op) {
    return op instanceof ReduceOp.PremulSum ? ReduceOp.premulSum(factor(rank)) : op;
  }

  private static double factor(int rank) {
    return (rank % 4 + 1) * 0.5;
  }

  /** What a rank brings at a position of a section; sections are the ranks of a reduce_scatter. */
  static double of(DType dtype, ReduceOp op, int size, int rank, int section, long i) {
    return switch (op) {
      case ReduceOp.Standard.SUM, ReduceOp.Standard.AVG ->
          Values.within(dtype, Math.max(1, Values.reach(dtype) / size), rank, section, i);
      case ReduceOp.PremulSum _ ->
          Values.within(dtype, Math.max(1, Values.reach(dtype) / (4L * size)), rank, section, i);
      case ReduceOp.Standard.PRODUCT -> factorOf(dtype, rank, section, i);
      case ReduceOp.Standard _ -> Values.of(dtype, rank, section, i);
    };
  }

  /** 1, 2 or 3 on the first four ranks, 1 elsewhere, with signs: products stay below 82. */
  private static double factorOf(DType dtype, int rank, int section, long i) {
    if (dtype == DType.BOOL) {
      return Values.of(dtype, rank, section, i);
    }
    long h = Values.hash(rank, section, i);
    long magnitude = rank < 4 ? Math.floorMod(h, 3) + 1 : 1;
    return Values.isSigned(dtype) && (h & 1 << 20) != 0 ? -magnitude : magnitude;
  }

  /** What must come of what all ranks bring. */
  static double expected(DType dtype, ReduceOp op, int size, int section, long i) {
    double acc = scaled(dtype, op, size, 0, section, i);
    for (int r = 1; r < size; r++) {
      acc = combine(op, acc, scaled(dtype, op, size, r, section, i));
    }
    if (op == ReduceOp.AVG) {
      acc = dtype.isFloating() ? acc / size : (long) acc / size;
    }
    return dtype == DType.BOOL && acc != 0 ? 1 : acc;
  }

  /** How far from it a result may be. */
  static double slack(Rank rank, DType dtype, ReduceOp op, double expected) {
    return op == ReduceOp.AVG && dtype.isFloating()
        ? rank.subject().tolerance().of(dtype) * Math.abs(expected)
        : 0;
  }

  private static double scaled(DType dtype, ReduceOp op, int size, int rank, int section, long i) {
    double term = of(dtype, op, size, rank, section, i);
    return op instanceof ReduceOp.PremulSum ? term * factor(rank) : term;
  }

  private static double combine(ReduceOp op, double a, double b) {
    return switch (op) {
      case ReduceOp.Standard.SUM, ReduceOp.Standard.AVG -> a + b;
      case ReduceOp.PremulSum _ -> a + b;
      case ReduceOp.Standard.PRODUCT -> a * b;
      case ReduceOp.Standard.MIN -> a < b ? a : b;
      case ReduceOp.Standard.MAX -> a > b ? a : b;
      case ReduceOp.Standard.BAND -> (long) a & (long) b;
      case ReduceOp.Standard.BOR -> (long) a | (long) b;
      case ReduceOp.Standard.BXOR -> (long) a ^ (long) b;
    };
  }
}
