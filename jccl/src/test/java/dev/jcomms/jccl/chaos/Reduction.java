package dev.jcomms.jccl.chaos;

import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import java.util.Random;

/** The terms of a reduction, small enough that the result is exact in its dtype, and the result. */
record Reduction(DType dtype, ReduceOp op, int ranks, long seed) {
  private static final ReduceOp[] OPS = {
    ReduceOp.SUM,
    ReduceOp.PRODUCT,
    ReduceOp.MIN,
    ReduceOp.MAX,
    ReduceOp.BAND,
    ReduceOp.BOR,
    ReduceOp.BXOR,
    ReduceOp.AVG,
    ReduceOp.premulSum(1)
  };

  /** Any op that the dtype has; there is always a sum, but for what is only moved. */
  static ReduceOp anyOp(Random random, DType dtype) {
    ReduceOp op;
    do {
      op = OPS[random.nextInt(OPS.length)];
    } while (!op.accepts(dtype));
    return op;
  }

  /** The op as a rank calls it: each has a factor of its own. */
  ReduceOp of(int rank) {
    return op instanceof ReduceOp.PremulSum ? ReduceOp.premulSum(factor(rank)) : op;
  }

  private static int factor(int rank) {
    return 1 + rank % 2;
  }

  /** What a rank brings for a place. */
  long term(int rank, long i) {
    long any = Elements.mix(seed, rank, i, 5) & 0x7fffffff;
    if (dtype == DType.BOOL) {
      return any & 1;
    }
    if (op == ReduceOp.PRODUCT) {
      return 1 + any % 2;
    }
    if (op == ReduceOp.AVG) {
      return dtype.isFloating() ? ranks * (any % 4) : dtype == DType.U8 ? any % 15 : any % 29 - 14;
    }
    if (dtype.isFloating()) {
      return any % 9 - 4;
    }
    return dtype == DType.U8 ? any % 256 : any % 255 - 127;
  }

  /** What comes out for a place. */
  long result(long i) {
    long folded = ofRank(0, i);
    for (int rank = 1; rank < ranks; rank++) {
      folded = fold(folded, ofRank(rank, i));
    }
    return op == ReduceOp.AVG ? folded / ranks : folded;
  }

  private long ofRank(int rank, long i) {
    return term(rank, i) * (op instanceof ReduceOp.PremulSum ? factor(rank) : 1);
  }

  private long fold(long a, long b) {
    boolean logical = dtype == DType.BOOL;
    return switch (op) {
      case ReduceOp.PremulSum _ -> a + b;
      case ReduceOp.Standard.SUM, ReduceOp.Standard.AVG -> logical ? a | b : a + b;
      case ReduceOp.Standard.PRODUCT -> logical ? a & b : a * b;
      case ReduceOp.Standard.MIN -> Math.min(a, b);
      case ReduceOp.Standard.MAX -> Math.max(a, b);
      case ReduceOp.Standard.BAND -> a & b;
      case ReduceOp.Standard.BOR -> a | b;
      case ReduceOp.Standard.BXOR -> a ^ b;
    };
  }
}
