package dev.jcomms.tensor;

import dev.jcomms.tensor.dispatch.Operator;

/** Of {@link Ops}: convolution and pooling. */
abstract sealed class ImageOps extends NetworkOps permits ArrangingOps {
  private static final Operator CONVOLUTION = operator("aten::convolution");
  private static final Operator CONVOLUTION_OVERRIDEABLE =
      operator("aten::convolution_overrideable");
  private static final Operator CONVOLUTION_BACKWARD = operator("aten::convolution_backward");
  private static final Operator CONVOLUTION_BACKWARD_OVERRIDEABLE =
      operator("aten::convolution_backward_overrideable");
  private static final Operator CONV1D = operator("aten::conv1d");
  private static final Operator CONV2D = operator("aten::conv2d");
  private static final Operator MAX_POOL2D_WITH_INDICES = operator("aten::max_pool2d_with_indices");
  private static final Operator MAX_POOL2D_WITH_INDICES_BACKWARD =
      operator("aten::max_pool2d_with_indices_backward");
  private static final Operator MAX_POOL2D = operator("aten::max_pool2d");
  private static final Operator AVG_POOL2D = operator("aten::avg_pool2d");
  private static final Operator AVG_POOL2D_BACKWARD = operator("aten::avg_pool2d_backward");
  private static final Operator ADAPTIVE_AVG_POOL2D_PART = operator("aten::_adaptive_avg_pool2d");
  private static final Operator ADAPTIVE_AVG_POOL2D_BACKWARD_PART =
      operator("aten::_adaptive_avg_pool2d_backward");
  private static final Operator ADAPTIVE_AVG_POOL2D = operator("aten::adaptive_avg_pool2d");

  ImageOps() {}

  public static Tensor convolution(
      Tensor input,
      Tensor weight,
      Tensor bias,
      long[] stride,
      long[] padding,
      long[] dilation,
      boolean transposed,
      long[] outputPadding,
      long groups) {
    try {
      return (Tensor)
          CONVOLUTION
              .kernelFor(input, weight, bias)
              .invokeExact(
                  input,
                  weight,
                  bias,
                  stride,
                  padding,
                  dilation,
                  transposed,
                  outputPadding,
                  groups);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor convolutionOverrideable(
      Tensor input,
      Tensor weight,
      Tensor bias,
      long[] stride,
      long[] padding,
      long[] dilation,
      boolean transposed,
      long[] outputPadding,
      long groups) {
    try {
      return (Tensor)
          CONVOLUTION_OVERRIDEABLE
              .kernelFor(input, weight, bias)
              .invokeExact(
                  input,
                  weight,
                  bias,
                  stride,
                  padding,
                  dilation,
                  transposed,
                  outputPadding,
                  groups);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** Gradients of input, weight and bias; null where the mask is false. */
  public static Tensor[] convolutionBackward(
      Tensor gradOutput,
      Tensor input,
      Tensor weight,
      long[] biasSizes,
      long[] stride,
      long[] padding,
      long[] dilation,
      boolean transposed,
      long[] outputPadding,
      long groups,
      boolean[] outputMask) {
    try {
      return (Tensor[])
          CONVOLUTION_BACKWARD
              .kernelFor(gradOutput, input, weight)
              .invokeExact(
                  gradOutput,
                  input,
                  weight,
                  biasSizes,
                  stride,
                  padding,
                  dilation,
                  transposed,
                  outputPadding,
                  groups,
                  outputMask);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor[] convolutionBackwardOverrideable(
      Tensor gradOutput,
      Tensor input,
      Tensor weight,
      long[] stride,
      long[] padding,
      long[] dilation,
      boolean transposed,
      long[] outputPadding,
      long groups,
      boolean[] outputMask) {
    try {
      return (Tensor[])
          CONVOLUTION_BACKWARD_OVERRIDEABLE
              .kernelFor(gradOutput, input, weight)
              .invokeExact(
                  gradOutput,
                  input,
                  weight,
                  stride,
                  padding,
                  dilation,
                  transposed,
                  outputPadding,
                  groups,
                  outputMask);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor conv1d(
      Tensor input,
      Tensor weight,
      Tensor bias,
      long[] stride,
      long[] padding,
      long[] dilation,
      long groups) {
    try {
      return (Tensor)
          CONV1D
              .kernelFor(input, weight, bias)
              .invokeExact(input, weight, bias, stride, padding, dilation, groups);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor conv2d(
      Tensor input,
      Tensor weight,
      Tensor bias,
      long[] stride,
      long[] padding,
      long[] dilation,
      long groups) {
    try {
      return (Tensor)
          CONV2D
              .kernelFor(input, weight, bias)
              .invokeExact(input, weight, bias, stride, padding, dilation, groups);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** Values and indices. */
  public static Tensor[] maxPool2dWithIndices(
      Tensor self,
      long[] kernelSize,
      long[] stride,
      long[] padding,
      long[] dilation,
      boolean ceilMode) {
    try {
      return (Tensor[])
          MAX_POOL2D_WITH_INDICES
              .kernelFor(self)
              .invokeExact(self, kernelSize, stride, padding, dilation, ceilMode);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor maxPool2dWithIndicesBackward(
      Tensor gradOutput,
      Tensor self,
      long[] kernelSize,
      long[] stride,
      long[] padding,
      long[] dilation,
      boolean ceilMode,
      Tensor indices) {
    try {
      return (Tensor)
          MAX_POOL2D_WITH_INDICES_BACKWARD
              .kernelFor(gradOutput, self, indices)
              .invokeExact(
                  gradOutput, self, kernelSize, stride, padding, dilation, ceilMode, indices);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor maxPool2d(
      Tensor self,
      long[] kernelSize,
      long[] stride,
      long[] padding,
      long[] dilation,
      boolean ceilMode) {
    try {
      return (Tensor)
          MAX_POOL2D
              .kernelFor(self)
              .invokeExact(self, kernelSize, stride, padding, dilation, ceilMode);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor avgPool2d(
      Tensor self,
      long[] kernelSize,
      long[] stride,
      long[] padding,
      boolean ceilMode,
      boolean countIncludePad,
      Long divisorOverride) {
    try {
      return (Tensor)
          AVG_POOL2D
              .kernelFor(self)
              .invokeExact(
                  self, kernelSize, stride, padding, ceilMode, countIncludePad, divisorOverride);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor avgPool2dBackward(
      Tensor gradOutput,
      Tensor self,
      long[] kernelSize,
      long[] stride,
      long[] padding,
      boolean ceilMode,
      boolean countIncludePad,
      Long divisorOverride) {
    try {
      return (Tensor)
          AVG_POOL2D_BACKWARD
              .kernelFor(gradOutput, self)
              .invokeExact(
                  gradOutput,
                  self,
                  kernelSize,
                  stride,
                  padding,
                  ceilMode,
                  countIncludePad,
                  divisorOverride);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor _adaptiveAvgPool2d(Tensor self, long[] outputSize) {
    try {
      return (Tensor) ADAPTIVE_AVG_POOL2D_PART.kernelFor(self).invokeExact(self, outputSize);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor _adaptiveAvgPool2dBackward(Tensor gradOutput, Tensor self) {
    try {
      return (Tensor)
          ADAPTIVE_AVG_POOL2D_BACKWARD_PART
              .kernelFor(gradOutput, self)
              .invokeExact(gradOutput, self);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor adaptiveAvgPool2d(Tensor self, long[] outputSize) {
    try {
      return (Tensor) ADAPTIVE_AVG_POOL2D.kernelFor(self).invokeExact(self, outputSize);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }
}
