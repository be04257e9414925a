package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.cpu.BatchNorm;
import dev.jcomms.tensor.internal.cpu.Dropout;
import dev.jcomms.tensor.internal.cpu.Gathering;
import dev.jcomms.tensor.internal.cpu.LayerNorm;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.Arrays;

/** Layers of networks that are neither products nor losses: norms, dropout, embedding. */
final class LayerOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();
  private static final Lookup LAYER = CpuKernels.in(LayerNorm.class);
  private static final Lookup BATCH = CpuKernels.in(BatchNorm.class);
  private static final Lookup DROPOUT = CpuKernels.in(Dropout.class);
  private static final Lookup GATHERING = CpuKernels.in(Gathering.class);

  private LayerOps() {}

  static void define(Definitions d) {
    d.op(
            "native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor?"
                + " bias, float eps) -> (Tensor, Tensor, Tensor)")
        .cpu(LAYER, "forward")
        .outAs(
            "native_layer_norm.out(Tensor input, SymInt[] normalized_shape, Tensor? weight,"
                + " Tensor? bias, float eps, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) ->"
                + " (Tensor(a!), Tensor(b!), Tensor(c!))");
    d.op(
            "native_layer_norm_backward(Tensor grad_out, Tensor input, SymInt[]"
                + " normalized_shape, Tensor mean, Tensor rstd, Tensor? weight, Tensor? bias, bool[3]"
                + " output_mask) -> (Tensor, Tensor, Tensor)")
        .cpu(LAYER, "backward")
        .outAs(
            "native_layer_norm_backward.out(Tensor grad_out, Tensor input, SymInt[]"
                + " normalized_shape, Tensor mean, Tensor rstd, Tensor? weight, Tensor? bias, bool[3]"
                + " output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!),"
                + " Tensor(b!), Tensor(c!))");
    d.op(
            "layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, Tensor?"
                + " bias=None, float eps=1e-05, bool cudnn_enable=True) -> Tensor")
        .composite(LOOKUP, "layerNorm");
    d.op(
            "rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float?"
                + " eps=None) -> Tensor")
        .composite(LOOKUP, "rmsNorm");
    d.op(
            "native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean,"
                + " Tensor? running_var, bool training, float momentum, float eps) -> (Tensor, Tensor,"
                + " Tensor)")
        .cpu(BATCH, "forward")
        .outAs(
            "native_batch_norm.out(Tensor input, Tensor? weight, Tensor? bias, Tensor?"
                + " running_mean, Tensor? running_var, bool training, float momentum, float eps, *,"
                + " Tensor(a!) out, Tensor(b!) save_mean, Tensor(c!) save_invstd) -> (Tensor(a!),"
                + " Tensor(b!), Tensor(c!))");
    d.op(
            "_native_batch_norm_legit(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!)"
                + " running_mean, Tensor(b!) running_var, bool training, float momentum, float eps) ->"
                + " (Tensor, Tensor, Tensor)")
        .cpu(BATCH, "forward")
        .outAs(
            "_native_batch_norm_legit.out(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!)"
                + " running_mean, Tensor(b!) running_var, bool training, float momentum, float eps, *,"
                + " Tensor(d!) out, Tensor(e!) save_mean, Tensor(f!) save_invstd) -> (Tensor(d!),"
                + " Tensor(e!), Tensor(f!))");
    d.op(
            "_native_batch_norm_legit.no_stats(Tensor input, Tensor? weight, Tensor? bias, bool"
                + " training, float momentum, float eps) -> (Tensor, Tensor, Tensor)")
        .cpu(BATCH, "forwardWithoutStatistics")
        .outAs(
            "_native_batch_norm_legit.no_stats_out(Tensor input, Tensor? weight, Tensor? bias,"
                + " bool training, float momentum, float eps, *, Tensor(a!) out, Tensor(b!) save_mean,"
                + " Tensor(c!) save_invstd) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
    d.op(
            "native_batch_norm_backward(Tensor grad_out, Tensor input, Tensor? weight, Tensor?"
                + " running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_invstd, bool"
                + " train, float eps, bool[3] output_mask) -> (Tensor, Tensor, Tensor)")
        .cpu(BATCH, "backward")
        .outAs(
            "native_batch_norm_backward.out(Tensor grad_out, Tensor input, Tensor? weight,"
                + " Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_invstd,"
                + " bool train, float eps, bool[3] output_mask, *, Tensor(a!) out0, Tensor(b!) out1,"
                + " Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
    d.op(
            "batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean,"
                + " Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled)"
                + " -> Tensor")
        .composite(LOOKUP, "batchNorm");
    d.op("native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)")
        .cpu(DROPOUT, "forward")
        .outAs(
            "native_dropout.out(Tensor input, float p, bool? train, *, Tensor(a!) out0,"
                + " Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))");
    d.op("native_dropout_backward(Tensor grad_output, Tensor mask, float scale) -> Tensor")
        .cpu(DROPOUT, "backward")
        .exactOut("out");
    d.op("dropout(Tensor input, float p, bool train) -> Tensor").composite(LOOKUP, "dropout");
    d.op(
            "embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool"
                + " scale_grad_by_freq=False, bool sparse=False) -> Tensor")
        .everywhere(LOOKUP, "embedding")
        .exactOut("out");
    d.op(
            "embedding_dense_backward(Tensor grad_output, Tensor indices, SymInt num_weights,"
                + " SymInt padding_idx, bool scale_grad_by_freq) -> Tensor")
        .cpu(GATHERING, "embeddingDenseBackward")
        .exactOut("out");
    d.op(
            "embedding_backward(Tensor grad, Tensor indices, SymInt num_weights, SymInt"
                + " padding_idx, bool scale_grad_by_freq, bool sparse) -> Tensor")
        .composite(LOOKUP, "embeddingBackward");
    d.op("dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)")
        .composite(LOOKUP, "dropoutInPlace");
  }

  static Tensor layerNorm(
      Tensor input,
      long[] normalizedShape,
      Tensor weight,
      Tensor bias,
      double eps,
      boolean cudnnEnable) {
    return Ops.nativeLayerNorm(input, normalizedShape, weight, bias, eps)[0];
  }

  static Tensor rmsNorm(Tensor input, long[] normalizedShape, Tensor weight, Double eps) {
    int dims = input.shape().dims();
    int leading = dims - normalizedShape.length;
    long[] sizes = input.shape().toArray();
    if (normalizedShape.length == 0
        || leading < 0
        || !Arrays.equals(normalizedShape, Arrays.copyOfRange(sizes, leading, dims))) {
      throw new IllegalArgumentException(
          "rms_norm: input of shape="
              + input.shape()
              + " does not end in normalized_shape="
              + Arrays.toString(normalizedShape));
    }
    if (weight != null && !Arrays.equals(weight.shape().toArray(), normalizedShape)) {
      throw new IllegalArgumentException(
          "rms_norm: weight must be of shape=" + Arrays.toString(normalizedShape));
    }
    DType dtype = input.dtype();
    boolean half = dtype == DType.F16 || dtype == DType.BF16;
    Tensor x = half ? Ops.toCopy(input, DType.F32, null) : input;
    long[] over = new long[normalizedShape.length];
    Arrays.setAll(over, i -> leading + i);
    double least = eps != null ? eps : x.dtype() == DType.F64 ? 0x1p-52 : 0x1p-23;
    Tensor squares = Ops.mean(Ops.mul(x, x), over, true, null);
    Tensor out = Ops.mul(x, Ops.rsqrt(Ops.add(squares, Scalar.of(least))));
    if (weight != null) {
      out = Ops.mul(out, weight);
    }
    return half && out.dtype() != dtype ? Ops.toCopy(out, dtype, null) : out;
  }

  static Tensor batchNorm(
      Tensor input,
      Tensor weight,
      Tensor bias,
      Tensor runningMean,
      Tensor runningVar,
      boolean training,
      double momentum,
      double eps,
      boolean cudnnEnabled) {
    if (input.elements() == 0) {
      return Ops.clone(input);
    }
    return Ops.nativeBatchNorm(
        input, weight, bias, runningMean, runningVar, training, momentum, eps)[0];
  }

  static Tensor dropout(Tensor input, double p, boolean train) {
    if (!(p >= 0 && p <= 1)) {
      throw new IllegalArgumentException("dropout: p=" + p + " is not within 0 and 1");
    }
    if (p == 0 || !train || input.elements() == 0) {
      return input;
    }
    return Ops.nativeDropout(input, p, true)[0];
  }

  static Tensor dropoutInPlace(Tensor self, double p, boolean train) {
    Tensor out = dropout(self, p, train);
    return out == self ? self : Ops.copy_(self, out);
  }

  static Tensor embedding(
      Tensor weight, Tensor indices, long paddingIdx, boolean scaleGradByFreq, boolean sparse) {
    if (weight.shape().dims() != 2) {
      throw new IllegalArgumentException(
          "embedding: weight must be a matrix, but has shape=" + weight.shape());
    }
    if (indices.dtype() != DType.I64 && indices.dtype() != DType.I32) {
      throw new IllegalArgumentException(
          "embedding: indices must be i64 or i32, but are " + indices.dtype());
    }
    long[] sizes = Arrays.copyOf(indices.shape().toArray(), indices.shape().dims() + 1);
    sizes[sizes.length - 1] = weight.shape().size(1);
    return Ops.view(Ops.indexSelect(weight, 0, Ops.reshape(indices, -1)), sizes);
  }

  static Tensor embeddingBackward(
      Tensor grad,
      Tensor indices,
      long numWeights,
      long paddingIdx,
      boolean scaleGradByFreq,
      boolean sparse) {
    if (sparse) {
      throw new IllegalArgumentException("embedding_backward: there are no sparse tensors here");
    }
    return Ops.embeddingDenseBackward(grad, indices, numWeights, paddingIdx, scaleGradByFreq);
  }
}
