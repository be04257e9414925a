package dev.jcomms.tensor;

import java.lang.invoke.MethodHandle;

/** Of {@link Ops}: padding, resizing, pooling of other dims than two, volumes, columns. */
abstract sealed class WindowOps extends ProductOps permits RandomOps {
  private static final MethodHandle PAD = handle("aten::pad");
  private static final MethodHandle REFLECTION_PAD1D = handle("aten::reflection_pad1d");
  private static final MethodHandle REFLECTION_PAD2D = handle("aten::reflection_pad2d");
  private static final MethodHandle REFLECTION_PAD3D = handle("aten::reflection_pad3d");
  private static final MethodHandle REPLICATION_PAD1D = handle("aten::replication_pad1d");
  private static final MethodHandle REPLICATION_PAD2D = handle("aten::replication_pad2d");
  private static final MethodHandle REPLICATION_PAD3D = handle("aten::replication_pad3d");
  private static final MethodHandle UPSAMPLE_NEAREST1D_VEC = handle("aten::upsample_nearest1d.vec");
  private static final MethodHandle UPSAMPLE_NEAREST2D_VEC = handle("aten::upsample_nearest2d.vec");
  private static final MethodHandle UPSAMPLE_NEAREST3D_VEC = handle("aten::upsample_nearest3d.vec");
  private static final MethodHandle UPSAMPLE_LINEAR1D_VEC = handle("aten::upsample_linear1d.vec");
  private static final MethodHandle UPSAMPLE_BILINEAR2D_VEC =
      handle("aten::upsample_bilinear2d.vec");
  private static final MethodHandle UPSAMPLE_TRILINEAR3D_VEC =
      handle("aten::upsample_trilinear3d.vec");
  private static final MethodHandle UPSAMPLE_BICUBIC2D_VEC = handle("aten::upsample_bicubic2d.vec");
  private static final MethodHandle MAX_POOL1D = handle("aten::max_pool1d");
  private static final MethodHandle AVG_POOL1D = handle("aten::avg_pool1d");
  private static final MethodHandle MAX_POOL3D = handle("aten::max_pool3d");
  private static final MethodHandle MAX_POOL3D_WITH_INDICES =
      handle("aten::max_pool3d_with_indices");
  private static final MethodHandle AVG_POOL3D = handle("aten::avg_pool3d");
  private static final MethodHandle ADAPTIVE_MAX_POOL1D = handle("aten::adaptive_max_pool1d");
  private static final MethodHandle ADAPTIVE_MAX_POOL2D = handle("aten::adaptive_max_pool2d");
  private static final MethodHandle ADAPTIVE_MAX_POOL3D = handle("aten::adaptive_max_pool3d");
  private static final MethodHandle ADAPTIVE_AVG_POOL1D = handle("aten::adaptive_avg_pool1d");
  private static final MethodHandle ADAPTIVE_AVG_POOL3D = handle("aten::adaptive_avg_pool3d");
  private static final MethodHandle CONV3D = handle("aten::conv3d");
  private static final MethodHandle CONV_TRANSPOSE1D = handle("aten::conv_transpose1d");
  private static final MethodHandle CONV_TRANSPOSE2D_INPUT = handle("aten::conv_transpose2d.input");
  private static final MethodHandle CONV_TRANSPOSE3D_INPUT = handle("aten::conv_transpose3d.input");
  private static final MethodHandle IM2COL = handle("aten::im2col");
  private static final MethodHandle COL2IM = handle("aten::col2im");
  private static final MethodHandle MAX_UNPOOL2D = handle("aten::max_unpool2d");

  WindowOps() {}

  public static Tensor pad(Tensor self, long[] pad, String mode, Double value) {
    try {
      return (Tensor) PAD.invokeExact(self, pad, mode, value);
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
      return (Tensor) UPSAMPLE_NEAREST1D_VEC.invokeExact(input, outputSize, scaleFactors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor upsampleNearest2d(Tensor input, long[] outputSize, double[] scaleFactors) {
    try {
      return (Tensor) UPSAMPLE_NEAREST2D_VEC.invokeExact(input, outputSize, scaleFactors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor upsampleNearest3d(Tensor input, long[] outputSize, double[] scaleFactors) {
    try {
      return (Tensor) UPSAMPLE_NEAREST3D_VEC.invokeExact(input, outputSize, scaleFactors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor upsampleLinear1d(
      Tensor input, long[] outputSize, boolean alignCorners, double[] scaleFactors) {
    try {
      return (Tensor)
          UPSAMPLE_LINEAR1D_VEC.invokeExact(input, outputSize, alignCorners, scaleFactors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor upsampleBilinear2d(
      Tensor input, long[] outputSize, boolean alignCorners, double[] scaleFactors) {
    try {
      return (Tensor)
          UPSAMPLE_BILINEAR2D_VEC.invokeExact(input, outputSize, alignCorners, scaleFactors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor upsampleTrilinear3d(
      Tensor input, long[] outputSize, boolean alignCorners, double[] scaleFactors) {
    try {
      return (Tensor)
          UPSAMPLE_TRILINEAR3D_VEC.invokeExact(input, outputSize, alignCorners, scaleFactors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor upsampleBicubic2d(
      Tensor input, long[] outputSize, boolean alignCorners, double[] scaleFactors) {
    try {
      return (Tensor)
          UPSAMPLE_BICUBIC2D_VEC.invokeExact(input, outputSize, alignCorners, scaleFactors);
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
      return (Tensor) MAX_POOL1D.invokeExact(self, kernelSize, stride, padding, dilation, ceilMode);
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
          AVG_POOL1D.invokeExact(self, kernelSize, stride, padding, ceilMode, countIncludePad);
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
      return (Tensor) MAX_POOL3D.invokeExact(self, kernelSize, stride, padding, dilation, ceilMode);
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
          MAX_POOL3D_WITH_INDICES.invokeExact(
              self, kernelSize, stride, padding, dilation, ceilMode);
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
          AVG_POOL3D.invokeExact(
              self, kernelSize, stride, padding, ceilMode, countIncludePad, divisorOverride);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor[] adaptiveMaxPool1d(Tensor self, long[] outputSize) {
    try {
      return (Tensor[]) ADAPTIVE_MAX_POOL1D.invokeExact(self, outputSize);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor[] adaptiveMaxPool2d(Tensor self, long[] outputSize) {
    try {
      return (Tensor[]) ADAPTIVE_MAX_POOL2D.invokeExact(self, outputSize);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor[] adaptiveMaxPool3d(Tensor self, long[] outputSize) {
    try {
      return (Tensor[]) ADAPTIVE_MAX_POOL3D.invokeExact(self, outputSize);
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
      return (Tensor) CONV3D.invokeExact(input, weight, bias, stride, padding, dilation, groups);
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
          CONV_TRANSPOSE1D.invokeExact(
              input, weight, bias, stride, padding, outputPadding, groups, dilation);
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
          CONV_TRANSPOSE2D_INPUT.invokeExact(
              input, weight, bias, stride, padding, outputPadding, groups, dilation);
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
          CONV_TRANSPOSE3D_INPUT.invokeExact(
              input, weight, bias, stride, padding, outputPadding, groups, dilation);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor im2col(
      Tensor self, long[] kernelSize, long[] dilation, long[] padding, long[] stride) {
    try {
      return (Tensor) IM2COL.invokeExact(self, kernelSize, dilation, padding, stride);
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
      return (Tensor) COL2IM.invokeExact(self, outputSize, kernelSize, dilation, padding, stride);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor maxUnpool2d(Tensor self, Tensor indices, long[] outputSize) {
    try {
      return (Tensor) MAX_UNPOOL2D.invokeExact(self, indices, outputSize);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }
}
