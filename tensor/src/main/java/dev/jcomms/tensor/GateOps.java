package dev.jcomms.tensor;

import dev.jcomms.tensor.dispatch.Operator;

/** Of {@link Ops}: activations that are gates, or made of pieces. */
abstract sealed class GateOps extends ArrangingOps permits SpecialOps {
  private static final Operator HARDSIGMOID = operator("aten::hardsigmoid");
  private static final Operator HARDSIGMOID_ = operator("aten::hardsigmoid_");
  private static final Operator HARDSWISH = operator("aten::hardswish");
  private static final Operator HARDSWISH_ = operator("aten::hardswish_");
  private static final Operator MISH = operator("aten::mish");
  private static final Operator MISH_ = operator("aten::mish_");
  private static final Operator HARDSHRINK = operator("aten::hardshrink");
  private static final Operator SOFTSHRINK = operator("aten::softshrink");
  private static final Operator GLU = operator("aten::glu");
  private static final Operator GLU_BACKWARD = operator("aten::glu_backward");
  private static final Operator PRELU = operator("aten::prelu");
  private static final Operator PRELU_KERNEL_PART = operator("aten::_prelu_kernel");
  private static final Operator PRELU_KERNEL_BACKWARD_PART =
      operator("aten::_prelu_kernel_backward");
  private static final Operator RRELU = operator("aten::rrelu");
  private static final Operator LOG_SIGMOID_FORWARD = operator("aten::log_sigmoid_forward");
  private static final Operator LOG_SIGMOID_BACKWARD = operator("aten::log_sigmoid_backward");
  private static final Operator CELU = operator("aten::celu");
  private static final Operator HARDSIGMOID_BACKWARD = operator("aten::hardsigmoid_backward");
  private static final Operator HARDSWISH_BACKWARD = operator("aten::hardswish_backward");
  private static final Operator MISH_BACKWARD = operator("aten::mish_backward");
  private static final Operator FEATURE_DROPOUT = operator("aten::feature_dropout");
  private static final Operator ALPHA_DROPOUT = operator("aten::alpha_dropout");

  GateOps() {}

  public static Tensor hardsigmoid(Tensor self) {
    return unary(HARDSIGMOID, self);
  }

  public static Tensor hardsigmoid_(Tensor self) {
    return unary(HARDSIGMOID_, self);
  }

  public static Tensor hardswish(Tensor self) {
    return unary(HARDSWISH, self);
  }

  public static Tensor hardswish_(Tensor self) {
    return unary(HARDSWISH_, self);
  }

  public static Tensor mish(Tensor self) {
    return unary(MISH, self);
  }

  public static Tensor mish_(Tensor self) {
    return unary(MISH_, self);
  }

  public static Tensor hardshrink(Tensor self, Scalar lambd) {
    return withScalar(HARDSHRINK, self, lambd);
  }

  public static Tensor softshrink(Tensor self, Scalar lambd) {
    return withScalar(SOFTSHRINK, self, lambd);
  }

  public static Tensor glu(Tensor self, long dim) {
    return withDim(GLU, self, dim);
  }

  public static Tensor gluBackward(Tensor gradOutput, Tensor self, long dim) {
    try {
      return (Tensor) GLU_BACKWARD.kernelFor(gradOutput, self).invokeExact(gradOutput, self, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor prelu(Tensor self, Tensor weight) {
    return binary(PRELU, self, weight);
  }

  public static Tensor _preluKernel(Tensor self, Tensor weight) {
    return binary(PRELU_KERNEL_PART, self, weight);
  }

  public static Tensor[] _preluKernelBackward(Tensor gradOutput, Tensor self, Tensor weight) {
    try {
      return (Tensor[])
          PRELU_KERNEL_BACKWARD_PART
              .kernelFor(gradOutput, self, weight)
              .invokeExact(gradOutput, self, weight);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor rrelu(
      Tensor self, Scalar lower, Scalar upper, boolean training, Generator generator) {
    try {
      return (Tensor) RRELU.kernelFor(self).invokeExact(self, lower, upper, training, generator);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** Output and buffer. */
  public static Tensor[] logSigmoidForward(Tensor self) {
    try {
      return (Tensor[]) LOG_SIGMOID_FORWARD.kernelFor(self).invokeExact(self);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor logSigmoidBackward(Tensor gradOutput, Tensor self, Tensor buffer) {
    return ternary(LOG_SIGMOID_BACKWARD, gradOutput, self, buffer);
  }

  public static Tensor celu(Tensor self, Scalar alpha) {
    return withScalar(CELU, self, alpha);
  }

  public static Tensor hardsigmoidBackward(Tensor gradOutput, Tensor self) {
    return binary(HARDSIGMOID_BACKWARD, gradOutput, self);
  }

  public static Tensor hardswishBackward(Tensor gradOutput, Tensor self) {
    return binary(HARDSWISH_BACKWARD, gradOutput, self);
  }

  public static Tensor mishBackward(Tensor gradOutput, Tensor self) {
    return binary(MISH_BACKWARD, gradOutput, self);
  }

  public static Tensor featureDropout(Tensor input, double p, boolean train) {
    try {
      return (Tensor) FEATURE_DROPOUT.kernelFor(input).invokeExact(input, p, train);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor alphaDropout(Tensor input, double p, boolean train) {
    try {
      return (Tensor) ALPHA_DROPOUT.kernelFor(input).invokeExact(input, p, train);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }
}
