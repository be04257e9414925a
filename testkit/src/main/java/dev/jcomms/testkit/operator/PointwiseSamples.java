package dev.jcomms.testkit.operator;

import static dev.jcomms.testkit.operator.Samples.ALL;
import static dev.jcomms.testkit.operator.Samples.SHAPES;
import static dev.jcomms.testkit.operator.Samples.arranged;
import static dev.jcomms.testkit.operator.Samples.f32;
import static dev.jcomms.testkit.operator.Samples.f64;
import static dev.jcomms.testkit.operator.Samples.t;

import dev.jcomms.tensor.DType;
import java.util.List;

/** One tensor, element by element: functions and activations. */
final class PointwiseSamples {
  private PointwiseSamples() {}

  private static final List<String> EXACT =
      List.of(
          "abs",
          "neg",
          "negative",
          "absolute",
          "positive",
          "sign",
          "sgn",
          "floor",
          "ceil",
          "trunc",
          "fix",
          "round",
          "frac",
          "square",
          "relu",
          "isnan",
          "isinf",
          "isfinite",
          "isneginf",
          "isposinf",
          "isreal",
          "signbit",
          "logical_not",
          "bitwise_not",
          "reciprocal",
          "sqrt",
          "rsqrt",
          "relu6",
          "nan_to_num",
          "hardswish",
          "hardsigmoid",
          "hardtanh",
          "leaky_relu");

  private static final List<String> SMOOTH =
      List.of(
          "exp",
          "expm1",
          "exp2",
          "sin",
          "cos",
          "tan",
          "sinh",
          "cosh",
          "tanh",
          "atan",
          "asinh",
          "sigmoid",
          "erf",
          "erfc",
          "silu",
          "gelu",
          "softplus",
          "elu",
          "selu",
          "celu",
          "mish",
          "log_sigmoid",
          "arctan",
          "sinc",
          "deg2rad",
          "rad2deg",
          "special_expit",
          "softsign",
          "hardshrink",
          "softshrink",
          "tanhshrink");

  private static final List<String> POSITIVE =
      List.of("log", "log2", "log10", "log1p", "lgamma", "digamma", "acosh");

  private static final List<String> UNIT =
      List.of("asin", "acos", "atanh", "erfinv", "arcsin", "arccos");

  static void add(Samples s) {
    EXACT.forEach(op -> unary(s, op, Content.ANY));
    SMOOTH.forEach(op -> unary(s, op, Content.ANY));
    POSITIVE.forEach(op -> unary(s, op, Content.POSITIVE));
    UNIT.forEach(op -> unary(s, op, Content.UNIT));
    unary(s, "logit", Content.PROBABILITY);
    parameters(s);
    backwards(s);
  }

  private static void unary(Samples s, String op, Content content) {
    for (DType dtype : ALL) {
      for (long[] shape : SHAPES) {
        boolean all = dtype == DType.F32 || dtype == DType.I64 || shape.length == 2;
        for (TensorSpec x : arranged(t(dtype, shape).with(content))) {
          if (all || x.arrangement() == Arrangement.PLAIN) {
            s.add(op, x);
          }
        }
      }
      s.add(op, t(dtype, 13).with(Content.SPECIAL));
      s.add(op, t(dtype, 40).salted(5));
      s.add(op, t(dtype, 40).with(content).salted(6).with(Arrangement.SPARSE));
    }
    s.add(op, f32(1025).with(content));
  }

  /** Arguments beside the tensor. */
  private static void parameters(Samples s) {
    for (TensorSpec x :
        List.of(
            f32(2, 3),
            f64(5).with(Arrangement.SPARSE),
            f32(),
            f32(0),
            f32(13).with(Content.SPECIAL),
            t(DType.BF16, 4),
            t(DType.I64, 4))) {
      for (String approximate : List.of("none", "tanh", "other")) {
        s.add("gelu", x, approximate);
      }
      for (double slope : new double[] {0.01, 0.3, -0.5}) {
        s.add("leaky_relu", x, slope);
        s.add("elu", x, Math.abs(slope) + 0.5, 1.5, 0.7);
        s.add("celu", x, slope + 1);
        s.add("threshold", x, slope, 2 * slope);
        s.add("hardshrink", x, slope);
        s.add("softshrink", x, slope);
      }
      s.add("softplus", x, 2.0, 3.0);
      s.add("softplus", x, 0.5, 1.0);
      s.add("hardtanh", x, -0.5, 1.5);
      s.add("hardtanh", x, 2.0, -2.0);
      s.add("logit", x.with(Content.PROBABILITY), 0.2);
      s.add("nan_to_num", x, 1.0, 2.0, -3.0);
      s.add("nan_to_num", x, 0.5);
      for (long decimals : new long[] {-1, 0, 1, 2}) {
        s.add("round.decimals", x, decimals);
      }
      for (Object bound : new Object[] {-1.0, 0, 1.5, 2, Double.NaN}) {
        s.add("clamp", x, bound);
        s.add("clamp", x, null, bound);
        s.add("clamp", x, -2, bound);
        s.add("clamp", x, bound, 1.0);
        s.add("clip", x, -1, bound);
        s.add("clamp_min", x, bound);
        s.add("clamp_max", x, bound);
      }
      s.add("clamp", x, null, null);
      TensorSpec low = f32(x.sizes()).salted(1);
      TensorSpec high = f32(x.sizes()).salted(2);
      s.add("clamp.Tensor", x, low, high);
      s.add("clamp.Tensor", x, low);
      s.add("clamp.Tensor", x, null, high);
      s.add("clamp_min.Tensor", x, low);
      s.add("clamp_max.Tensor", x, high.with(DType.F64));
      s.add("pow.Tensor_Scalar", x, 2);
      for (Object exponent : new Object[] {0, 1, 2, 3, -1, -2, 0.5, -0.5, 2.5}) {
        s.add("pow.Tensor_Scalar", x, exponent);
        s.add("pow.Scalar", exponent, x);
        s.add("pow.Tensor_Scalar", x.with(Content.POSITIVE), exponent);
      }
    }
  }

  private static void backwards(Samples s) {
    for (DType dtype : List.of(DType.F32, DType.F64, DType.BF16)) {
      for (long[] shape : SHAPES) {
        for (TensorSpec g : arranged(t(dtype, shape))) {
          TensorSpec x = t(dtype, shape).salted(1);
          TensorSpec y = t(dtype, shape).with(Content.PROBABILITY).salted(2);
          s.add("threshold_backward", g, x, 0);
          s.add("threshold_backward", g, x, 0.5);
          s.add("sigmoid_backward", g, y);
          s.add("tanh_backward", g, y);
          s.add("logit_backward", g, y, 0.2);
          s.add("gelu_backward", g, x);
          s.add("gelu_backward", g, x, "tanh");
          s.add("silu_backward", g, x);
          s.add("hardtanh_backward", g, x, -1, 1);
          s.add("hardsigmoid_backward", g, x);
          s.add("hardswish_backward", g, x);
          s.add("leaky_relu_backward", g, x, 0.1, false);
          s.add("softplus_backward", g, x, 1, 20);
          s.add("elu_backward", g, 1, 1, 1, false, x);
          s.add("mish_backward", g, x);
        }
      }
    }
  }
}
