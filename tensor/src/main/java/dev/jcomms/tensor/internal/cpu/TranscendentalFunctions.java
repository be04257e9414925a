package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Function.unary;

/** Exponentials, logarithms, waves, the error function. */
public final class TranscendentalFunctions {
  public static final Function EXP =
      unary("exp")
          .floats((a, _, _, _, _) -> FloatMath.exp(a))
          .doubles((a, _, _, _, _) -> Math.exp(a));

  public static final Function EXP2 = unary("exp2").doubles((a, _, _, _, _) -> Math.pow(2, a));

  public static final Function EXPM1 = unary("expm1").doubles((a, _, _, _, _) -> Math.expm1(a));

  public static final Function LOG =
      unary("log")
          .floats((a, _, _, _, _) -> FloatMath.log(a))
          .doubles((a, _, _, _, _) -> Math.log(a));

  public static final Function LOG2 = unary("log2").doubles((a, _, _, _, _) -> log2(a));

  public static final Function LOG10 = unary("log10").doubles((a, _, _, _, _) -> Math.log10(a));

  public static final Function LOG1P = unary("log1p").doubles((a, _, _, _, _) -> Math.log1p(a));

  public static final Function SIN =
      unary("sin")
          .floats((a, _, _, _, _) -> FloatMath.sin(a))
          .doubles((a, _, _, _, _) -> Math.sin(a));

  public static final Function COS =
      unary("cos")
          .floats((a, _, _, _, _) -> FloatMath.cos(a))
          .doubles((a, _, _, _, _) -> Math.cos(a));

  public static final Function TAN = unary("tan").doubles((a, _, _, _, _) -> Math.tan(a));
  public static final Function ASIN = unary("asin").doubles((a, _, _, _, _) -> Math.asin(a));
  public static final Function ACOS = unary("acos").doubles((a, _, _, _, _) -> Math.acos(a));
  public static final Function ATAN = unary("atan").doubles((a, _, _, _, _) -> Math.atan(a));
  public static final Function SINH = unary("sinh").doubles((a, _, _, _, _) -> Math.sinh(a));
  public static final Function COSH = unary("cosh").doubles((a, _, _, _, _) -> Math.cosh(a));

  public static final Function TANH =
      unary("tanh")
          .floats((a, _, _, _, _) -> FloatMath.tanh(a))
          .doubles((a, _, _, _, _) -> Math.tanh(a));

  public static final Function ASINH = unary("asinh").doubles((a, _, _, _, _) -> asinh(a));

  public static final Function ACOSH =
      unary("acosh").doubles((a, _, _, _, _) -> Math.log1p(a - 1 + Math.sqrt((a - 1) * (a + 1))));

  public static final Function ATANH =
      unary("atanh").doubles((a, _, _, _, _) -> 0.5 * (Math.log1p(a) - Math.log1p(-a)));

  public static final Function ERF =
      unary("erf")
          .floats((a, _, _, _, _) -> FloatMath.erf(a))
          .doubles((a, _, _, _, _) -> DoubleMath.erf(a));

  public static final Function ERFC = unary("erfc").doubles((a, _, _, _, _) -> DoubleMath.erfc(a));

  private TranscendentalFunctions() {}

  /** Exact for powers of two. */
  private static double log2(double a) {
    if (!(a >= Double.MIN_NORMAL) || a == Double.POSITIVE_INFINITY) {
      return Math.log(a) / Math.log(2);
    }
    int exponent = Math.getExponent(a);
    double mantissa = Math.scalb(a, -exponent);
    return mantissa > 1.5
        ? exponent + 1 + Math.log(mantissa / 2) / Math.log(2)
        : exponent + Math.log(mantissa) / Math.log(2);
  }

  private static double asinh(double a) {
    double m = Math.abs(a);
    double y =
        m > 1e150 ? Math.log(m) + Math.log(2) : Math.log1p(m + m * m / (1 + Math.sqrt(m * m + 1)));
    return Math.copySign(y, a);
  }
}
