package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Function.binary;
import static dev.jcomms.tensor.internal.cpu.Function.unary;

import java.util.function.Consumer;

/** Activations made of pieces, and mish; of the backward ones {@code a} is the gradient. */
public final class GateFunctions {
  /** Where the functions have their code, each fetched when it is first run. */
  private static final Consumer<Function> CODE = GateFunctions::code;

  public static final Function HARDSIGMOID = unary("hardsigmoid", CODE);
  public static final Function HARDSIGMOID_BACKWARD = binary("hardsigmoid_backward", CODE);
  public static final Function HARDSWISH = unary("hardswish", CODE);
  public static final Function HARDSWISH_BACKWARD = binary("hardswish_backward", CODE);

  /** Zero within {@code p} of zero; NaN stays. */
  public static final Function HARDSHRINK = unary("hardshrink", CODE);

  /** Nearer to zero by {@code p}; NaN stays. */
  public static final Function SOFTSHRINK = unary("softshrink", CODE);

  /** The gradient where {@code b} is not within {@code p} of zero: of both that shrink. */
  public static final Function SHRINK_BACKWARD = binary("shrink_backward", CODE);

  public static final Function MISH = unary("mish", CODE);
  public static final Function MISH_BACKWARD = binary("mish_backward", CODE);

  /** {@code b} is the weight. */
  public static final Function PRELU = binary("prelu", CODE);

  private GateFunctions() {}

  private static void code(Function f) {
    switch (f.name()) {
      case "hardsigmoid" -> f.doubles((a, _, _, _, _) -> gate(a));
      case "hardsigmoid_backward" -> f.doubles((a, b, _, _, _) -> b > -3 && b < 3 ? a / 6 : 0);
      case "hardswish" -> f.doubles((a, _, _, _, _) -> a * Math.min(Math.max(a + 3, 0), 6) / 6);
      case "hardswish_backward" ->
          f.doubles((a, b, _, _, _) -> b <= -3 ? 0 : b < 3 ? a * (b / 3 + 0.5) : a);
      case "hardshrink" -> f.doubles((a, _, _, p, _) -> a >= -p && a <= p ? 0 : a);
      case "softshrink" -> f.doubles((a, _, _, p, _) -> a > p ? a - p : a < -p ? a + p : a * 0);
      case "shrink_backward" -> f.doubles((a, b, _, p, _) -> b >= -p && b <= p ? 0 : a);
      case "mish" -> f.doubles((a, _, _, _, _) -> a * Math.tanh(softplus(a)));
      case "mish_backward" -> f.doubles((a, b, _, _, _) -> a * mishSlope(b));
      case "prelu" ->
          f.floats((a, b, _, _, _) -> a > 0 ? a : b * a)
              .doubles((a, b, _, _, _) -> a > 0 ? a : b * a);
      default -> throw new AssertionError(f + " has no code");
    }
  }

  private static double gate(double x) {
    return Math.min(Math.max(x + 3, 0), 6) / 6;
  }

  private static double softplus(double x) {
    return x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x));
  }

  private static double mishSlope(double x) {
    double t = Math.tanh(softplus(x));
    return t + x * (1 - t * t) * DoubleMath.sigmoid(x);
  }
}
