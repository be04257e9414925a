package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.cpu.AdaptivePooling;
import dev.jcomms.tensor.internal.cpu.Convolution;
import dev.jcomms.tensor.internal.cpu.Pooling;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/** Convolution and pooling. */
final class ConvolutionOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();
  private static final Lookup CONVOLUTION = CpuKernels.in(Convolution.class);
  private static final Lookup POOLING = CpuKernels.in(Pooling.class);
  private static final Lookup ADAPTIVE = CpuKernels.in(AdaptivePooling.class);

  private static final long[] ZERO = {0};

  private ConvolutionOps() {}

  static void define(Definitions d) {
    d.op(
            "convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[]"
                + " padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt"
                + " groups) -> Tensor")
        .everywhere(LOOKUP, "convolution")
        .exactOut("out");
    d.op(
            "convolution_overrideable(Tensor input, Tensor weight, Tensor? bias, SymInt[]"
                + " stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[]"
                + " output_padding, SymInt groups) -> Tensor")
        .cpu(CONVOLUTION, "convolution")
        .exactOut("out");
    d.op(
            "convolution_backward(Tensor grad_output, Tensor input, Tensor weight, SymInt[]?"
                + " bias_sizes, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed,"
                + " SymInt[] output_padding, SymInt groups, bool[3] output_mask) -> (Tensor, Tensor,"
                + " Tensor)")
        .everywhere(LOOKUP, "convolutionBackward")
        .outAs(
            "convolution_backward.out(Tensor grad_output, Tensor input, Tensor weight, SymInt[]?"
                + " bias_sizes, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed,"
                + " SymInt[] output_padding, SymInt groups, bool[3] output_mask, *, Tensor(a!) out0,"
                + " Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
    d.op(
            "convolution_backward_overrideable(Tensor grad_output, Tensor input, Tensor weight,"
                + " SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[]"
                + " output_padding, SymInt groups, bool[3] output_mask) -> (Tensor grad_input, Tensor"
                + " grad_weight, Tensor grad_bias)")
        .cpu(LOOKUP, "overrideableBackward")
        .outAs(
            "convolution_backward_overrideable.out(Tensor grad_output, Tensor input, Tensor"
                + " weight, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed,"
                + " SymInt[] output_padding, SymInt groups, bool[3] output_mask, *, Tensor(a!) out0,"
                + " Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
    d.op(
            "conv1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=[1],"
                + " SymInt[1] padding=[0], SymInt[1] dilation=[1], SymInt groups=1) -> Tensor")
        .composite(LOOKUP, "conv1d");
    d.op(
            "conv2d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=[1, 1],"
                + " SymInt[2] padding=[0, 0], SymInt[2] dilation=[1, 1], SymInt groups=1) -> Tensor")
        .composite(LOOKUP, "conv2d");
    d.op(
            "conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1]"
                + " stride=[1], str padding=\"valid\", SymInt[1] dilation=[1], SymInt groups=1) -> Tensor")
        .composite(LOOKUP, "conv1dPadding");
    d.op(
            "conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=[1,"
                + " 1], str padding=\"valid\", SymInt[2] dilation=[1, 1], SymInt groups=1) -> Tensor")
        .composite(LOOKUP, "conv2dPadding");
    d.op(
            "conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1]"
                + " stride=[1], SymInt[1] padding=[0], SymInt[1] output_padding=[0], SymInt groups=1,"
                + " SymInt[1] dilation=[1]) -> Tensor")
        .composite(LOOKUP, "convTranspose1d");
    d.op(
            "conv_transpose2d.input(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2]"
                + " stride=[1, 1], SymInt[2] padding=[0, 0], SymInt[2] output_padding=[0, 0], SymInt"
                + " groups=1, SymInt[2] dilation=[1, 1]) -> Tensor")
        .composite(LOOKUP, "convTranspose2d");
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

  // ---- convolution: a device brings the overrideable operators

  static Tensor convolution(
      Tensor input,
      Tensor weight,
      Tensor bias,
      long[] stride,
      long[] padding,
      long[] dilation,
      boolean transposed,
      long[] outputPadding,
      long groups) {
    return Ops.convolutionOverrideable(
        input, weight, bias, stride, padding, dilation, transposed, outputPadding, groups);
  }

  static Tensor[] convolutionBackward(
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
    return Ops.convolutionBackwardOverrideable(
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
  }

  static Tensor[] overrideableBackward(
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
    return Convolution.backward(
        gradOutput,
        input,
        weight,
        null,
        stride,
        padding,
        dilation,
        transposed,
        outputPadding,
        groups,
        outputMask);
  }

  static Tensor conv1d(
      Tensor input,
      Tensor weight,
      Tensor bias,
      long[] stride,
      long[] padding,
      long[] dilation,
      long groups) {
    return batched(
        "conv1d",
        1,
        input,
        x -> Ops.convolution(x, weight, bias, stride, padding, dilation, false, ZERO, groups));
  }

  static Tensor conv2d(
      Tensor input,
      Tensor weight,
      Tensor bias,
      long[] stride,
      long[] padding,
      long[] dilation,
      long groups) {
    return batched(
        "conv2d",
        2,
        input,
        x -> Ops.convolution(x, weight, bias, stride, padding, dilation, false, ZERO, groups));
  }

  static Tensor conv1dPadding(
      Tensor input,
      Tensor weight,
      Tensor bias,
      long[] stride,
      String padding,
      long[] dilation,
      long groups) {
    return padded("conv1d", 1, input, weight, bias, stride, padding, dilation, groups);
  }

  static Tensor conv2dPadding(
      Tensor input,
      Tensor weight,
      Tensor bias,
      long[] stride,
      String padding,
      long[] dilation,
      long groups) {
    return padded("conv2d", 2, input, weight, bias, stride, padding, dilation, groups);
  }

  static Tensor convTranspose1d(
      Tensor input,
      Tensor weight,
      Tensor bias,
      long[] stride,
      long[] padding,
      long[] outputPadding,
      long groups,
      long[] dilation) {
    return batched(
        "conv_transpose1d",
        1,
        input,
        x ->
            Ops.convolution(
                x, weight, bias, stride, padding, dilation, true, outputPadding, groups));
  }

  static Tensor convTranspose2d(
      Tensor input,
      Tensor weight,
      Tensor bias,
      long[] stride,
      long[] padding,
      long[] outputPadding,
      long groups,
      long[] dilation) {
    return batched(
        "conv_transpose2d",
        2,
        input,
        x ->
            Ops.convolution(
                x, weight, bias, stride, padding, dilation, true, outputPadding, groups));
  }

  /** An input without a batch becomes a batch of one on the way. */
  private static Tensor batched(String op, int dims, Tensor input, UnaryOperator<Tensor> body) {
    int given = input.shape().dims();
    if (given != dims + 1 && given != dims + 2) {
      throw new IllegalArgumentException(
          op
              + ": input must have "
              + (dims + 1)
              + " or "
              + (dims + 2)
              + " dims, but has shape="
              + input.shape());
    }
    return given == dims + 2
        ? body.apply(input)
        : Ops.squeeze(body.apply(Ops.unsqueeze(input, 0)), 0);
  }

  private static Tensor padded(
      String op,
      int dims,
      Tensor input,
      Tensor weight,
      Tensor bias,
      long[] stride,
      String padding,
      long[] dilation,
      long groups) {
    if (padding.equals("valid")) {
      return batched(
          op,
          dims,
          input,
          x -> Ops.convolution(x, weight, bias, stride, ZERO, dilation, false, ZERO, groups));
    }
    if (!padding.equals("same")) {
      throw new IllegalArgumentException(
          op + ": padding='" + padding + "' is neither 'valid' nor 'same'");
    }
    if (Arrays.stream(stride).anyMatch(s -> s != 1)) {
      throw new IllegalArgumentException(op + ": padding='same' is not for strides above 1");
    }
    if (weight.shape().dims() != dims + 2) {
      throw new IllegalArgumentException(
          op + ": weight must have " + (dims + 2) + " dims, but has shape=" + weight.shape());
    }
    long[] both = new long[dims];
    long[] more = new long[2 * dims]; // what is needed at the end beyond the start
    for (int d = 0; d < dims; d++) {
      long total =
          (dilation.length == 1 ? dilation[0] : dilation[d]) * (weight.shape().size(2 + d) - 1);
      both[d] = total / 2;
      more[2 * (dims - 1 - d) + 1] = total % 2;
    }
    return batched(
        op,
        dims,
        input,
        x ->
            Ops.convolution(
                Arrays.stream(more).allMatch(m -> m == 0)
                    ? x
                    : Ops.constantPadNd(x, more, Scalar.ZERO),
                weight,
                bias,
                stride,
                both,
                dilation,
                false,
                ZERO,
                groups));
  }

  // ---- pooling

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
            flat(1, kernelSize),
            flat(1, stride.length == 0 ? kernelSize : stride),
            flat(0, padding),
            flat(1, dilation),
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
            flat(1, kernelSize),
            flat(1, stride.length == 0 ? kernelSize : stride),
            flat(0, padding),
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
  private static long[] flat(long first, long[] list) {
    if (list.length != 1) {
      throw new IllegalArgumentException("a window of one dimension has " + list.length);
    }
    return new long[] {first, list[0]};
  }

  static Tensor adaptiveAvgPool2d(Tensor self, long[] outputSize) {
    return Ops._adaptiveAvgPool2d(self, outputSize);
  }
}
