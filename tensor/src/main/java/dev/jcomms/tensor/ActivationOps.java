package dev.jcomms.tensor;

import dev.jcomms.tensor.dispatch.Operator;

/** Of {@link Ops}: what networks put between layers, and its backward operators. */
abstract sealed class ActivationOps extends LogicOps permits ReductionOps {
  private static final Operator RELU = operator("aten::relu");
  private static final Operator RELU_ = operator("aten::relu_");
  private static final Operator SILU = operator("aten::silu");
  private static final Operator SILU_ = operator("aten::silu_");
  private static final Operator RELU6 = operator("aten::relu6");
  private static final Operator SELU = operator("aten::selu");
  private static final Operator LOG_SIGMOID = operator("aten::log_sigmoid");
  private static final Operator GELU = operator("aten::gelu");
  private static final Operator SOFTPLUS = operator("aten::softplus");
  private static final Operator LEAKY_RELU = operator("aten::leaky_relu");
  private static final Operator ELU = operator("aten::elu");
  private static final Operator HARDTANH = operator("aten::hardtanh");
  private static final Operator THRESHOLD = operator("aten::threshold");
  private static final Operator THRESHOLD_BACKWARD = operator("aten::threshold_backward");
  private static final Operator SIGMOID_BACKWARD = operator("aten::sigmoid_backward");
  private static final Operator TANH_BACKWARD = operator("aten::tanh_backward");
  private static final Operator SILU_BACKWARD = operator("aten::silu_backward");
  private static final Operator GELU_BACKWARD = operator("aten::gelu_backward");
  private static final Operator SOFTPLUS_BACKWARD = operator("aten::softplus_backward");
  private static final Operator LEAKY_RELU_BACKWARD = operator("aten::leaky_relu_backward");
  private static final Operator ELU_BACKWARD = operator("aten::elu_backward");
  private static final Operator HARDTANH_BACKWARD = operator("aten::hardtanh_backward");
  private static final Operator LOGIT_BACKWARD = operator("aten::logit_backward");

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
      return (Tensor) GELU.kernelFor(self).invokeExact(self, approximate);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor softplus(Tensor self) {
    return softplus(self, Scalar.ONE, Scalar.of(20));
  }

  public static Tensor softplus(Tensor self, Scalar beta, Scalar threshold) {
    try {
      return (Tensor) SOFTPLUS.kernelFor(self).invokeExact(self, beta, threshold);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor leakyRelu(Tensor self, Scalar negativeSlope) {
    return withScalar(LEAKY_RELU, self, negativeSlope);
  }

  public static Tensor elu(Tensor self, Scalar alpha, Scalar scale, Scalar inputScale) {
    try {
      return (Tensor) ELU.kernelFor(self).invokeExact(self, alpha, scale, inputScale);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor hardtanh(Tensor self, Scalar minVal, Scalar maxVal) {
    try {
      return (Tensor) HARDTANH.kernelFor(self).invokeExact(self, minVal, maxVal);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor threshold(Tensor self, Scalar threshold, Scalar value) {
    try {
      return (Tensor) THRESHOLD.kernelFor(self).invokeExact(self, threshold, value);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor thresholdBackward(Tensor gradOutput, Tensor self, Scalar threshold) {
    try {
      return (Tensor)
          THRESHOLD_BACKWARD.kernelFor(gradOutput, self).invokeExact(gradOutput, self, threshold);
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
      return (Tensor)
          GELU_BACKWARD.kernelFor(gradOutput, self).invokeExact(gradOutput, self, approximate);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor softplusBackward(
      Tensor gradOutput, Tensor self, Scalar beta, Scalar threshold) {
    try {
      return (Tensor)
          SOFTPLUS_BACKWARD
              .kernelFor(gradOutput, self)
              .invokeExact(gradOutput, self, beta, threshold);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor leakyReluBackward(
      Tensor gradOutput, Tensor self, Scalar negativeSlope, boolean selfIsResult) {
    try {
      return (Tensor)
          LEAKY_RELU_BACKWARD
              .kernelFor(gradOutput, self)
              .invokeExact(gradOutput, self, negativeSlope, selfIsResult);
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
          ELU_BACKWARD
              .kernelFor(gradOutput, selfOrResult)
              .invokeExact(gradOutput, alpha, scale, inputScale, isResult, selfOrResult);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor hardtanhBackward(
      Tensor gradOutput, Tensor self, Scalar minVal, Scalar maxVal) {
    try {
      return (Tensor)
          HARDTANH_BACKWARD
              .kernelFor(gradOutput, self)
              .invokeExact(gradOutput, self, minVal, maxVal);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor logitBackward(Tensor gradOutput, Tensor self, Double eps) {
    try {
      return (Tensor) LOGIT_BACKWARD.kernelFor(gradOutput, self).invokeExact(gradOutput, self, eps);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }
}
