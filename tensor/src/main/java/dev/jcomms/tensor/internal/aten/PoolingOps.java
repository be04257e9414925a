package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.cpu.AdaptivePooling;
import dev.jcomms.tensor.internal.cpu.Pooling;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.Arrays;

/** The largest or the mean of each window; windows of one dimension are flat ones of two. */
final class PoolingOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();
  private static final Lookup POOLING = CpuKernels.in(Pooling.class);
  private static final Lookup ADAPTIVE = CpuKernels.in(AdaptivePooling.class);

  private PoolingOps() {}

  static void define(Definitions d) {
    d.op(
            "max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], int[2]"
                + " padding=0, int[2] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)")
        .cpu(POOLING, "maxPool2d")
        .outAs(
            "max_pool2d_with_indices.out(Tensor self, int[2] kernel_size, int[2] stride=[],"
                + " int[2] padding=0, int[2] dilation=1, bool ceil_mode=False, *, Tensor(a!) out,"
                + " Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))");
    d.op(
            "max_pool2d_with_indices_backward(Tensor grad_output, Tensor self, int[2]"
                + " kernel_size, int[2] stride, int[2] padding, int[2] dilation, bool ceil_mode,"
                + " Tensor indices) -> Tensor")
        .cpu(POOLING, "maxPool2dBackward")
        .outAs(
            "max_pool2d_with_indices_backward.grad_input(Tensor grad_output, Tensor self, int[2]"
                + " kernel_size, int[2] stride, int[2] padding, int[2] dilation, bool ceil_mode,"
                + " Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!)");
    d.op(
            "max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0,"
                + " int[2] dilation=1, bool ceil_mode=False) -> Tensor")
        .composite(LOOKUP, "maxPool2d");
    d.op(
            "avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0,"
                + " bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) ->"
                + " Tensor")
        .cpu(POOLING, "avgPool2d")
        .exactOut("out");
    d.op(
            "avg_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2]"
                + " stride, int[2] padding, bool ceil_mode, bool count_include_pad, int?"
                + " divisor_override) -> Tensor")
        .cpu(POOLING, "avgPool2dBackward")
        .outAs(
            "avg_pool2d_backward.grad_input(Tensor grad_output, Tensor self, int[2] kernel_size,"
                + " int[2] stride, int[2] padding, bool ceil_mode, bool count_include_pad, int?"
                + " divisor_override, *, Tensor(a!) grad_input) -> Tensor(a!)");
    d.op("_adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor")
        .cpu(ADAPTIVE, "forward")
        .exactOut("out");
    d.op("_adaptive_avg_pool2d_backward(Tensor grad_output, Tensor self) -> Tensor")
        .cpu(ADAPTIVE, "backward")
        .exactOut("out");
    d.op("adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor")
        .composite(LOOKUP, "adaptiveAvgPool2d")
        .exactOut("out");
    d.op(
            "max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0],"
                + " int[1] dilation=[1], bool ceil_mode=False) -> Tensor")
        .composite(LOOKUP, "maxPool1d");
    d.op(
            "avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0],"
                + " bool ceil_mode=False, bool count_include_pad=True) -> Tensor")
        .composite(LOOKUP, "avgPool1d")
        .exactOut("out");
  }

  static Tensor maxPool2d(
      Tensor self,
      long[] kernelSize,
      long[] stride,
      long[] padding,
      long[] dilation,
      boolean ceilMode) {
    return Ops.maxPool2dWithIndices(self, kernelSize, stride, padding, dilation, ceilMode)[0];
  }

  static Tensor maxPool1d(
      Tensor self,
      long[] kernelSize,
      long[] stride,
      long[] padding,
      long[] dilation,
      boolean ceilMode) {
    planes("max_pool1d", self);
    Tensor out =
        Ops.maxPool2dWithIndices(
            Ops.unsqueeze(self, -2),
            flat("max_pool1d: kernel_size", 1, kernelSize),
            flat("max_pool1d: stride", 1, stride.length == 0 ? kernelSize : stride),
            flat("max_pool1d: padding", 0, padding),
            flat("max_pool1d: dilation", 1, dilation),
            ceilMode)[0];
    return Ops.squeeze(out, -2);
  }

  static Tensor avgPool1d(
      Tensor self,
      long[] kernelSize,
      long[] stride,
      long[] padding,
      boolean ceilMode,
      boolean countIncludePad) {
    planes("avg_pool1d", self);
    Tensor out =
        Ops.avgPool2d(
            Ops.unsqueeze(self, -2),
            flat("avg_pool1d: kernel_size", 1, kernelSize),
            flat("avg_pool1d: stride", 1, stride.length == 0 ? kernelSize : stride),
            flat("avg_pool1d: padding", 0, padding),
            ceilMode,
            countIncludePad,
            null);
    return Ops.squeeze(out, -2);
  }

  private static void planes(String op, Tensor self) {
    int dims = self.shape().dims();
    if (dims != 2 && dims != 3) {
      throw new IllegalArgumentException(
          op + ": input must have 2 or 3 dims, but has shape=" + self.shape());
    }
  }

  /** The two numbers of a window that is as good as one-dimensional. */
  private static long[] flat(String what, long first, long[] list) {
    if (list.length != 1) {
      throw new IllegalArgumentException(
          what + " must be one number, but is " + Arrays.toString(list));
    }
    return new long[] {first, list[0]};
  }

  static Tensor adaptiveAvgPool2d(Tensor self, long[] outputSize) {
    return Ops._adaptiveAvgPool2d(self, outputSize);
  }
}
