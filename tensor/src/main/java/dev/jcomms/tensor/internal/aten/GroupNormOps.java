package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Tensor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.Arrays;

/** Normalization within groups of channels, and of each channel by itself. */
final class GroupNormOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();

  private GroupNormOps() {}

  static void define(Definitions d) {
    d.op(
            "native_group_norm(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C,"
                + " SymInt HxW, int group, float eps) -> (Tensor, Tensor, Tensor)")
        .everywhere(LOOKUP, "nativeGroupNorm")
        .outAs(
            "native_group_norm.out(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt"
                + " C, SymInt HxW, int group, float eps, *, Tensor(a!) out0, Tensor(b!) out1,"
                + " Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
    d.op(
            "native_group_norm_backward(Tensor grad_out, Tensor input, Tensor mean, Tensor rstd,"
                + " Tensor? weight, SymInt N, SymInt C, SymInt HxW, int group, bool[3] output_mask)"
                + " -> (Tensor, Tensor, Tensor)")
        .composite(LOOKUP, "nativeGroupNormBackward")
        .outAs(
            "native_group_norm_backward.out(Tensor grad_out, Tensor input, Tensor mean, Tensor"
                + " rstd, Tensor? weight, SymInt N, SymInt C, SymInt HxW, int group, bool[3]"
                + " output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) ->"
                + " (Tensor(a!), Tensor(b!), Tensor(c!))");
    d.op(
            "group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None,"
                + " float eps=1e-05, bool cudnn_enabled=True) -> Tensor")
        .composite(LOOKUP, "groupNorm");
    d.op(
            "instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean,"
                + " Tensor? running_var, bool use_input_stats, float momentum, float eps, bool"
                + " cudnn_enabled) -> Tensor")
        .composite(LOOKUP, "instanceNorm");
  }

  static Tensor groupNorm(
      Tensor input, long groups, Tensor weight, Tensor bias, double eps, boolean cudnn) {
    int dims = input.shape().dims();
    if (dims < 2) {
      throw new IllegalArgumentException(
          "group_norm: needs channels, so at least 2 dims, but has shape=" + input.shape());
    }
    long samples = input.shape().size(0);
    long channels = input.shape().size(1);
    long places = 1;
    for (int d = 2; d < dims; d++) {
      places *= input.shape().size(d);
    }
    return Ops.nativeGroupNorm(input, weight, bias, samples, channels, places, groups, eps)[0];
  }

  /** The result, and mean and inverse deviation of each sample's groups. */
  static Tensor[] nativeGroupNorm(
      Tensor input,
      Tensor weight,
      Tensor bias,
      long samples,
      long channels,
      long places,
      long groups,
      double eps) {
    check(input, weight, bias, samples, channels, places, groups);
    long size = channels / groups * places;
    Tensor rows = Ops.reshape(input, samples * groups, size);
    Tensor[] normal = Ops.nativeLayerNorm(rows, new long[] {size}, null, null, eps);
    Tensor out = Ops.view(normal[0], input.shape().toArray());
    if (weight != null) {
      out = Ops.mul(out, alongChannels(weight, input));
    }
    if (bias != null) {
      out = Ops.add(out, alongChannels(bias, input));
    }
    return new Tensor[] {
      out, Ops.view(normal[1], samples, groups), Ops.view(normal[2], samples, groups)
    };
  }

  static Tensor[] nativeGroupNormBackward(
      Tensor grad,
      Tensor input,
      Tensor mean,
      Tensor rstd,
      Tensor weight,
      long samples,
      long channels,
      long places,
      long groups,
      boolean[] wanted) {
    check(input, weight, null, samples, channels, places, groups);
    long[] grouped = {samples, groups, channels / groups * places};
    long[] lines = {samples, channels, places};
    Tensor rate = Ops.reshape(rstd, samples, groups, 1);
    Tensor normal =
        Ops.mul(Ops.sub(Ops.reshape(input, grouped), Ops.reshape(mean, samples, groups, 1)), rate);
    Tensor[] found = new Tensor[3];
    if (wanted[0]) {
      Tensor scaled = weight == null ? grad : Ops.mul(grad, alongChannels(weight, input));
      Tensor given = Ops.reshape(scaled, grouped);
      long[] last = {2};
      Tensor average = Ops.mean(given, last, true, null);
      Tensor along = Ops.mean(Ops.mul(given, normal), last, true, null);
      Tensor each = Ops.mul(rate, Ops.sub(Ops.sub(given, average), Ops.mul(normal, along)));
      found[0] = Ops.reshape(each, input.shape().toArray());
    }
    if (wanted[1]) {
      Tensor each = Ops.mul(Ops.reshape(grad, lines), Ops.reshape(normal, lines));
      found[1] = Ops.sum(each, 0, 2);
    }
    if (wanted[2]) {
      found[2] = Ops.sum(Ops.reshape(grad, lines), 0, 2);
    }
    return found;
  }

  private static Tensor alongChannels(Tensor parameter, Tensor input) {
    long[] sizes = new long[input.shape().dims()];
    Arrays.fill(sizes, 1);
    sizes[1] = parameter.elements();
    return Ops.reshape(parameter, sizes);
  }

  private static void check(
      Tensor input,
      Tensor weight,
      Tensor bias,
      long samples,
      long channels,
      long places,
      long groups) {
    if (groups <= 0 || channels % groups != 0) {
      throw new IllegalArgumentException(
          "group_norm: channels=" + channels + " do not divide into groups=" + groups);
    }
    if (input.shape().dims() < 2 || input.elements() != samples * channels * places) {
      throw new IllegalArgumentException(
          "group_norm: input of shape="
              + input.shape()
              + " is not of N="
              + samples
              + ", C="
              + channels
              + ", HxW="
              + places);
    }
    for (Tensor parameter : new Tensor[] {weight, bias}) {
      if (parameter != null
          && (parameter.shape().dims() != 1 || parameter.elements() != channels)) {
        throw new IllegalArgumentException(
            "group_norm: weight and bias must be lines of channels="
                + channels
                + ", but one has shape="
                + parameter.shape());
      }
    }
  }

  /** Every channel of every sample is a channel of one sample to {@code batch_norm}. */
  static Tensor instanceNorm(
      Tensor input,
      Tensor weight,
      Tensor bias,
      Tensor runningMean,
      Tensor runningVar,
      boolean useInputStats,
      double momentum,
      double eps,
      boolean cudnn) {
    if (!useInputStats && (runningMean == null || runningVar == null)) {
      throw new IllegalArgumentException(
          "instance_norm: without running_mean and running_var, use_input_stats must be true");
    }
    if (input.shape().dims() < 2) {
      throw new IllegalArgumentException(
          "instance_norm: needs channels, so at least 2 dims, but has shape=" + input.shape());
    }
    long[] sizes = input.shape().toArray();
    long samples = sizes[0];
    long channels = sizes[1];
    sizes[0] = 1;
    sizes[1] = samples * channels;
    Tensor mean = repeated(runningMean, samples);
    Tensor variance = repeated(runningVar, samples);
    Tensor out =
        Ops.batchNorm(
            Ops.reshape(input, sizes),
            repeated(weight, samples),
            repeated(bias, samples),
            mean,
            variance,
            useInputStats,
            momentum,
            eps);
    if (runningMean != null) {
      Ops.copy_(runningMean, Ops.mean(Ops.view(mean, samples, channels), 0));
    }
    if (runningVar != null) {
      Ops.copy_(runningVar, Ops.mean(Ops.view(variance, samples, channels), 0));
    }
    return Ops.view(out, input.shape().toArray());
  }

  private static Tensor repeated(Tensor t, long times) {
    return t == null ? null : Ops.repeat(t, new long[] {times});
  }
}
