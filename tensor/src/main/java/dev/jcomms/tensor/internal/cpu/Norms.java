package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import java.util.function.DoubleUnaryOperator;

/** Norms as reductions: a function of each element, a fold, a function of the result. */
public final class Norms {
  private Norms() {}

  /**
   * @param p the order: 0 counts what is not zero, an infinity takes an extreme
   * @param compute a float dtype
   */
  public static void run(double p, DType compute, Tensor in, boolean[] reduce, Tensor out) {
    Reductions.run(recipe(p), compute, in, reduce, out);
  }

  private static Reductions.Recipe recipe(double p) {
    DoubleUnaryOperator same = DoubleUnaryOperator.identity();
    Function magnitude = ArithmeticFunctions.ABS;
    if (p == 0) {
      return new Reductions.Recipe(Fold.SUM, LogicFunctions.IS_TRUE, Scalar.ZERO, same);
    }
    if (p == 1) {
      return new Reductions.Recipe(Fold.SUM, magnitude, Scalar.ZERO, same);
    }
    if (p == 2) {
      return new Reductions.Recipe(Fold.SUM, ArithmeticFunctions.SQUARE, Scalar.ZERO, Math::sqrt);
    }
    if (p == Double.POSITIVE_INFINITY) {
      return new Reductions.Recipe(Fold.MAX, magnitude, Scalar.ZERO, same);
    }
    if (p == Double.NEGATIVE_INFINITY) {
      return new Reductions.Recipe(Fold.MIN, magnitude, Scalar.ZERO, same);
    }
    return new Reductions.Recipe(
        Fold.SUM,
        ArithmeticFunctions.POWER_OF_MAGNITUDE,
        Scalar.of(p),
        sum -> Math.pow(sum, 1 / p));
  }
}
