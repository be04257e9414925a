package dev.jcomms.tensor;

import java.lang.invoke.MethodHandle;

/** Of {@link Ops}: activations that are gates, or made of pieces. */
abstract sealed class GateOps extends ArrangingOps permits SpecialOps {
  private static final MethodHandle HARDSIGMOID = handle("aten::hardsigmoid");
  private static final MethodHandle HARDSIGMOID_ = handle("aten::hardsigmoid_");
  private static final MethodHandle HARDSWISH = handle("aten::hardswish");
  private static final MethodHandle HARDSWISH_ = handle("aten::hardswish_");
  private static final MethodHandle MISH = handle("aten::mish");
  private static final MethodHandle MISH_ = handle("aten::mish_");
  private static final MethodHandle HARDSHRINK = handle("aten::hardshrink");
  private static final MethodHandle SOFTSHRINK = handle("aten::softshrink");
  private static final MethodHandle GLU = handle("aten::glu");
  private static final MethodHandle GLU_BACKWARD = handle("aten::glu_backward");
  private static final MethodHandle PRELU = handle("aten::prelu");
  private static final MethodHandle PRELU_KERNEL_PART = handle("aten::_prelu_kernel");
  private static final MethodHandle PRELU_KERNEL_BACKWARD_PART =
      handle("aten::_prelu_kernel_backward");
  private static final MethodHandle RRELU = handle("aten::rrelu");
  private static final MethodHandle LOG_SIGMOID_FORWARD = handle("aten::log_sigmoid_forward");
  private static final MethodHandle LOG_SIGMOID_BACKWARD = handle("aten::log_sigmoid_backward");
  private static final MethodHandle CELU = handle("aten::celu");
  private static final MethodHandle HARDSIGMOID_BACKWARD = handle("aten::hardsigmoid_backward");
  private static final MethodHandle HARDSWISH_BACKWARD = handle("aten::hardswish_backward");
  private static final MethodHandle MISH_BACKWARD = handle("aten::mish_backward");
  private static final MethodHandle FEATURE_DROPOUT = handle("aten::feature_dropout");
  private static final MethodHandle ALPHA_DROPOUT = handle("aten::alpha_dropout");

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
      return (Tensor) GLU_BACKWARD.invokeExact(gradOutput, self, dim);
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
      return (Tensor[]) PRELU_KERNEL_BACKWARD_PART.invokeExact(gradOutput, self, weight);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor rrelu(
      Tensor self, Scalar lower, Scalar upper, boolean training, Generator generator) {
    try {
      return (Tensor) RRELU.invokeExact(self, lower, upper, training, generator);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** Output and buffer. */
  public static Tensor[] logSigmoidForward(Tensor self) {
    try {
      return (Tensor[]) LOG_SIGMOID_FORWARD.invokeExact(self);
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
      return (Tensor) FEATURE_DROPOUT.invokeExact(input, p, train);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor alphaDropout(Tensor input, double p, boolean train) {
    try {
      return (Tensor) ALPHA_DROPOUT.invokeExact(input, p, train);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }
}
