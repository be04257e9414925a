package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Function.unary;

import java.util.function.Consumer;

/** Exponentials, logarithms, waves, the error function. */
public final class TranscendentalFunctions {
  /** Where the functions have their code, each fetched when it is first run. */
  private static final Consumer<Function> CODE = TranscendentalFunctions::code;

  public static final Function EXP = unary("exp", CODE);
  public static final Function EXP2 = unary("exp2", CODE);
  public static final Function EXPM1 = unary("expm1", CODE);
  public static final Function LOG = unary("log", CODE);
  public static final Function LOG2 = unary("log2", CODE);
  public static final Function LOG10 = unary("log10", CODE);
  public static final Function LOG1P = unary("log1p", CODE);
  public static final Function SIN = unary("sin", CODE);
  public static final Function COS = unary("cos", CODE);
  public static final Function TAN = unary("tan", CODE);
  public static final Function ASIN = unary("asin", CODE);
  public static final Function ACOS = unary("acos", CODE);
  public static final Function ATAN = unary("atan", CODE);
  public static final Function SINH = unary("sinh", CODE);
  public static final Function COSH = unary("cosh", CODE);
  public static final Function TANH = unary("tanh", CODE);
  public static final Function ASINH = unary("asinh", CODE);
  public static final Function ACOSH = unary("acosh", CODE);
  public static final Function ATANH = unary("atanh", CODE);
  public static final Function ERF = unary("erf", CODE);
  public static final Function ERFC = unary("erfc", CODE);

  private TranscendentalFunctions() {}

  private static void code(Function f) {
    switch (f.name()) {
      case "exp" ->
          f.floats((a, _, _, _, _) -> FloatMath.exp(a)).doubles((a, _, _, _, _) -> Math.exp(a));
      case "exp2" -> f.doubles((a, _, _, _, _) -> Math.pow(2, a));
      case "expm1" -> f.doubles((a, _, _, _, _) -> Math.expm1(a));
      case "log" ->
          f.floats((a, _, _, _, _) -> FloatMath.log(a)).doubles((a, _, _, _, _) -> Math.log(a));
      case "log2" -> f.doubles((a, _, _, _, _) -> log2(a));
      case "log10" -> f.doubles((a, _, _, _, _) -> Math.log10(a));
      case "log1p" -> f.doubles((a, _, _, _, _) -> Math.log1p(a));
      case "sin" ->
          f.floats((a, _, _, _, _) -> FloatMath.sin(a)).doubles((a, _, _, _, _) -> Math.sin(a));
      case "cos" ->
          f.floats((a, _, _, _, _) -> FloatMath.cos(a)).doubles((a, _, _, _, _) -> Math.cos(a));
      case "tan" -> f.doubles((a, _, _, _, _) -> Math.tan(a));
      case "asin" -> f.doubles((a, _, _, _, _) -> Math.asin(a));
      case "acos" -> f.doubles((a, _, _, _, _) -> Math.acos(a));
      case "atan" -> f.doubles((a, _, _, _, _) -> Math.atan(a));
      case "sinh" -> f.doubles((a, _, _, _, _) -> Math.sinh(a));
      case "cosh" -> f.doubles((a, _, _, _, _) -> Math.cosh(a));
      case "tanh" ->
          f.floats((a, _, _, _, _) -> FloatMath.tanh(a)).doubles((a, _, _, _, _) -> Math.tanh(a));
      case "asinh" -> f.doubles((a, _, _, _, _) -> asinh(a));
      case "acosh" -> f.doubles((a, _, _, _, _) -> acosh(a));
      case "atanh" -> f.doubles((a, _, _, _, _) -> 0.5 * (Math.log1p(a) - Math.log1p(-a)));
      case "erf" ->
          f.floats((a, _, _, _, _) -> FloatMath.erf(a))
              .doubles((a, _, _, _, _) -> DoubleMath.erf(a));
      case "erfc" -> f.doubles((a, _, _, _, _) -> DoubleMath.erfc(a));
      default -> throw new AssertionError(f + " has no code");
    }
  }

  /** Below 1 there is none; the roots are taken apart, for their product may be no number. */
  private static double acosh(double a) {
    return Math.log1p(a - 1 + Math.sqrt(a - 1) * Math.sqrt(a + 1));
  }

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
