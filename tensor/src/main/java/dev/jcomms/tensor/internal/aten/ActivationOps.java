package dev.jcomms.tensor.internal.aten;

import static dev.jcomms.tensor.internal.aten.Elementwise.Rule.FLOAT;
import static dev.jcomms.tensor.internal.aten.Elementwise.Rule.SAME;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.ScalarRange;
import dev.jcomms.tensor.internal.cpu.ActivationFunctions;
import dev.jcomms.tensor.internal.cpu.Function;
import dev.jcomms.tensor.internal.cpu.LogicFunctions;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;

/** What networks put between layers, and their backward operators. */
final class ActivationOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();

  private ActivationOps() {}

  static void define(Definitions d) {
    d.op("relu(Tensor self) -> Tensor")
        .inPlace()
        .out("out")
        .cpu(Elementwise.unary(SAME, ActivationFunctions.RELU));
    d.op("silu(Tensor self) -> Tensor")
        .inPlace()
        .out("out")
        .cpu(Elementwise.unary(SAME, ActivationFunctions.SILU));
    d.op("gelu(Tensor self, *, str approximate=\"none\") -> Tensor")
        .inPlace()
        .out("out")
        .cpu(LOOKUP, "gelu");
    d.op("softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor")
        .out("out")
        .cpu(LOOKUP, "softplus");
    d.op("leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor")
        .inPlace()
        .out("out")
        .cpu(LOOKUP, "leakyRelu");
    d.op("elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor")
        .inPlace()
        .out("out")
        .cpu(LOOKUP, "elu");
    d.op("hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor")
        .inPlace()
        .out("out")
        .cpu(LOOKUP, "hardtanh");
    d.op("threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor")
        .inPlace()
        .out("out")
        .cpu(LOOKUP, "threshold");
    d.op("relu6(Tensor self) -> Tensor").composite(LOOKUP, "relu6");
    d.op("selu(Tensor self) -> Tensor").composite(LOOKUP, "selu");
    d.op("celu(Tensor self, Scalar alpha=1.) -> Tensor")
        .inPlace()
        .composite(LOOKUP, "celu")
        .exactOut("out");
    d.op("log_sigmoid(Tensor self) -> Tensor").composite(LOOKUP, "logSigmoid").exactOut("out");
    backward(d);
  }

  private static void backward(Definitions d) {
    String grad = "grad_input";
    d.op("threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor")
        .out(grad, grad)
        .cpu(LOOKUP, "thresholdBackward");
    d.op("sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor")
        .out(grad, grad)
        .cpu(Elementwise.binary(SAME, ActivationFunctions.SIGMOID_BACKWARD));
    d.op("tanh_backward(Tensor grad_output, Tensor output) -> Tensor")
        .out(grad, grad)
        .cpu(Elementwise.binary(SAME, ActivationFunctions.TANH_BACKWARD));
    d.op("gelu_backward(Tensor grad_output, Tensor self, *, str approximate=\"none\") -> Tensor")
        .out(grad, grad)
        .cpu(LOOKUP, "geluBackward");
    d.op("silu_backward(Tensor grad_output, Tensor self) -> Tensor")
        .out(grad, grad)
        .cpu(Elementwise.binary(SAME, ActivationFunctions.SILU_BACKWARD));
    d.op(
            "softplus_backward(Tensor grad_output, Tensor self, Scalar beta, Scalar threshold) ->"
                + " Tensor")
        .out(grad, grad)
        .cpu(LOOKUP, "softplusBackward");
    d.op(
            "leaky_relu_backward(Tensor grad_output, Tensor self, Scalar negative_slope, bool"
                + " self_is_result) -> Tensor")
        .out(grad, grad)
        .cpu(LOOKUP, "leakyReluBackward");
    d.op(
            "elu_backward(Tensor grad_output, Scalar alpha, Scalar scale, Scalar input_scale, bool"
                + " is_result, Tensor self_or_result) -> Tensor")
        .out(grad, grad)
        .cpu(LOOKUP, "eluBackward");
    d.op(
            "hardtanh_backward(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val) ->"
                + " Tensor")
        .out(grad, grad)
        .cpu(LOOKUP, "hardtanhBackward");
    d.op("logit_backward(Tensor grad_output, Tensor self, float? eps=None) -> Tensor")
        .out(grad, grad)
        .cpu(LOOKUP, "logitBackward");
  }

  static Tensor gelu(Tensor self, String approximate, Tensor out) {
    Function f =
        isTanh("gelu", approximate) ? ActivationFunctions.GELU_TANH : ActivationFunctions.GELU;
    Forms.requireSame("gelu", self.dtype(), out);
    return Elementwise.run(f, SAME, Scalar.ZERO, Scalar.ZERO, out, self);
  }

  private static boolean isTanh(String op, String approximate) {
    return switch (approximate) {
      case "none" -> false;
      case "tanh" -> true;
      default ->
          throw new IllegalArgumentException(
              op + ": approximate='" + approximate + "' is neither 'none' nor 'tanh'");
    };
  }

  static Tensor softplus(Tensor self, Scalar beta, Scalar threshold, Tensor out) {
    Forms.requireSame("softplus", self.dtype(), out);
    return Elementwise.run(ActivationFunctions.SOFTPLUS, SAME, beta, threshold, out, self);
  }

  static Tensor leakyRelu(Tensor self, Scalar slope, Tensor out) {
    Forms.requireSame("leaky_relu", self.dtype(), out);
    return Elementwise.run(ActivationFunctions.LEAKY_RELU, SAME, slope, Scalar.ZERO, out, self);
  }

  static Tensor elu(Tensor self, Scalar alpha, Scalar scale, Scalar inputScale, Tensor out) {
    Elementwise.requireSupport(ActivationFunctions.ELU, self.dtype());
    Forms.requireSame("elu", self.dtype(), out);
    Scalar negative = Scalar.of(alpha.toDouble() * scale.toDouble());
    return Elementwise.run(
        ActivationFunctions.ELU,
        self.dtype(),
        SAME,
        negative,
        inputScale,
        out,
        self,
        number(scale, self));
  }

  private static Tensor number(Scalar value, Tensor beside) {
    return ScalarTensors.of(value, beside.dtype(), beside.device());
  }

  static Tensor hardtanh(Tensor self, Scalar min, Scalar max, Tensor out) {
    if (self.dtype() == DType.BOOL) {
      throw new IllegalArgumentException("hardtanh: is not defined for a boolean tensor");
    }
    if (self.dtype() == DType.U8 && (min.toLong() < 0 || max.toLong() < 0)) {
      throw new IllegalArgumentException(
          "hardtanh: limits " + min + " and " + max + " must not be negative for u8");
    }
    Forms.requireSame("hardtanh", self.dtype(), out);
    return Elementwise.run(
        LogicFunctions.CLAMP, self.dtype(), SAME, limit(self, min), limit(self, max), out, self);
  }

  /** Beside whole numbers, without its fraction. */
  private static Scalar limit(Tensor self, Scalar limit) {
    if (self.dtype().isFloating()) {
      ScalarRange.require("hardtanh", self.dtype(), limit);
      return limit;
    }
    ScalarRange.require("hardtanh", DType.I64, limit);
    return Scalar.of(limit.toLong());
  }

  static Tensor threshold(Tensor self, Scalar threshold, Scalar value, Tensor out) {
    ScalarRange.require("threshold", self.dtype(), threshold);
    ScalarRange.require("threshold", self.dtype(), value);
    return Elementwise.run(ActivationFunctions.THRESHOLD, SAME, threshold, value, out, self);
  }

  static Tensor relu6(Tensor self) {
    return Ops.hardtanh(self, Scalar.ZERO, Scalar.of(6));
  }

  static Tensor selu(Tensor self) {
    return Ops.elu(
        self,
        Scalar.of(1.6732632423543772848170429916717),
        Scalar.of(1.0507009873554804934193349852946),
        Scalar.ONE);
  }

  static Tensor celu(Tensor self, Scalar alpha) {
    if (alpha.toDouble() == 0) {
      throw new IllegalArgumentException("celu: alpha must not be zero");
    }
    return Ops.elu(self, alpha, Scalar.of(1.0), Scalar.of(1 / alpha.toDouble()));
  }

  /** From 40 on not even a double holds what the logarithm adds. */
  static Tensor logSigmoid(Tensor self) {
    return Ops.neg(Ops.softplus(Ops.neg(self), Scalar.ONE, Scalar.of(40)));
  }

  static Tensor thresholdBackward(Tensor grad, Tensor self, Scalar threshold, Tensor out) {
    return Elementwise.run(
        ActivationFunctions.THRESHOLD_BACKWARD, SAME, threshold, Scalar.ZERO, out, grad, self);
  }

  static Tensor geluBackward(Tensor grad, Tensor self, String approximate, Tensor out) {
    Function f =
        isTanh("gelu_backward", approximate)
            ? ActivationFunctions.GELU_TANH_BACKWARD
            : ActivationFunctions.GELU_BACKWARD;
    return Elementwise.run(f, SAME, Scalar.ZERO, Scalar.ZERO, out, grad, self);
  }

  static Tensor softplusBackward(
      Tensor grad, Tensor self, Scalar beta, Scalar threshold, Tensor out) {
    return Elementwise.run(
        ActivationFunctions.SOFTPLUS_BACKWARD, SAME, beta, threshold, out, grad, self);
  }

  static Tensor leakyReluBackward(
      Tensor grad, Tensor self, Scalar slope, boolean isResult, Tensor out) {
    if (isResult && slope.toDouble() < 0) {
      throw new IllegalArgumentException(
          "leaky_relu_backward: of a result the sign is lost where negative_slope=" + slope);
    }
    return Elementwise.run(
        ActivationFunctions.LEAKY_RELU_BACKWARD, SAME, slope, Scalar.ZERO, out, grad, self);
  }

  static Tensor eluBackward(
      Tensor grad,
      Scalar alpha,
      Scalar scale,
      Scalar inputScale,
      boolean isResult,
      Tensor self,
      Tensor out) {
    if (isResult && alpha.toDouble() < 0) {
      throw new IllegalArgumentException(
          "elu_backward: of a result the sign is lost where alpha=" + alpha);
    }
    Function f =
        isResult ? ActivationFunctions.ELU_BACKWARD_FROM_RESULT : ActivationFunctions.ELU_BACKWARD;
    Elementwise.requireSupport(f, grad.dtype());
    Scalar negative = Scalar.of(alpha.toDouble() * scale.toDouble());
    return Elementwise.run(
        f, grad.dtype(), SAME, negative, inputScale, out, grad, self, number(scale, grad));
  }

  static Tensor hardtanhBackward(Tensor grad, Tensor self, Scalar min, Scalar max, Tensor out) {
    return Elementwise.run(ActivationFunctions.HARDTANH_BACKWARD, SAME, min, max, out, grad, self);
  }

  static Tensor logitBackward(Tensor grad, Tensor self, Double epsilon, Tensor out) {
    Scalar p = Scalar.of(epsilon == null ? -1 : epsilon);
    return Elementwise.run(
        ActivationFunctions.LOGIT_BACKWARD, FLOAT, p, Scalar.ZERO, out, grad, self);
  }
}
