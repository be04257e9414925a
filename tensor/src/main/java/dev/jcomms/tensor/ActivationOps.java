package dev.jcomms.tensor;

import java.lang.invoke.MethodHandle;

/** Of {@link Ops}: what networks put between layers, and its backward operators. */
abstract sealed class ActivationOps extends LogicOps permits ReductionOps {
  private static final MethodHandle RELU = handle("aten::relu");
  private static final MethodHandle RELU_ = handle("aten::relu_");
  private static final MethodHandle SILU = handle("aten::silu");
  private static final MethodHandle SILU_ = handle("aten::silu_");
  private static final MethodHandle RELU6 = handle("aten::relu6");
  private static final MethodHandle SELU = handle("aten::selu");
  private static final MethodHandle LOG_SIGMOID = handle("aten::log_sigmoid");
  private static final MethodHandle GELU = handle("aten::gelu");
  private static final MethodHandle SOFTPLUS = handle("aten::softplus");
  private static final MethodHandle LEAKY_RELU = handle("aten::leaky_relu");
  private static final MethodHandle ELU = handle("aten::elu");
  private static final MethodHandle HARDTANH = handle("aten::hardtanh");
  private static final MethodHandle THRESHOLD = handle("aten::threshold");
  private static final MethodHandle THRESHOLD_BACKWARD = handle("aten::threshold_backward");
  private static final MethodHandle SIGMOID_BACKWARD = handle("aten::sigmoid_backward");
  private static final MethodHandle TANH_BACKWARD = handle("aten::tanh_backward");
  private static final MethodHandle SILU_BACKWARD = handle("aten::silu_backward");
  private static final MethodHandle GELU_BACKWARD = handle("aten::gelu_backward");
  private static final MethodHandle SOFTPLUS_BACKWARD = handle("aten::softplus_backward");
  private static final MethodHandle LEAKY_RELU_BACKWARD = handle("aten::leaky_relu_backward");
  private static final MethodHandle ELU_BACKWARD = handle("aten::elu_backward");
  private static final MethodHandle HARDTANH_BACKWARD = handle("aten::hardtanh_backward");
  private static final MethodHandle LOGIT_BACKWARD = handle("aten::logit_backward");

  ActivationOps() {}

  public static Tensor relu(Tensor self) {
    return unary(RELU, self);
  }

  public static Tensor relu_(Tensor self) {
    return unary(RELU_, self);
  }

  public static Tensor silu(Tensor self) {
    return unary(SILU, self);
  }

  public static Tensor silu_(Tensor self) {
    return unary(SILU_, self);
  }

  public static Tensor relu6(Tensor self) {
    return unary(RELU6, self);
  }

  public static Tensor selu(Tensor self) {
    return unary(SELU, self);
  }

  public static Tensor logSigmoid(Tensor self) {
    return unary(LOG_SIGMOID, self);
  }

  public static Tensor gelu(Tensor self) {
    return gelu(self, "none");
  }

  /** With {@code approximate} "none" or "tanh". */
  public static Tensor gelu(Tensor self, String approximate) {
    try {
      return (Tensor) GELU.invokeExact(self, approximate);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor softplus(Tensor self) {
    return softplus(self, Scalar.ONE, Scalar.of(20));
  }

  public static Tensor softplus(Tensor self, Scalar beta, Scalar threshold) {
    try {
      return (Tensor) SOFTPLUS.invokeExact(self, beta, threshold);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor leakyRelu(Tensor self, Scalar negativeSlope) {
    return withScalar(LEAKY_RELU, self, negativeSlope);
  }

  public static Tensor elu(Tensor self, Scalar alpha, Scalar scale, Scalar inputScale) {
    try {
      return (Tensor) ELU.invokeExact(self, alpha, scale, inputScale);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor hardtanh(Tensor self, Scalar minVal, Scalar maxVal) {
    try {
      return (Tensor) HARDTANH.invokeExact(self, minVal, maxVal);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor threshold(Tensor self, Scalar threshold, Scalar value) {
    try {
      return (Tensor) THRESHOLD.invokeExact(self, threshold, value);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor thresholdBackward(Tensor gradOutput, Tensor self, Scalar threshold) {
    try {
      return (Tensor) THRESHOLD_BACKWARD.invokeExact(gradOutput, self, threshold);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor sigmoidBackward(Tensor gradOutput, Tensor output) {
    return binary(SIGMOID_BACKWARD, gradOutput, output);
  }

  public static Tensor tanhBackward(Tensor gradOutput, Tensor output) {
    return binary(TANH_BACKWARD, gradOutput, output);
  }

  public static Tensor siluBackward(Tensor gradOutput, Tensor self) {
    return binary(SILU_BACKWARD, gradOutput, self);
  }

  public static Tensor geluBackward(Tensor gradOutput, Tensor self, String approximate) {
    try {
      return (Tensor) GELU_BACKWARD.invokeExact(gradOutput, self, approximate);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor softplusBackward(
      Tensor gradOutput, Tensor self, Scalar beta, Scalar threshold) {
    try {
      return (Tensor) SOFTPLUS_BACKWARD.invokeExact(gradOutput, self, beta, threshold);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor leakyReluBackward(
      Tensor gradOutput, Tensor self, Scalar negativeSlope, boolean selfIsResult) {
    try {
      return (Tensor)
          LEAKY_RELU_BACKWARD.invokeExact(gradOutput, self, negativeSlope, selfIsResult);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor eluBackward(
      Tensor gradOutput,
      Scalar alpha,
      Scalar scale,
      Scalar inputScale,
      boolean isResult,
      Tensor selfOrResult) {
    try {
      return (Tensor)
          ELU_BACKWARD.invokeExact(gradOutput, alpha, scale, inputScale, isResult, selfOrResult);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor hardtanhBackward(
      Tensor gradOutput, Tensor self, Scalar minVal, Scalar maxVal) {
    try {
      return (Tensor) HARDTANH_BACKWARD.invokeExact(gradOutput, self, minVal, maxVal);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor logitBackward(Tensor gradOutput, Tensor self, Double eps) {
    try {
      return (Tensor) LOGIT_BACKWARD.invokeExact(gradOutput, self, eps);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }
}
