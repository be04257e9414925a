package dev.jcomms.tensor.internal.cpu;

/**
 * How a reduction makes one number of many. A NaN among them is the result of every fold.
 *
 * <p>Floats are folded in {@link #LANES} interleaved partial results and those in a tree, the same
 * with vectors and without, so the bits do not depend on the machine; a sum's error grows with the
 * logarithm of its length.
 */
public enum Fold {
  SUM(ArithmeticFunctions.ADD, 0, 0),
  PRODUCT(ArithmeticFunctions.MUL, 1, 1),
  MAX(LogicFunctions.MAXIMUM, Double.NEGATIVE_INFINITY, Long.MIN_VALUE),
  MIN(LogicFunctions.MINIMUM, Double.POSITIVE_INFINITY, Long.MAX_VALUE);

  /** Partial results of floats; of doubles half as many. */
  static final int LANES = 32;

  /** Combines two operands, with a parameter of 1. */
  final Function combine;

  /** What nothing folds to. */
  final double nothing;

  final long nothingWhole;

  private volatile FoldKernel floats;
  private volatile FoldKernel doubles;

  Fold(Function combine, double nothing, long nothingWhole) {
    this.combine = combine;
    this.nothing = nothing;
    this.nothingWhole = nothingWhole;
  }

  double apply(double a, double b) {
    return combine.doubles().apply(a, b, 0, 1, 0);
  }

  long apply(long a, long b) {
    return combine.longs().apply(a, b, 0, 1, 0);
  }

  /** Folds {@code n} floats or doubles at an address; n is positive. */
  double run(Carrier carrier, long at, int n) {
    FoldKernel kernel = carrier == Carrier.FLOAT ? floats : doubles;
    if (kernel == null) {
      kernel = new FoldKernel(this, carrier);
      if (carrier == Carrier.FLOAT) {
        floats = kernel;
      } else {
        doubles = kernel;
      }
    }
    return kernel.run(at, n);
  }

  /** Folds {@code n} longs at an address. */
  long runWhole(long at, int n) {
    long acc = nothingWhole;
    switch (this) {
      case SUM -> {
        for (int i = 0; i < n; i++) {
          acc += Memory.getLong(at + i * 8L);
        }
      }
      case PRODUCT -> {
        for (int i = 0; i < n; i++) {
          acc *= Memory.getLong(at + i * 8L);
        }
      }
      case MAX -> {
        for (int i = 0; i < n; i++) {
          acc = Math.max(acc, Memory.getLong(at + i * 8L));
        }
      }
      case MIN -> {
        for (int i = 0; i < n; i++) {
          acc = Math.min(acc, Memory.getLong(at + i * 8L));
        }
      }
    }
    return acc;
  }
}
