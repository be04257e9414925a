package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Function.binary;
import static dev.jcomms.tensor.internal.cpu.Function.ternary;
import static dev.jcomms.tensor.internal.cpu.Function.unary;

import java.util.function.Consumer;

/** Comparisons, choices, truths and bits. A truth is 1 or 0. */
public final class LogicFunctions {
  /** Where the functions have their code, each fetched when it is first run. */
  private static final Consumer<Function> CODE = LogicFunctions::code;

  public static final Function EQ = binary("eq", CODE);
  public static final Function NE = binary("ne", CODE);
  public static final Function LT = binary("lt", CODE);
  public static final Function LE = binary("le", CODE);
  public static final Function GT = binary("gt", CODE);
  public static final Function GE = binary("ge", CODE);

  /** A NaN on either side is the result. */
  public static final Function MAXIMUM = binary("maximum", CODE);

  public static final Function MINIMUM = binary("minimum", CODE);

  /** A NaN gives way to a number. */
  public static final Function FMAX = binary("fmax", CODE);

  public static final Function FMIN = binary("fmin", CODE);

  /** At least {@code p}, then at most {@code q}; a NaN among the three is the result. */
  public static final Function CLAMP = unary("clamp", CODE);

  public static final Function CLAMP_TENSOR = ternary("clamp_tensor", CODE);
  public static final Function CLAMP_MIN = unary("clamp_min", CODE);
  public static final Function CLAMP_MAX = unary("clamp_max", CODE);

  /** Where {@code a} is true, {@code b}; else {@code c}. */
  public static final Function WHERE = ternary("where", CODE);

  public static final Function ISNAN = unary("isnan", CODE);
  public static final Function ISINF = unary("isinf", CODE);
  public static final Function ISFINITE = unary("isfinite", CODE);

  /** Positive infinity with {@code p} 1, negative with -1. */
  public static final Function IS_THIS_INFINITY = unary("is_this_infinity", CODE);

  public static final Function SIGNBIT = unary("signbit", CODE);

  /** Operands: the number, what NaN becomes; {@code p} and {@code q} are what infinities become. */
  public static final Function NAN_TO_NUM = binary("nan_to_num", CODE);

  public static final Function LOGICAL_NOT = unary("logical_not", CODE);
  public static final Function IS_TRUE = unary("is_true", CODE);
  public static final Function LOGICAL_AND = binary("logical_and", CODE);
  public static final Function LOGICAL_OR = binary("logical_or", CODE);
  public static final Function LOGICAL_XOR = binary("logical_xor", CODE);

  /** Of integers; of booleans it is {@link #LOGICAL_NOT}. */
  public static final Function BITWISE_NOT = unary("bitwise_not", CODE);

  public static final Function BITWISE_AND = binary("bitwise_and", CODE);
  public static final Function BITWISE_OR = binary("bitwise_or", CODE);
  public static final Function BITWISE_XOR = binary("bitwise_xor", CODE);

  /** {@code p} is the number of bits of the dtype. */
  public static final Function LEFT_SHIFT = binary("left_shift", CODE);

  public static final Function RIGHT_SHIFT = binary("right_shift", CODE);

  private LogicFunctions() {}

  private static void code(Function f) {
    switch (f.name()) {
      case "eq" ->
          f.floats((a, b, _, _, _) -> a == b ? 1 : 0)
              .doubles((a, b, _, _, _) -> a == b ? 1 : 0)
              .ints((a, b, _, _, _) -> a == b ? 1 : 0)
              .longs((a, b, _, _, _) -> a == b ? 1 : 0);
      case "ne" ->
          f.floats((a, b, _, _, _) -> a != b ? 1 : 0)
              .doubles((a, b, _, _, _) -> a != b ? 1 : 0)
              .ints((a, b, _, _, _) -> a != b ? 1 : 0)
              .longs((a, b, _, _, _) -> a != b ? 1 : 0);
      case "lt" ->
          f.floats((a, b, _, _, _) -> a < b ? 1 : 0)
              .doubles((a, b, _, _, _) -> a < b ? 1 : 0)
              .ints((a, b, _, _, _) -> a < b ? 1 : 0)
              .longs((a, b, _, _, _) -> a < b ? 1 : 0);
      case "le" ->
          f.floats((a, b, _, _, _) -> a <= b ? 1 : 0)
              .doubles((a, b, _, _, _) -> a <= b ? 1 : 0)
              .ints((a, b, _, _, _) -> a <= b ? 1 : 0)
              .longs((a, b, _, _, _) -> a <= b ? 1 : 0);
      case "gt" ->
          f.floats((a, b, _, _, _) -> a > b ? 1 : 0)
              .doubles((a, b, _, _, _) -> a > b ? 1 : 0)
              .ints((a, b, _, _, _) -> a > b ? 1 : 0)
              .longs((a, b, _, _, _) -> a > b ? 1 : 0);
      case "ge" ->
          f.floats((a, b, _, _, _) -> a >= b ? 1 : 0)
              .doubles((a, b, _, _, _) -> a >= b ? 1 : 0)
              .ints((a, b, _, _, _) -> a >= b ? 1 : 0)
              .longs((a, b, _, _, _) -> a >= b ? 1 : 0);
      case "maximum" ->
          f.floats((a, b, _, _, _) -> Math.max(a, b))
              .doubles((a, b, _, _, _) -> Math.max(a, b))
              .ints((a, b, _, _, _) -> Math.max(a, b))
              .longs((a, b, _, _, _) -> Math.max(a, b));
      case "minimum" ->
          f.floats((a, b, _, _, _) -> Math.min(a, b))
              .doubles((a, b, _, _, _) -> Math.min(a, b))
              .ints((a, b, _, _, _) -> Math.min(a, b))
              .longs((a, b, _, _, _) -> Math.min(a, b));
      case "fmax" ->
          f.floats((a, b, _, _, _) -> a != a ? b : b != b ? a : Math.max(a, b))
              .doubles((a, b, _, _, _) -> a != a ? b : b != b ? a : Math.max(a, b))
              .longs((a, b, _, _, _) -> Math.max(a, b));
      case "fmin" ->
          f.floats((a, b, _, _, _) -> a != a ? b : b != b ? a : Math.min(a, b))
              .doubles((a, b, _, _, _) -> a != a ? b : b != b ? a : Math.min(a, b))
              .longs((a, b, _, _, _) -> Math.min(a, b));
      case "clamp" ->
          f.floats((a, _, _, p, q) -> Math.min(Math.max(a, p), q))
              .doubles((a, _, _, p, q) -> Math.min(Math.max(a, p), q))
              .longs((a, _, _, p, q) -> Math.min(Math.max(a, p), q));
      case "clamp_tensor" ->
          f.floats((a, b, c, _, _) -> Math.min(Math.max(a, b), c))
              .doubles((a, b, c, _, _) -> Math.min(Math.max(a, b), c))
              .longs((a, b, c, _, _) -> Math.min(Math.max(a, b), c));
      case "clamp_min" ->
          f.floats((a, _, _, p, _) -> Math.max(a, p))
              .doubles((a, _, _, p, _) -> Math.max(a, p))
              .longs((a, _, _, p, _) -> Math.max(a, p));
      case "clamp_max" ->
          f.floats((a, _, _, p, _) -> Math.min(a, p))
              .doubles((a, _, _, p, _) -> Math.min(a, p))
              .longs((a, _, _, p, _) -> Math.min(a, p));
      case "where" ->
          f.floats((a, b, c, _, _) -> a != 0 ? b : c)
              .doubles((a, b, c, _, _) -> a != 0 ? b : c)
              .ints((a, b, c, _, _) -> a != 0 ? b : c)
              .longs((a, b, c, _, _) -> a != 0 ? b : c);
      case "isnan" ->
          f.floats((a, _, _, _, _) -> a != a ? 1 : 0)
              .doubles((a, _, _, _, _) -> a != a ? 1 : 0)
              .longs((_, _, _, _, _) -> 0);
      case "isinf" ->
          f.floats((a, _, _, _, _) -> Float.isInfinite(a) ? 1 : 0)
              .doubles((a, _, _, _, _) -> Double.isInfinite(a) ? 1 : 0)
              .longs((_, _, _, _, _) -> 0);
      case "isfinite" ->
          f.floats((a, _, _, _, _) -> Float.isFinite(a) ? 1 : 0)
              .doubles((a, _, _, _, _) -> Double.isFinite(a) ? 1 : 0)
              .longs((_, _, _, _, _) -> 1);
      case "is_this_infinity" ->
          f.floats((a, _, _, p, _) -> a == p * Float.POSITIVE_INFINITY ? 1 : 0)
              .doubles((a, _, _, p, _) -> a == p * Double.POSITIVE_INFINITY ? 1 : 0)
              .longs((_, _, _, _, _) -> 0);
      case "signbit" ->
          f.floats((a, _, _, _, _) -> Float.floatToRawIntBits(a) < 0 ? 1 : 0)
              .doubles((a, _, _, _, _) -> Double.doubleToRawLongBits(a) < 0 ? 1 : 0)
              .longs((a, _, _, _, _) -> a < 0 ? 1 : 0);
      case "nan_to_num" ->
          f.floats(
                  (a, b, _, p, q) ->
                      a != a
                          ? b
                          : a == Float.POSITIVE_INFINITY ? p : a == Float.NEGATIVE_INFINITY ? q : a)
              .doubles(
                  (a, b, _, p, q) ->
                      a != a
                          ? b
                          : a == Double.POSITIVE_INFINITY
                              ? p
                              : a == Double.NEGATIVE_INFINITY ? q : a);
      case "logical_not" ->
          f.floats((a, _, _, _, _) -> a == 0 ? 1 : 0)
              .doubles((a, _, _, _, _) -> a == 0 ? 1 : 0)
              .longs((a, _, _, _, _) -> a == 0 ? 1 : 0);
      case "is_true" ->
          f.floats((a, _, _, _, _) -> a != 0 ? 1 : 0)
              .doubles((a, _, _, _, _) -> a != 0 ? 1 : 0)
              .longs((a, _, _, _, _) -> a != 0 ? 1 : 0);
      case "logical_and" ->
          f.floats((a, b, _, _, _) -> a != 0 && b != 0 ? 1 : 0)
              .doubles((a, b, _, _, _) -> a != 0 && b != 0 ? 1 : 0)
              .longs((a, b, _, _, _) -> a != 0 && b != 0 ? 1 : 0);
      case "logical_or" ->
          f.floats((a, b, _, _, _) -> a != 0 || b != 0 ? 1 : 0)
              .doubles((a, b, _, _, _) -> a != 0 || b != 0 ? 1 : 0)
              .longs((a, b, _, _, _) -> a != 0 || b != 0 ? 1 : 0);
      case "logical_xor" ->
          f.floats((a, b, _, _, _) -> a != 0 != (b != 0) ? 1 : 0)
              .doubles((a, b, _, _, _) -> a != 0 != (b != 0) ? 1 : 0)
              .longs((a, b, _, _, _) -> a != 0 != (b != 0) ? 1 : 0);
      case "bitwise_not" -> f.longs((a, _, _, _, _) -> ~a);
      case "bitwise_and" -> f.ints((a, b, _, _, _) -> a & b).longs((a, b, _, _, _) -> a & b);
      case "bitwise_or" -> f.ints((a, b, _, _, _) -> a | b).longs((a, b, _, _, _) -> a | b);
      case "bitwise_xor" -> f.ints((a, b, _, _, _) -> a ^ b).longs((a, b, _, _, _) -> a ^ b);
      case "left_shift" -> f.longs((a, b, _, p, _) -> LongMath.leftShift(a, b, p));
      case "right_shift" -> f.longs((a, b, _, p, _) -> LongMath.rightShift(a, b, p));
      default -> throw new AssertionError(f + " has no code");
    }
  }
}
