package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.cpu.Convolution;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/** Convolution, of which a device brings the overrideable operators. */
final class ConvolutionOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();
  private static final Lookup CONVOLUTION = CpuKernels.in(Convolution.class);

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
  }

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
}
