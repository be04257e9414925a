package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Function.binary;
import static dev.jcomms.tensor.internal.cpu.Function.ternary;
import static dev.jcomms.tensor.internal.cpu.Function.unary;

/** Comparisons, choices, truths and bits. A truth is 1 or 0. */
public final class LogicFunctions {
  public static final Function EQ =
      binary("eq")
          .floats((a, b, _, _, _) -> a == b ? 1 : 0)
          .doubles((a, b, _, _, _) -> a == b ? 1 : 0)
          .ints((a, b, _, _, _) -> a == b ? 1 : 0)
          .longs((a, b, _, _, _) -> a == b ? 1 : 0);

  public static final Function NE =
      binary("ne")
          .floats((a, b, _, _, _) -> a != b ? 1 : 0)
          .doubles((a, b, _, _, _) -> a != b ? 1 : 0)
          .ints((a, b, _, _, _) -> a != b ? 1 : 0)
          .longs((a, b, _, _, _) -> a != b ? 1 : 0);

  public static final Function LT =
      binary("lt")
          .floats((a, b, _, _, _) -> a < b ? 1 : 0)
          .doubles((a, b, _, _, _) -> a < b ? 1 : 0)
          .ints((a, b, _, _, _) -> a < b ? 1 : 0)
          .longs((a, b, _, _, _) -> a < b ? 1 : 0);

  public static final Function LE =
      binary("le")
          .floats((a, b, _, _, _) -> a <= b ? 1 : 0)
          .doubles((a, b, _, _, _) -> a <= b ? 1 : 0)
          .ints((a, b, _, _, _) -> a <= b ? 1 : 0)
          .longs((a, b, _, _, _) -> a <= b ? 1 : 0);

  public static final Function GT =
      binary("gt")
          .floats((a, b, _, _, _) -> a > b ? 1 : 0)
          .doubles((a, b, _, _, _) -> a > b ? 1 : 0)
          .ints((a, b, _, _, _) -> a > b ? 1 : 0)
          .longs((a, b, _, _, _) -> a > b ? 1 : 0);

  public static final Function GE =
      binary("ge")
          .floats((a, b, _, _, _) -> a >= b ? 1 : 0)
          .doubles((a, b, _, _, _) -> a >= b ? 1 : 0)
          .ints((a, b, _, _, _) -> a >= b ? 1 : 0)
          .longs((a, b, _, _, _) -> a >= b ? 1 : 0);

  /** A NaN on either side is the result. */
  public static final Function MAXIMUM =
      binary("maximum")
          .floats((a, b, _, _, _) -> Math.max(a, b))
          .doubles((a, b, _, _, _) -> Math.max(a, b))
          .ints((a, b, _, _, _) -> Math.max(a, b))
          .longs((a, b, _, _, _) -> Math.max(a, b));

  public static final Function MINIMUM =
      binary("minimum")
          .floats((a, b, _, _, _) -> Math.min(a, b))
          .doubles((a, b, _, _, _) -> Math.min(a, b))
          .ints((a, b, _, _, _) -> Math.min(a, b))
          .longs((a, b, _, _, _) -> Math.min(a, b));

  /** A NaN gives way to a number. */
  public static final Function FMAX =
      binary("fmax")
          .floats((a, b, _, _, _) -> a != a ? b : b != b ? a : Math.max(a, b))
          .doubles((a, b, _, _, _) -> a != a ? b : b != b ? a : Math.max(a, b))
          .longs((a, b, _, _, _) -> Math.max(a, b));

  public static final Function FMIN =
      binary("fmin")
          .floats((a, b, _, _, _) -> a != a ? b : b != b ? a : Math.min(a, b))
          .doubles((a, b, _, _, _) -> a != a ? b : b != b ? a : Math.min(a, b))
          .longs((a, b, _, _, _) -> Math.min(a, b));

  /** At least {@code p}, then at most {@code q}; a NaN among the three is the result. */
  public static final Function CLAMP =
      unary("clamp")
          .floats((a, _, _, p, q) -> Math.min(Math.max(a, p), q))
          .doubles((a, _, _, p, q) -> Math.min(Math.max(a, p), q))
          .longs((a, _, _, p, q) -> Math.min(Math.max(a, p), q));

  public static final Function CLAMP_TENSOR =
      ternary("clamp_tensor")
          .floats((a, b, c, _, _) -> Math.min(Math.max(a, b), c))
          .doubles((a, b, c, _, _) -> Math.min(Math.max(a, b), c))
          .longs((a, b, c, _, _) -> Math.min(Math.max(a, b), c));

  public static final Function CLAMP_MIN =
      unary("clamp_min")
          .floats((a, _, _, p, _) -> Math.max(a, p))
          .doubles((a, _, _, p, _) -> Math.max(a, p))
          .longs((a, _, _, p, _) -> Math.max(a, p));

  public static final Function CLAMP_MAX =
      unary("clamp_max")
          .floats((a, _, _, p, _) -> Math.min(a, p))
          .doubles((a, _, _, p, _) -> Math.min(a, p))
          .longs((a, _, _, p, _) -> Math.min(a, p));

  /** Where {@code a} is true, {@code b}; else {@code c}. */
  public static final Function WHERE =
      ternary("where")
          .floats((a, b, c, _, _) -> a != 0 ? b : c)
          .doubles((a, b, c, _, _) -> a != 0 ? b : c)
          .ints((a, b, c, _, _) -> a != 0 ? b : c)
          .longs((a, b, c, _, _) -> a != 0 ? b : c);

  public static final Function ISNAN =
      unary("isnan")
          .floats((a, _, _, _, _) -> a != a ? 1 : 0)
          .doubles((a, _, _, _, _) -> a != a ? 1 : 0)
          .longs((_, _, _, _, _) -> 0);

  public static final Function ISINF =
      unary("isinf")
          .floats((a, _, _, _, _) -> Float.isInfinite(a) ? 1 : 0)
          .doubles((a, _, _, _, _) -> Double.isInfinite(a) ? 1 : 0)
          .longs((_, _, _, _, _) -> 0);

  public static final Function ISFINITE =
      unary("isfinite")
          .floats((a, _, _, _, _) -> Float.isFinite(a) ? 1 : 0)
          .doubles((a, _, _, _, _) -> Double.isFinite(a) ? 1 : 0)
          .longs((_, _, _, _, _) -> 1);

  /** Positive infinity with {@code p} 1, negative with -1. */
  public static final Function IS_THIS_INFINITY =
      unary("is_this_infinity")
          .floats((a, _, _, p, _) -> a == p * Float.POSITIVE_INFINITY ? 1 : 0)
          .doubles((a, _, _, p, _) -> a == p * Double.POSITIVE_INFINITY ? 1 : 0)
          .longs((_, _, _, _, _) -> 0);

  public static final Function SIGNBIT =
      unary("signbit")
          .floats((a, _, _, _, _) -> Float.floatToRawIntBits(a) < 0 ? 1 : 0)
          .doubles((a, _, _, _, _) -> Double.doubleToRawLongBits(a) < 0 ? 1 : 0)
          .longs((a, _, _, _, _) -> a < 0 ? 1 : 0);

  /** Operands: the number, what NaN becomes; {@code p} and {@code q} are what infinities become. */
  public static final Function NAN_TO_NUM =
      binary("nan_to_num")
          .floats(
              (a, b, _, p, q) ->
                  a != a
                      ? b
                      : a == Float.POSITIVE_INFINITY ? p : a == Float.NEGATIVE_INFINITY ? q : a)
          .doubles(
              (a, b, _, p, q) ->
                  a != a
                      ? b
                      : a == Double.POSITIVE_INFINITY ? p : a == Double.NEGATIVE_INFINITY ? q : a);

  public static final Function LOGICAL_NOT =
      unary("logical_not")
          .floats((a, _, _, _, _) -> a == 0 ? 1 : 0)
          .doubles((a, _, _, _, _) -> a == 0 ? 1 : 0)
          .longs((a, _, _, _, _) -> a == 0 ? 1 : 0);

  public static final Function IS_TRUE =
      unary("is_true")
          .floats((a, _, _, _, _) -> a != 0 ? 1 : 0)
          .doubles((a, _, _, _, _) -> a != 0 ? 1 : 0)
          .longs((a, _, _, _, _) -> a != 0 ? 1 : 0);

  public static final Function LOGICAL_AND =
      binary("logical_and")
          .floats((a, b, _, _, _) -> a != 0 && b != 0 ? 1 : 0)
          .doubles((a, b, _, _, _) -> a != 0 && b != 0 ? 1 : 0)
          .longs((a, b, _, _, _) -> a != 0 && b != 0 ? 1 : 0);

  public static final Function LOGICAL_OR =
      binary("logical_or")
          .floats((a, b, _, _, _) -> a != 0 || b != 0 ? 1 : 0)
          .doubles((a, b, _, _, _) -> a != 0 || b != 0 ? 1 : 0)
          .longs((a, b, _, _, _) -> a != 0 || b != 0 ? 1 : 0);

  public static final Function LOGICAL_XOR =
      binary("logical_xor")
          .floats((a, b, _, _, _) -> a != 0 != (b != 0) ? 1 : 0)
          .doubles((a, b, _, _, _) -> a != 0 != (b != 0) ? 1 : 0)
          .longs((a, b, _, _, _) -> a != 0 != (b != 0) ? 1 : 0);

  /** Of integers; of booleans it is {@link #LOGICAL_NOT}. */
  public static final Function BITWISE_NOT = unary("bitwise_not").longs((a, _, _, _, _) -> ~a);

  public static final Function BITWISE_AND =
      binary("bitwise_and").ints((a, b, _, _, _) -> a & b).longs((a, b, _, _, _) -> a & b);

  public static final Function BITWISE_OR =
      binary("bitwise_or").ints((a, b, _, _, _) -> a | b).longs((a, b, _, _, _) -> a | b);

  public static final Function BITWISE_XOR =
      binary("bitwise_xor").ints((a, b, _, _, _) -> a ^ b).longs((a, b, _, _, _) -> a ^ b);

  /** {@code p} is the number of bits of the dtype. */
  public static final Function LEFT_SHIFT =
      binary("left_shift").longs((a, b, _, p, _) -> LongMath.leftShift(a, b, p));

  public static final Function RIGHT_SHIFT =
      binary("right_shift").longs((a, b, _, p, _) -> LongMath.rightShift(a, b, p));

  private LogicFunctions() {}
}
