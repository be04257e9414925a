package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Function.binary;
import static dev.jcomms.tensor.internal.cpu.Function.ternary;
import static dev.jcomms.tensor.internal.cpu.Function.unary;

import java.util.function.Consumer;

/** Sums, products, quotients, and what is made of them. */
public final class ArithmeticFunctions {
  /** Where the functions have their code, each fetched when it is first run. */
  private static final Consumer<Function> CODE = ArithmeticFunctions::code;

  /** {@code a + p b}. */
  public static final Function ADD = binary("add", CODE).keepingScalar();

  public static final Function MUL = binary("mul", CODE).keepingScalar();
  public static final Function DIV = binary("div", CODE).keepingScalar();
  public static final Function DIV_FLOOR = binary("div_floor", CODE);
  public static final Function DIV_TRUNC = binary("div_trunc", CODE);
  public static final Function REMAINDER = binary("remainder", CODE);
  public static final Function FMOD = binary("fmod", CODE);
  public static final Function POW = binary("pow", CODE);

  /** {@code a + p b c}. */
  public static final Function ADDCMUL = ternary("addcmul", CODE);

  /** {@code a + p b / c}. */
  public static final Function ADDCDIV = ternary("addcdiv", CODE);

  public static final Function LERP = ternary("lerp", CODE).keepingScalar();
  public static final Function ATAN2 = binary("atan2", CODE);
  public static final Function HYPOT = binary("hypot", CODE);

  /** The logarithm of the sum of two powers of e. */
  public static final Function LOGADDEXP = binary("logaddexp", CODE);

  /** {@code a ln b}, zero where {@code a} is. */
  public static final Function XLOGY = binary("xlogy", CODE);

  public static final Function COPYSIGN = binary("copysign", CODE);
  public static final Function ABS = unary("abs", CODE);
  public static final Function NEG = unary("neg", CODE);

  /** Of NaN it is zero. */
  public static final Function SIGN = unary("sign", CODE);

  public static final Function SQRT = unary("sqrt", CODE);
  public static final Function RSQRT = unary("rsqrt", CODE);
  public static final Function RECIPROCAL = unary("reciprocal", CODE);
  public static final Function SQUARE = unary("square", CODE);
  public static final Function CUBE = unary("cube", CODE);
  public static final Function FLOOR = unary("floor", CODE);
  public static final Function CEIL = unary("ceil", CODE);

  /** Halves go to the even neighbour. */
  public static final Function ROUND = unary("round", CODE);

  /** The power of ten is {@code p}; {@code q} is not zero where decimals are before the point. */
  public static final Function ROUND_DECIMALS = unary("round_decimals", CODE);

  public static final Function TRUNC = unary("trunc", CODE);
  public static final Function FRAC = unary("frac", CODE);

  /** What a reduction sums for a mean: {@code a - p}. */
  static final Function DISTANCE = unary("distance", CODE);

  /** What a reduction sums for a variance: {@code (a - p)^2}. */
  static final Function SQUARED_DISTANCE = unary("squared_distance", CODE);

  /** What a reduction sums for a norm: {@code |a|^p}. */
  static final Function POWER_OF_MAGNITUDE = unary("power_of_magnitude", CODE);

  private ArithmeticFunctions() {}

  private static void code(Function f) {
    switch (f.name()) {
      case "add" ->
          f.floats((a, b, _, p, _) -> Math.fma(b, p, a))
              .doubles((a, b, _, p, _) -> Math.fma(b, p, a))
              .ints((a, b, _, p, _) -> a + b * p)
              .longs((a, b, _, p, _) -> a + b * p);
      case "mul" ->
          f.floats((a, b, _, _, _) -> a * b)
              .doubles((a, b, _, _, _) -> a * b)
              .ints((a, b, _, _, _) -> a * b)
              .longs((a, b, _, _, _) -> a * b);
      case "div" -> f.floats((a, b, _, _, _) -> a / b).doubles((a, b, _, _, _) -> a / b);
      case "div_floor" ->
          f.floats((a, b, _, _, _) -> floorDivide(a, b))
              .doubles((a, b, _, _, _) -> DoubleMath.floorDivide(a, b))
              .longs((a, b, _, _, _) -> LongMath.floorDivide(a, b));
      case "div_trunc" ->
          f.floats((a, b, _, _, _) -> (float) DoubleMath.trunc(a / b))
              .doubles((a, b, _, _, _) -> DoubleMath.trunc(a / b))
              .longs((a, b, _, _, _) -> LongMath.truncDivide(a, b));
      case "remainder" ->
          f.floats((a, b, _, _, _) -> remainder(a, b))
              .doubles((a, b, _, _, _) -> DoubleMath.remainder(a, b))
              .longs((a, b, _, _, _) -> LongMath.remainder(a, b));
      case "fmod" ->
          f.floats((a, b, _, _, _) -> a % b)
              .doubles((a, b, _, _, _) -> a % b)
              .longs((a, b, _, _, _) -> LongMath.fmod(a, b));
      case "pow" ->
          f.floats((a, b, _, _, _) -> FloatMath.pow(a, b))
              .doubles((a, b, _, _, _) -> power(a, b))
              .longs((a, b, _, _, _) -> LongMath.pow(a, b));
      case "addcmul" ->
          f.floats((a, b, c, p, _) -> a + p * b * c)
              .doubles((a, b, c, p, _) -> a + p * b * c)
              .longs((a, b, c, p, _) -> a + p * b * c);
      case "addcdiv" ->
          f.floats((a, b, c, p, _) -> a + p * b / c).doubles((a, b, c, p, _) -> a + p * b / c);
      case "lerp" ->
          f.floats((a, b, w, _, _) -> Math.abs(w) < 0.5f ? a + w * (b - a) : b - (b - a) * (1 - w))
              .doubles(
                  (a, b, w, _, _) -> Math.abs(w) < 0.5 ? a + w * (b - a) : b - (b - a) * (1 - w));
      case "atan2" -> f.doubles((a, b, _, _, _) -> Math.atan2(a, b));
      case "hypot" -> f.doubles((a, b, _, _, _) -> Math.hypot(a, b));
      case "logaddexp" -> f.doubles((a, b, _, _, _) -> logAddExp(a, b));
      case "xlogy" -> f.doubles((a, b, _, _, _) -> b != b ? b : a == 0 ? 0 : a * Math.log(b));
      case "copysign" ->
          f.floats((a, b, _, _, _) -> Math.copySign(a, b))
              .doubles((a, b, _, _, _) -> Math.copySign(a, b));
      case "abs" ->
          f.floats((a, _, _, _, _) -> Math.abs(a))
              .doubles((a, _, _, _, _) -> Math.abs(a))
              .ints((a, _, _, _, _) -> Math.abs(a))
              .longs((a, _, _, _, _) -> Math.abs(a));
      case "neg" ->
          f.floats((a, _, _, _, _) -> -a)
              .doubles((a, _, _, _, _) -> -a)
              .ints((a, _, _, _, _) -> -a)
              .longs((a, _, _, _, _) -> -a);
      case "sign" ->
          f.floats((a, _, _, _, _) -> a > 0 ? 1 : a < 0 ? -1 : 0)
              .doubles((a, _, _, _, _) -> a > 0 ? 1 : a < 0 ? -1 : 0)
              .longs((a, _, _, _, _) -> Long.signum(a));
      case "sqrt" ->
          f.floats((a, _, _, _, _) -> (float) Math.sqrt(a))
              .doubles((a, _, _, _, _) -> Math.sqrt(a));
      case "rsqrt" ->
          f.floats((a, _, _, _, _) -> 1 / (float) Math.sqrt(a))
              .doubles((a, _, _, _, _) -> 1 / Math.sqrt(a));
      case "reciprocal" -> f.floats((a, _, _, _, _) -> 1 / a).doubles((a, _, _, _, _) -> 1 / a);
      case "square" ->
          f.floats((a, _, _, _, _) -> a * a)
              .doubles((a, _, _, _, _) -> a * a)
              .longs((a, _, _, _, _) -> a * a);
      case "cube" ->
          f.floats((a, _, _, _, _) -> a * a * a)
              .doubles((a, _, _, _, _) -> a * a * a)
              .longs((a, _, _, _, _) -> a * a * a);
      case "floor" ->
          f.floats((a, _, _, _, _) -> (float) Math.floor(a))
              .doubles((a, _, _, _, _) -> Math.floor(a))
              .longs((a, _, _, _, _) -> a);
      case "ceil" ->
          f.floats((a, _, _, _, _) -> (float) Math.ceil(a))
              .doubles((a, _, _, _, _) -> Math.ceil(a))
              .longs((a, _, _, _, _) -> a);
      case "round" ->
          f.floats((a, _, _, _, _) -> (float) Math.rint(a))
              .doubles((a, _, _, _, _) -> Math.rint(a))
              .longs((a, _, _, _, _) -> a);
      case "round_decimals" ->
          f.floats(
                  (a, _, _, p, q) -> (float) (q != 0 ? Math.rint(a / p) * p : Math.rint(a * p) / p))
              .doubles((a, _, _, p, q) -> q != 0 ? Math.rint(a / p) * p : Math.rint(a * p) / p);
      case "trunc" ->
          f.floats((a, _, _, _, _) -> (float) DoubleMath.trunc(a))
              .doubles((a, _, _, _, _) -> DoubleMath.trunc(a))
              .longs((a, _, _, _, _) -> a);
      case "frac" ->
          f.floats((a, _, _, _, _) -> a - (float) DoubleMath.trunc(a))
              .doubles((a, _, _, _, _) -> a - DoubleMath.trunc(a));
      case "distance" -> f.doubles((a, _, _, p, _) -> a - p);
      case "squared_distance" -> f.doubles((a, _, _, p, _) -> (a - p) * (a - p));
      case "power_of_magnitude" -> f.doubles((a, _, _, p, _) -> Math.pow(Math.abs(a), p));
      default -> throw new AssertionError(f + " has no code");
    }
  }

  private static double logAddExp(double a, double b) {
    if (Double.isInfinite(a) && a == b) {
      return a;
    }
    double most = Math.max(a, b);
    return most + Math.log1p(Math.exp(-Math.abs(a - b)));
  }

  private static float remainder(float a, float b) {
    float r = a % b;
    return r != 0 && b < 0 != r < 0 ? r + b : r;
  }

  private static float floorDivide(float a, float b) {
    if (b == 0) {
      return a / b;
    }
    float mod = a % b;
    float quotient = (a - mod) / b;
    if (mod != 0 && b < 0 != mod < 0) {
      quotient -= 1;
    }
    if (quotient == 0) {
      return Math.copySign(0f, a / b);
    }
    float floor = (float) Math.floor(quotient);
    return quotient - floor > 0.5f ? floor + 1 : floor;
  }

  /** Java's, but 1 to any power is 1, as is -1 to an infinite one. */
  private static double power(double a, double b) {
    return a == 1 || a == -1 && Double.isInfinite(b) ? 1 : Math.pow(a, b);
  }
}
