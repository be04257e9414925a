package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Function.binary;
import static dev.jcomms.tensor.internal.cpu.Function.ternary;
import static dev.jcomms.tensor.internal.cpu.Function.unary;

import java.util.function.Consumer;

/** What networks put between layers, and their derivatives times the gradient {@code a}. */
public final class ActivationFunctions {
  /** Where the functions have their code, each fetched when it is first run. */
  private static final Consumer<Function> CODE = ActivationFunctions::code;

  public static final Function SIGMOID = unary("sigmoid", CODE);
  public static final Function RELU = unary("relu", CODE);
  public static final Function GELU = unary("gelu", CODE);
  public static final Function GELU_TANH = unary("gelu_tanh", CODE);
  public static final Function SILU = unary("silu", CODE);

  /** {@code p} is beta, {@code q} the threshold. */
  public static final Function SOFTPLUS = unary("softplus", CODE);

  /** {@code p} is the slope. */
  public static final Function LEAKY_RELU = unary("leaky_relu", CODE);

  /** {@code b} is scale, {@code p} alpha times scale, {@code q} the input's scale. */
  public static final Function ELU = binary("elu", CODE);

  /** {@code p} is epsilon; a negative one leaves the operand as it is. */
  public static final Function LOGIT = unary("logit", CODE);

  /** {@code a} where {@code b} is above {@code p}, else zero; NaN counts as above. */
  public static final Function THRESHOLD_BACKWARD = binary("threshold_backward", CODE);

  /** {@code b} where it is above {@code p}, else {@code q}. */
  public static final Function THRESHOLD = unary("threshold", CODE);

  /** {@code b} is the sigmoid. */
  public static final Function SIGMOID_BACKWARD = binary("sigmoid_backward", CODE);

  /** {@code b} is the tanh. */
  public static final Function TANH_BACKWARD = binary("tanh_backward", CODE);

  public static final Function GELU_BACKWARD = binary("gelu_backward", CODE);
  public static final Function GELU_TANH_BACKWARD = binary("gelu_tanh_backward", CODE);
  public static final Function SILU_BACKWARD = binary("silu_backward", CODE);
  public static final Function SOFTPLUS_BACKWARD = binary("softplus_backward", CODE);
  public static final Function LEAKY_RELU_BACKWARD = binary("leaky_relu_backward", CODE);

  /**
   * {@code b} is the operand, {@code c} scale, {@code p} alpha times scale, {@code q} the input's.
   */
  public static final Function ELU_BACKWARD = ternary("elu_backward", CODE);

  /** The same where {@code b} is the result. */
  public static final Function ELU_BACKWARD_FROM_RESULT = ternary("elu_backward_from_result", CODE);

  public static final Function HARDTANH_BACKWARD = binary("hardtanh_backward", CODE);
  public static final Function LOGIT_BACKWARD = binary("logit_backward", CODE);

  private ActivationFunctions() {}

  private static void code(Function f) {
    switch (f.name()) {
      case "sigmoid" ->
          f.floats((a, _, _, _, _) -> FloatMath.sigmoid(a))
              .doubles((a, _, _, _, _) -> DoubleMath.sigmoid(a));
      case "relu" ->
          f.floats((a, _, _, _, _) -> Math.max(a, 0f))
              .doubles((a, _, _, _, _) -> Math.max(a, 0d))
              .longs((a, _, _, _, _) -> Math.max(a, 0));
      case "gelu" ->
          f.floats((a, _, _, _, _) -> FloatMath.gelu(a))
              .doubles((a, _, _, _, _) -> DoubleMath.gelu(a));
      case "gelu_tanh" ->
          f.floats((a, _, _, _, _) -> FloatMath.geluTanh(a))
              .doubles((a, _, _, _, _) -> DoubleMath.geluTanh(a));
      case "silu" ->
          f.floats((a, _, _, _, _) -> FloatMath.silu(a))
              .doubles((a, _, _, _, _) -> a / (1 + Math.exp(-a)));
      case "softplus" ->
          f.doubles((a, _, _, p, q) -> a * p > q ? a : Math.log1p(Math.exp(a * p)) / p);
      case "leaky_relu" ->
          f.floats((a, _, _, p, _) -> a > 0 ? a : a * p)
              .doubles((a, _, _, p, _) -> a > 0 ? a : a * p);
      case "elu" -> f.doubles((a, b, _, p, q) -> a < 0 ? Math.expm1(a * q) * p : a * b);
      case "logit" ->
          f.doubles((a, _, _, p, _) -> logit(p < 0 ? a : Math.min(Math.max(a, p), 1 - p)));
      case "threshold_backward" ->
          f.floats((a, b, _, p, _) -> b <= p ? 0 : a)
              .doubles((a, b, _, p, _) -> b <= p ? 0 : a)
              .longs((a, b, _, p, _) -> b <= p ? 0 : a);
      case "threshold" ->
          f.floats((a, _, _, p, q) -> a <= p ? q : a)
              .doubles((a, _, _, p, q) -> a <= p ? q : a)
              .longs((a, _, _, p, q) -> a <= p ? q : a);
      case "sigmoid_backward" ->
          f.floats((a, b, _, _, _) -> a * (1 - b) * b).doubles((a, b, _, _, _) -> a * (1 - b) * b);
      case "tanh_backward" ->
          f.floats((a, b, _, _, _) -> a * (1 - b * b)).doubles((a, b, _, _, _) -> a * (1 - b * b));
      case "gelu_backward" ->
          f.floats((a, b, _, _, _) -> a * geluSlope(b))
              .doubles((a, b, _, _, _) -> a * geluSlope(b));
      case "gelu_tanh_backward" ->
          f.floats((a, b, _, _, _) -> a * geluTanhSlope(b))
              .doubles((a, b, _, _, _) -> a * geluTanhSlope(b));
      case "silu_backward" ->
          f.floats((a, b, _, _, _) -> siluBackward(a, b))
              .doubles((a, b, _, _, _) -> siluBackward(a, b));
      case "softplus_backward" ->
          f.doubles(
              (a, b, _, p, q) -> {
                double z = Math.exp(b * p);
                return b * p > q ? a : a * z / (z + 1);
              });
      case "leaky_relu_backward" ->
          f.floats((a, b, _, p, _) -> b > 0 ? a : a * p)
              .doubles((a, b, _, p, _) -> b > 0 ? a : a * p);
      case "elu_backward" ->
          f.doubles((a, b, c, p, q) -> b > 0 ? a * c : a * q * p * Math.exp(b * q));
      case "elu_backward_from_result" ->
          f.doubles((a, b, c, p, q) -> b > 0 ? a * c : a * q * (b + p));
      case "hardtanh_backward" ->
          f.floats((a, b, _, p, q) -> b <= p || b >= q ? 0 : a)
              .doubles((a, b, _, p, q) -> b <= p || b >= q ? 0 : a);
      case "logit_backward" -> f.doubles((a, b, _, p, _) -> logitBackward(a, b, p));
      default -> throw new AssertionError(f + " has no code");
    }
  }

  private static double logit(double x) {
    return Math.log(x / (1 - x));
  }

  private static double logitBackward(double grad, double x, double epsilon) {
    if (epsilon < 0) {
      return x < 0 || x > 1 ? Double.NaN : grad / (x * (1 - x));
    }
    return x < epsilon || x > 1 - epsilon ? 0 : grad / (x * (1 - x));
  }

  private static float geluSlope(float x) {
    float cdf = 0.5f * (1f + FloatMath.erf(x * 0.70710678f));
    return cdf + x * (FloatMath.exp(-0.5f * x * x) * 0.3989422804f);
  }

  private static double geluSlope(double x) {
    double cdf = 0.5 * (1 + DoubleMath.erf(x * Math.sqrt(0.5)));
    return cdf + x * (Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI));
  }

  private static double geluTanhSlope(double x) {
    double beta = Math.sqrt(2 / Math.PI);
    double t = Math.tanh(beta * (x + 0.044715 * x * x * x));
    return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * beta * (1 + 3 * 0.044715 * x * x);
  }

  private static float geluTanhSlope(float x) {
    float t = FloatMath.tanh(0.7978845608f * Math.fma(0.044715f * x * x, x, x));
    return 0.5f * (1 + t) + 0.5f * x * (1 - t * t) * 0.7978845608f * (1 + 0.134145f * x * x);
  }

  private static float siluBackward(float grad, float x) {
    float s = FloatMath.sigmoid(x);
    return grad * s * (1 + x * (1 - s));
  }

  private static double siluBackward(double grad, double x) {
    double s = DoubleMath.sigmoid(x);
    return grad * s * (1 + x * (1 - s));
  }
}
