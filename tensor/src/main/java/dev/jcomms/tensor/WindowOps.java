package dev.jcomms.tensor;

import dev.jcomms.tensor.dispatch.Operator;

/** Of {@link Ops}: padding, resizing, pooling of other dims than two, volumes, columns. */
abstract sealed class WindowOps extends ProductOps permits RankOps {
  private static final Operator PAD = operator("aten::pad");
  private static final Operator REFLECTION_PAD1D = operator("aten::reflection_pad1d");
  private static final Operator REFLECTION_PAD2D = operator("aten::reflection_pad2d");
  private static final Operator REFLECTION_PAD3D = operator("aten::reflection_pad3d");
  private static final Operator REPLICATION_PAD1D = operator("aten::replication_pad1d");
  private static final Operator REPLICATION_PAD2D = operator("aten::replication_pad2d");
  private static final Operator REPLICATION_PAD3D = operator("aten::replication_pad3d");
  private static final Operator UPSAMPLE_NEAREST1D_VEC = operator("aten::upsample_nearest1d.vec");
  private static final Operator UPSAMPLE_NEAREST2D_VEC = operator("aten::upsample_nearest2d.vec");
  private static final Operator UPSAMPLE_NEAREST3D_VEC = operator("aten::upsample_nearest3d.vec");
  private static final Operator UPSAMPLE_LINEAR1D_VEC = operator("aten::upsample_linear1d.vec");
  private static final Operator UPSAMPLE_BILINEAR2D_VEC = operator("aten::upsample_bilinear2d.vec");
  private static final Operator UPSAMPLE_TRILINEAR3D_VEC =
      operator("aten::upsample_trilinear3d.vec");
  private static final Operator UPSAMPLE_BICUBIC2D_VEC = operator("aten::upsample_bicubic2d.vec");
  private static final Operator MAX_POOL1D = operator("aten::max_pool1d");
  private static final Operator AVG_POOL1D = operator("aten::avg_pool1d");
  private static final Operator MAX_POOL3D = operator("aten::max_pool3d");
  private static final Operator MAX_POOL3D_WITH_INDICES = operator("aten::max_pool3d_with_indices");
  private static final Operator AVG_POOL3D = operator("aten::avg_pool3d");
  private static final Operator ADAPTIVE_MAX_POOL1D = operator("aten::adaptive_max_pool1d");
  private static final Operator ADAPTIVE_MAX_POOL2D = operator("aten::adaptive_max_pool2d");
  private static final Operator ADAPTIVE_MAX_POOL3D = operator("aten::adaptive_max_pool3d");
  private static final Operator ADAPTIVE_AVG_POOL1D = operator("aten::adaptive_avg_pool1d");
  private static final Operator ADAPTIVE_AVG_POOL3D = operator("aten::adaptive_avg_pool3d");
  private static final Operator CONV3D = operator("aten::conv3d");
  private static final Operator CONV_TRANSPOSE1D = operator("aten::conv_transpose1d");
  private static final Operator CONV_TRANSPOSE2D_INPUT = operator("aten::conv_transpose2d.input");
  private static final Operator CONV_TRANSPOSE3D_INPUT = operator("aten::conv_transpose3d.input");
  private static final Operator IM2COL = operator("aten::im2col");
  private static final Operator COL2IM = operator("aten::col2im");
  private static final Operator MAX_UNPOOL2D = operator("aten::max_unpool2d");

  WindowOps() {}

  public static Tensor pad(Tensor self, long[] pad, String mode, Double value) {
    try {
      return (Tensor) PAD.kernelFor(self).invokeExact(self, pad, mode, value);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor reflectionPad1d(Tensor self, long[] padding) {
    return withSizes(REFLECTION_PAD1D, self, padding);
  }

  public static Tensor reflectionPad2d(Tensor self, long[] padding) {
    return withSizes(REFLECTION_PAD2D, self, padding);
  }

  public static Tensor reflectionPad3d(Tensor self, long[] padding) {
    return withSizes(REFLECTION_PAD3D, self, padding);
  }

  public static Tensor replicationPad1d(Tensor self, long[] padding) {
    return withSizes(REPLICATION_PAD1D, self, padding);
  }

  public static Tensor replicationPad2d(Tensor self, long[] padding) {
    return withSizes(REPLICATION_PAD2D, self, padding);
  }

  public static Tensor replicationPad3d(Tensor self, long[] padding) {
    return withSizes(REPLICATION_PAD3D, self, padding);
  }

  public static Tensor upsampleNearest1d(Tensor input, long[] outputSize, double[] scaleFactors) {
    try {
      return (Tensor)
          UPSAMPLE_NEAREST1D_VEC.kernelFor(input).invokeExact(input, outputSize, scaleFactors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor upsampleNearest2d(Tensor input, long[] outputSize, double[] scaleFactors) {
    try {
      return (Tensor)
          UPSAMPLE_NEAREST2D_VEC.kernelFor(input).invokeExact(input, outputSize, scaleFactors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor upsampleNearest3d(Tensor input, long[] outputSize, double[] scaleFactors) {
    try {
      return (Tensor)
          UPSAMPLE_NEAREST3D_VEC.kernelFor(input).invokeExact(input, outputSize, scaleFactors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor upsampleLinear1d(
      Tensor input, long[] outputSize, boolean alignCorners, double[] scaleFactors) {
    try {
      return (Tensor)
          UPSAMPLE_LINEAR1D_VEC
              .kernelFor(input)
              .invokeExact(input, outputSize, alignCorners, scaleFactors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor upsampleBilinear2d(
      Tensor input, long[] outputSize, boolean alignCorners, double[] scaleFactors) {
    try {
      return (Tensor)
          UPSAMPLE_BILINEAR2D_VEC
              .kernelFor(input)
              .invokeExact(input, outputSize, alignCorners, scaleFactors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor upsampleTrilinear3d(
      Tensor input, long[] outputSize, boolean alignCorners, double[] scaleFactors) {
    try {
      return (Tensor)
          UPSAMPLE_TRILINEAR3D_VEC
              .kernelFor(input)
              .invokeExact(input, outputSize, alignCorners, scaleFactors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor upsampleBicubic2d(
      Tensor input, long[] outputSize, boolean alignCorners, double[] scaleFactors) {
    try {
      return (Tensor)
          UPSAMPLE_BICUBIC2D_VEC
              .kernelFor(input)
              .invokeExact(input, outputSize, alignCorners, scaleFactors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor maxPool1d(
      Tensor self,
      long[] kernelSize,
      long[] stride,
      long[] padding,
      long[] dilation,
      boolean ceilMode) {
    try {
      return (Tensor)
          MAX_POOL1D
              .kernelFor(self)
              .invokeExact(self, kernelSize, stride, padding, dilation, ceilMode);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor avgPool1d(
      Tensor self,
      long[] kernelSize,
      long[] stride,
      long[] padding,
      boolean ceilMode,
      boolean countIncludePad) {
    try {
      return (Tensor)
          AVG_POOL1D
              .kernelFor(self)
              .invokeExact(self, kernelSize, stride, padding, ceilMode, countIncludePad);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor maxPool3d(
      Tensor self,
      long[] kernelSize,
      long[] stride,
      long[] padding,
      long[] dilation,
      boolean ceilMode) {
    try {
      return (Tensor)
          MAX_POOL3D
              .kernelFor(self)
              .invokeExact(self, kernelSize, stride, padding, dilation, ceilMode);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor[] maxPool3dWithIndices(
      Tensor self,
      long[] kernelSize,
      long[] stride,
      long[] padding,
      long[] dilation,
      boolean ceilMode) {
    try {
      return (Tensor[])
          MAX_POOL3D_WITH_INDICES
              .kernelFor(self)
              .invokeExact(self, kernelSize, stride, padding, dilation, ceilMode);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor avgPool3d(
      Tensor self,
      long[] kernelSize,
      long[] stride,
      long[] padding,
      boolean ceilMode,
      boolean countIncludePad,
      Long divisorOverride) {
    try {
      return (Tensor)
          AVG_POOL3D
              .kernelFor(self)
              .invokeExact(
                  self, kernelSize, stride, padding, ceilMode, countIncludePad, divisorOverride);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor[] adaptiveMaxPool1d(Tensor self, long[] outputSize) {
    try {
      return (Tensor[]) ADAPTIVE_MAX_POOL1D.kernelFor(self).invokeExact(self, outputSize);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor[] adaptiveMaxPool2d(Tensor self, long[] outputSize) {
    try {
      return (Tensor[]) ADAPTIVE_MAX_POOL2D.kernelFor(self).invokeExact(self, outputSize);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor[] adaptiveMaxPool3d(Tensor self, long[] outputSize) {
    try {
      return (Tensor[]) ADAPTIVE_MAX_POOL3D.kernelFor(self).invokeExact(self, outputSize);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor adaptiveAvgPool1d(Tensor self, long[] outputSize) {
    return withSizes(ADAPTIVE_AVG_POOL1D, self, outputSize);
  }

  public static Tensor adaptiveAvgPool3d(Tensor self, long[] outputSize) {
    return withSizes(ADAPTIVE_AVG_POOL3D, self, outputSize);
  }

  public static Tensor conv3d(
      Tensor input,
      Tensor weight,
      Tensor bias,
      long[] stride,
      long[] padding,
      long[] dilation,
      long groups) {
    try {
      return (Tensor)
          CONV3D
              .kernelFor(input, weight, bias)
              .invokeExact(input, weight, bias, stride, padding, dilation, groups);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor convTranspose1d(
      Tensor input,
      Tensor weight,
      Tensor bias,
      long[] stride,
      long[] padding,
      long[] outputPadding,
      long groups,
      long[] dilation) {
    try {
      return (Tensor)
          CONV_TRANSPOSE1D
              .kernelFor(input, weight, bias)
              .invokeExact(input, weight, bias, stride, padding, outputPadding, groups, dilation);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor convTranspose2d(
      Tensor input,
      Tensor weight,
      Tensor bias,
      long[] stride,
      long[] padding,
      long[] outputPadding,
      long groups,
      long[] dilation) {
    try {
      return (Tensor)
          CONV_TRANSPOSE2D_INPUT
              .kernelFor(input, weight, bias)
              .invokeExact(input, weight, bias, stride, padding, outputPadding, groups, dilation);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor convTranspose3d(
      Tensor input,
      Tensor weight,
      Tensor bias,
      long[] stride,
      long[] padding,
      long[] outputPadding,
      long groups,
      long[] dilation) {
    try {
      return (Tensor)
          CONV_TRANSPOSE3D_INPUT
              .kernelFor(input, weight, bias)
              .invokeExact(input, weight, bias, stride, padding, outputPadding, groups, dilation);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor im2col(
      Tensor self, long[] kernelSize, long[] dilation, long[] padding, long[] stride) {
    try {
      return (Tensor)
          IM2COL.kernelFor(self).invokeExact(self, kernelSize, dilation, padding, stride);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor col2im(
      Tensor self,
      long[] outputSize,
      long[] kernelSize,
      long[] dilation,
      long[] padding,
      long[] stride) {
    try {
      return (Tensor)
          COL2IM
              .kernelFor(self)
              .invokeExact(self, outputSize, kernelSize, dilation, padding, stride);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor maxUnpool2d(Tensor self, Tensor indices, long[] outputSize) {
    try {
      return (Tensor) MAX_UNPOOL2D.kernelFor(self, indices).invokeExact(self, indices, outputSize);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }
}
