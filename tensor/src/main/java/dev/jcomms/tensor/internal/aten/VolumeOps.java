package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.Arrays;

/** Convolution of volumes: for each depth of the kernel one convolution of all planes at once. */
final class VolumeOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();
  private static final long[] ZERO = {0, 0};

  private VolumeOps() {}

  static void define(Definitions d) {
    d.op(
            "conv3d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=[1, 1, 1],"
                + " SymInt[3] padding=[0, 0, 0], SymInt[3] dilation=[1, 1, 1], SymInt groups=1) ->"
                + " Tensor")
        .composite(LOOKUP, "conv3d");
    d.op(
            "conv3d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=[1, 1,"
                + " 1], str padding=\"valid\", SymInt[3] dilation=[1, 1, 1], SymInt groups=1) ->"
                + " Tensor")
        .composite(LOOKUP, "conv3dPadding");
    d.op(
            "conv_transpose3d.input(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3]"
                + " stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], SymInt[3] output_padding=[0, 0,"
                + " 0], SymInt groups=1, SymInt[3] dilation=[1, 1, 1]) -> Tensor")
        .composite(LOOKUP, "convTranspose3d");
  }

  static Tensor conv3d(
      Tensor input,
      Tensor weight,
      Tensor bias,
      long[] stride,
      long[] padding,
      long[] dilation,
      long groups) {
    check("conv3d", input, weight, bias, weight.shape().dims() == 5 ? weight.shape().size(0) : 0);
    Tensor x = input.shape().dims() == 4 ? Ops.unsqueeze(input, 0) : input;
    long[] s = three("stride", stride, 1);
    long[] p = three("padding", padding, 0);
    long[] l = three("dilation", dilation, 1);
    long[] sizes = x.shape().toArray();
    long depths = weight.shape().size(2);
    long room = sizes[2] + 2 * p[0] - l[0] * (depths - 1) - 1;
    if (room < 0) {
      throw new IllegalArgumentException(
          "conv3d: kernel of shape="
              + weight.shape()
              + " is larger than the padded input "
              + input.shape());
    }
    long out = room / s[0] + 1;
    Tensor deep =
        p[0] == 0 ? x : Ops.constantPadNd(x, new long[] {0, 0, 0, 0, p[0], p[0]}, Scalar.ZERO);
    Tensor sum = null;
    for (long k = 0; k < depths; k++) {
      Tensor planes = Ops.slice(deep, 2, k * l[0], k * l[0] + (out - 1) * s[0] + 1, s[0]);
      Tensor flat =
          Ops.reshape(
              Ops.permute(planes, 0, 2, 1, 3, 4), sizes[0] * out, sizes[1], sizes[3], sizes[4]);
      Tensor part =
          Ops.convolution(
              flat, Ops.select(weight, 2, k), null, last(s), last(p), last(l), false, ZERO, groups);
      sum = sum == null ? part : Ops.add(sum, part);
    }
    return finished(sum, sizes[0], out, bias, input);
  }

  static Tensor conv3dPadding(
      Tensor input,
      Tensor weight,
      Tensor bias,
      long[] stride,
      String padding,
      long[] dilation,
      long groups) {
    if (padding.equals("valid")) {
      return conv3d(input, weight, bias, stride, new long[] {0}, dilation, groups);
    }
    if (!padding.equals("same") || Arrays.stream(stride).anyMatch(s -> s != 1)) {
      throw new IllegalArgumentException(
          "conv3d: padding='" + padding + "' is not 'valid', nor 'same' with a stride of 1");
    }
    check("conv3d", input, weight, bias, weight.shape().dims() == 5 ? weight.shape().size(0) : 0);
    long[] l = three("dilation", dilation, 1);
    long[] pad = new long[6];
    for (int d = 0; d < 3; d++) {
      long total = l[d] * (weight.shape().size(2 + d) - 1);
      pad[2 * (2 - d)] = total / 2;
      pad[2 * (2 - d) + 1] = total - total / 2;
    }
    Tensor wide = Ops.constantPadNd(input, pad, Scalar.ZERO);
    return conv3d(wide, weight, bias, stride, new long[] {0}, dilation, groups);
  }

  static Tensor convTranspose3d(
      Tensor input,
      Tensor weight,
      Tensor bias,
      long[] stride,
      long[] padding,
      long[] outputPadding,
      long groups,
      long[] dilation) {
    check(
        "conv_transpose3d",
        input,
        weight,
        bias,
        weight.shape().dims() == 5 ? weight.shape().size(1) * groups : 0);
    Tensor x = input.shape().dims() == 4 ? Ops.unsqueeze(input, 0) : input;
    long[] s = three("stride", stride, 1);
    long[] p = three("padding", padding, 0);
    long[] o = three("output_padding", outputPadding, 0);
    long[] l = three("dilation", dilation, 1);
    if (o[0] >= s[0] && o[0] >= l[0]) {
      throw new IllegalArgumentException(
          "conv_transpose3d: output_padding must be below stride or dilation");
    }
    long[] sizes = x.shape().toArray();
    long depths = weight.shape().size(2);
    long full = (sizes[2] - 1) * s[0] + l[0] * (depths - 1) + 1;
    long out = full - 2 * p[0] + o[0];
    if (out < 1) {
      throw new IllegalArgumentException(
          "conv_transpose3d: padding leaves nothing of shape=" + input.shape());
    }
    Tensor flat =
        Ops.reshape(
            Ops.permute(x, 0, 2, 1, 3, 4), sizes[0] * sizes[2], sizes[1], sizes[3], sizes[4]);
    Tensor sum = null;
    for (long k = 0; k < depths; k++) {
      Tensor part =
          Ops.convolution(
              flat,
              Ops.select(weight, 2, k),
              null,
              last(s),
              last(p),
              last(l),
              true,
              last(o),
              groups);
      long[] shape = part.shape().toArray();
      Tensor planes = Ops.reshape(part, sizes[0], sizes[2], shape[1], shape[2], shape[3]);
      long[] places = new long[Math.toIntExact(sizes[2])];
      for (int i = 0; i < places.length; i++) {
        places[i] = i * s[0] + k * l[0];
      }
      if (sum == null) {
        long[] all = {sizes[0], full, shape[1], shape[2], shape[3]};
        sum = Ops.zeros(all, x.dtype(), x.device());
      }
      sum = Ops.indexAdd(sum, 1, Tensor.of(places).to(x.device()), planes, Scalar.ONE);
    }
    long[] cut = {0, 0, 0, 0, 0, 0, -p[0], o[0] - p[0]};
    Tensor kept = Ops.constantPadNd(sum, cut, Scalar.ZERO);
    long[] shape = kept.shape().toArray();
    Tensor joined = Ops.reshape(kept, sizes[0] * out, shape[2], shape[3], shape[4]);
    return finished(joined, sizes[0], out, bias, input);
  }

  /** Planes of all samples back into volumes, with the bias. */
  private static Tensor finished(
      Tensor flat, long samples, long depths, Tensor bias, Tensor input) {
    long[] shape = flat.shape().toArray();
    Tensor planes = Ops.reshape(flat, samples, depths, shape[1], shape[2], shape[3]);
    Tensor out = Ops.permute(planes, 0, 2, 1, 3, 4);
    if (bias != null) {
      out = Ops.add(out, Ops.reshape(bias, 1, -1, 1, 1, 1));
    }
    return input.shape().dims() == 4 ? Ops.squeeze(out, 0) : out;
  }

  private static long[] last(long[] list) {
    return new long[] {list[1], list[2]};
  }

  private static long[] three(String name, long[] list, long least) {
    if (list.length != 1 && list.length != 3 || Arrays.stream(list).anyMatch(v -> v < least)) {
      throw new IllegalArgumentException(
          "conv3d: "
              + name
              + "="
              + Arrays.toString(list)
              + " must have 1 or 3 numbers of at least "
              + least);
    }
    return list.length == 1 ? new long[] {list[0], list[0], list[0]} : list;
  }

  private static void check(String op, Tensor input, Tensor weight, Tensor bias, long channels) {
    int dims = input.shape().dims();
    if (dims != 4 && dims != 5 || weight.shape().dims() != 5) {
      throw new IllegalArgumentException(
          op
              + ": input of shape="
              + input.shape()
              + " and weight of "
              + weight.shape()
              + " must be of volumes");
    }
    if (bias != null && (bias.shape().dims() != 1 || bias.elements() != channels)) {
      throw new IllegalArgumentException(
          op + ": bias of shape=" + bias.shape() + " must have channels=" + channels);
    }
    if (input.dtype() != weight.dtype() || bias != null && bias.dtype() != weight.dtype()) {
      throw new IllegalArgumentException(
          op
              + ": input of "
              + input.dtype()
              + ", weight of "
              + weight.dtype()
              + " and bias must"
              + " be of one dtype");
    }
  }
}
