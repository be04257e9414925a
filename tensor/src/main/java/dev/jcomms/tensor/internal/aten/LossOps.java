package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.GradMode;
import dev.jcomms.tensor.internal.cpu.Losses;
import dev.jcomms.tensor.internal.cpu.Softmax;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;

/** Softmax, and the losses. */
final class LossOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();
  private static final Lookup SOFTMAX = CpuKernels.in(Softmax.class);
  private static final Lookup LOSSES = CpuKernels.in(Losses.class);

  private static final long NONE = Losses.NONE;
  private static final long MEAN = Losses.MEAN;
  private static final long SUM = 2;

  private LossOps() {}

  static void define(Definitions d) {
    d.op("_softmax(Tensor self, int dim, bool half_to_float) -> Tensor")
        .cpu(SOFTMAX, "softmax")
        .exactOut("out");
    d.op("_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor")
        .cpu(SOFTMAX, "logSoftmax")
        .exactOut("out");
    d.op(
            "_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType"
                + " input_dtype) -> Tensor")
        .cpu(SOFTMAX, "softmaxBackward")
        .outAs(
            "_softmax_backward_data.out(Tensor grad_output, Tensor output, int dim, ScalarType"
                + " input_dtype, *, Tensor(a!) grad_input) -> Tensor(a!)");
    d.op(
            "_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType"
                + " input_dtype) -> Tensor")
        .cpu(SOFTMAX, "logSoftmaxBackward")
        .exactOut("out");
    d.op("softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor")
        .composite(LOOKUP, "softmax")
        .exactOut("int_out");
    d.op("log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor")
        .composite(LOOKUP, "logSoftmax")
        .exactOut("int_out");
    d.op(
            "nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt"
                + " ignore_index) -> (Tensor output, Tensor total_weight)")
        .cpu(LOSSES, "nllLossForward")
        .outAs(
            "nll_loss_forward.output(Tensor self, Tensor target, Tensor? weight, int reduction,"
                + " SymInt ignore_index, *, Tensor(a!) output, Tensor(b!) total_weight) ->"
                + " (Tensor(a!), Tensor(b!))");
    d.op(
            "nll_loss_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight,"
                + " int reduction, SymInt ignore_index, Tensor total_weight) -> Tensor")
        .cpu(LOSSES, "nllLossBackward")
        .outAs(
            "nll_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target,"
                + " Tensor? weight, int reduction, SymInt ignore_index, Tensor total_weight, *,"
                + " Tensor(a!) grad_input) -> Tensor(a!)");
    d.op(
            "nll_loss2d_forward(Tensor self, Tensor target, Tensor? weight, int reduction,"
                + " SymInt ignore_index) -> (Tensor output, Tensor total_weight)")
        .cpu(LOSSES, "nllLoss2dForward")
        .outAs(
            "nll_loss2d_forward.output(Tensor self, Tensor target, Tensor? weight, int"
                + " reduction, SymInt ignore_index, *, Tensor(a!) output, Tensor(b!) total_weight) ->"
                + " (Tensor(a!), Tensor(b!))");
    d.op(
            "nll_loss2d_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight,"
                + " int reduction, SymInt ignore_index, Tensor total_weight) -> Tensor")
        .cpu(LOSSES, "nllLoss2dBackward")
        .outAs(
            "nll_loss2d_backward.grad_input(Tensor grad_output, Tensor self, Tensor target,"
                + " Tensor? weight, int reduction, SymInt ignore_index, Tensor total_weight, *,"
                + " Tensor(a!) grad_input) -> Tensor(a!)");
    d.op(
            "nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt"
                + " ignore_index=-100) -> Tensor")
        .composite(LOOKUP, "nllLoss")
        .exactOut("out");
    d.op(
            "nll_loss2d(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt"
                + " ignore_index=-100) -> Tensor")
        .composite(LOOKUP, "nllLoss2d")
        .exactOut("out");
    d.op(
            "nll_loss_nd(Tensor self, Tensor target, Tensor? weight=None, int reduction=1,"
                + " SymInt ignore_index=-100) -> Tensor")
        .composite(LOOKUP, "nllLossNd");
    d.op(
            "cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int"
                + " reduction=1, SymInt ignore_index=-100, float label_smoothing=0.) -> Tensor")
        .composite(LOOKUP, "crossEntropyLoss");
    d.op("mse_loss(Tensor self, Tensor target, int reduction=1) -> Tensor")
        .everywhere(LOOKUP, "mseLoss")
        .out("out");
    d.op(
            "mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) ->"
                + " Tensor")
        .everywhere(LOOKUP, "mseLossBackward")
        .out("grad_input", "grad_input");
    d.op("l1_loss(Tensor self, Tensor target, int reduction=1) -> Tensor")
        .composite(LOOKUP, "l1Loss");
    d.op("smooth_l1_loss(Tensor self, Tensor target, int reduction=1, float beta=1.) -> Tensor")
        .out("out")
        .composite(LOOKUP, "smoothL1Loss");
    d.op(
            "binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None,"
                + " Tensor? pos_weight=None, int reduction=1) -> Tensor")
        .composite(LOOKUP, "bceWithLogits")
        .exactOut("out");
  }

  static Tensor softmax(Tensor self, long dim, DType dtype) {
    return Ops._softmax(converted(self, dtype), dim, false);
  }

  static Tensor logSoftmax(Tensor self, long dim, DType dtype) {
    return Ops._logSoftmax(converted(self, dtype), dim, false);
  }

  private static Tensor converted(Tensor self, DType dtype) {
    return dtype == null || dtype == self.dtype() ? self : Ops.toCopy(self, dtype, null);
  }

  static Tensor nllLoss(
      Tensor self, Tensor target, Tensor weight, long reduction, long ignoreIndex) {
    return Ops.nllLossForward(self, target, weight, reduction, ignoreIndex)[0];
  }

  static Tensor nllLoss2d(
      Tensor self, Tensor target, Tensor weight, long reduction, long ignoreIndex) {
    return Ops.nllLoss2dForward(self, target, weight, reduction, ignoreIndex)[0];
  }

  /** Any number of dimensions: those after the classes are folded into an image. */
  static Tensor nllLossNd(
      Tensor self, Tensor target, Tensor weight, long reduction, long ignoreIndex) {
    int dims = self.shape().dims();
    if (dims < 1) {
      throw new IllegalArgumentException("nll_loss_nd: input must have at least 1 dim, but is 0-d");
    }
    if (dims != 1
        && self.shape().size(0) != (target.shape().dims() == 0 ? 1 : target.shape().size(0))) {
      throw new IllegalArgumentException(
          "nll_loss_nd: input of shape="
              + self.shape()
              + " does not go with target of shape="
              + target.shape());
    }
    if (dims <= 2) {
      return nllLoss(self, target, weight, reduction, ignoreIndex);
    }
    if (dims == 4) {
      return nllLoss2d(self, target, weight, reduction, ignoreIndex);
    }
    long[] sizes = self.shape().toArray();
    long[] places = target.shape().toArray();
    boolean fits = places.length == dims - 1;
    long count = 1;
    for (int d = 2; d < dims; d++) {
      fits = fits && places[d - 1] == sizes[d];
      count *= sizes[d];
    }
    if (!fits) {
      throw new IllegalArgumentException(
          "nll_loss_nd: input of shape="
              + self.shape()
              + " does not go with target of shape="
              + target.shape());
    }
    Tensor image = Ops.reshape(self, sizes[0], sizes[1], 1, count);
    Tensor flat = Ops.reshape(target, sizes[0], 1, count);
    Tensor out = nllLoss2d(image, flat, weight, reduction, ignoreIndex);
    return reduction == NONE ? Ops.view(out, places) : out;
  }

  static Tensor crossEntropyLoss(
      Tensor self,
      Tensor target,
      Tensor weight,
      long reduction,
      long ignoreIndex,
      double labelSmoothing) {
    if (labelSmoothing < 0 || labelSmoothing > 1) {
      throw new IllegalArgumentException(
          "cross_entropy_loss: label_smoothing=" + labelSmoothing + " is not within 0 and 1");
    }
    boolean likely = self.shape().equals(target.shape());
    if ((likely || labelSmoothing > 0) && (reduction < NONE || reduction > SUM)) {
      throw new IllegalArgumentException(
          "cross_entropy_loss: reduction=" + reduction + " is none of 0 (none), 1 (mean), 2 (sum)");
    }
    if (likely) {
      return ofProbabilities(self, target, weight, reduction, ignoreIndex, labelSmoothing);
    }
    int classes = self.shape().dims() == 1 ? 0 : 1;
    Tensor scores = Ops._logSoftmax(self, classes, false);
    Tensor loss = nllLossNd(scores, target, weight, reduction, ignoreIndex);
    if (labelSmoothing == 0) {
      return loss;
    }
    Tensor smooth = smoothed(scores, target, weight, reduction, ignoreIndex, classes);
    double share = labelSmoothing / self.shape().size(classes);
    return Ops.add(Ops.mul(loss, Scalar.of(1 - labelSmoothing)), Ops.mul(smooth, Scalar.of(share)));
  }

  /** The loss if every class were as likely as every other. */
  private static Tensor smoothed(
      Tensor scores, Tensor target, Tensor weight, long reduction, long ignoreIndex, int classes) {
    Tensor weighted =
        weight == null ? scores : Ops.mul(scores, alongClasses(weight, scores, classes));
    Tensor each = Ops.neg(Ops.sum(weighted, classes));
    Tensor ignored = Ops.eq(target, Scalar.of(ignoreIndex));
    Tensor kept = Ops.maskedFill(each, ignored, Scalar.ZERO);
    if (reduction == NONE) {
      return kept;
    }
    if (reduction != MEAN) {
      return Ops.sum(kept);
    }
    Tensor counted = Ops.bitwiseNot(ignored);
    Tensor total =
        weight == null
            ? Ops.sum(counted)
            : Ops.sum(Ops.indexSelect(weight, 0, Ops.maskedSelect(target, counted)));
    return Ops.div(Ops.sum(kept), total);
  }

  private static Tensor alongClasses(Tensor weight, Tensor scores, int classes) {
    long[] sizes = new long[scores.shape().dims()];
    java.util.Arrays.fill(sizes, 1);
    sizes[classes] = weight.elements();
    return Ops.view(weight, sizes);
  }

  private static Tensor ofProbabilities(
      Tensor self,
      Tensor target,
      Tensor weight,
      long reduction,
      long ignoreIndex,
      double labelSmoothing) {
    if (!target.dtype().isFloating()) {
      throw new IllegalArgumentException(
          "cross_entropy_loss: a target of the input's shape "
              + self.shape()
              + " holds probabilities and must be floating, but is "
              + target.dtype());
    }
    if (ignoreIndex >= 0) {
      throw new IllegalArgumentException(
          "cross_entropy_loss: ignore_index=" + ignoreIndex + " is not for probabilities");
    }
    int classes = self.shape().dims() == 1 ? 0 : 1;
    Tensor scores = Ops._logSoftmax(self, classes, false);
    long count = self.shape().size(classes);
    Tensor wanted =
        labelSmoothing == 0
            ? target
            : Ops.add(
                Ops.mul(target, Scalar.of(1 - labelSmoothing)), Scalar.of(labelSmoothing / count));
    Tensor each = Ops.mul(scores, wanted);
    if (weight != null) {
      each = Ops.mul(each, alongClasses(weight, scores, classes));
    }
    if (reduction == NONE) {
      return Ops.neg(Ops.sum(each, classes));
    }
    Tensor sum = Ops.neg(Ops.sum(each));
    if (reduction != MEAN) {
      return sum;
    }
    double samples = self.elements() == 0 ? 0 : (double) self.elements() / count;
    return Ops.div(sum, Scalar.of(samples));
  }

  static Tensor mseLoss(Tensor self, Tensor target, long reduction) {
    Tensor difference = difference(self, target);
    if (!difference.dtype().isFloating()) {
      throw new IllegalArgumentException("mse_loss is not there for dtype=" + difference.dtype());
    }
    return reduced(Ops.mul(difference, difference), reduction);
  }

  static Tensor mseLossBackward(Tensor gradOutput, Tensor self, Tensor target, long reduction) {
    Tensor difference = difference(self, target);
    double scale = reduction == MEAN ? 2.0 / difference.elements() : 2.0;
    return Ops.mul(Ops.mul(difference, Scalar.of(scale)), gradOutput);
  }

  /** Of what both promote to, so that a mask may be a target. */
  private static Tensor difference(Tensor self, Tensor target) {
    DType common = Promotion.of(self, target);
    return Ops.sub(converted(self, common), converted(target, common));
  }

  static Tensor l1Loss(Tensor self, Tensor target, long reduction) {
    return reduced(Ops.abs(Ops.sub(self, target)), reduction);
  }

  static Tensor smoothL1Loss(Tensor self, Tensor target, long reduction, double beta) {
    if (beta < 0) {
      throw new IllegalArgumentException("smooth_l1_loss: beta=" + beta + " is negative");
    }
    DType common = Promotion.of(self, target);
    if (!common.isFloating()) {
      throw new IllegalArgumentException("smooth_l1_loss is not there for dtype=" + common);
    }
    if (beta == 0) {
      return l1Loss(self, target, reduction);
    }
    Tensor distance = Ops.abs(Ops.sub(self, target));
    Tensor near = Ops.div(Ops.mul(distance, distance), Scalar.of(2 * beta));
    Tensor far = Ops.add(distance, Scalar.of(-0.5 * beta));
    return reduced(Ops.where(Ops.lt(distance, Scalar.of(beta)), near, far), reduction);
  }

  static Tensor bceWithLogits(
      Tensor self, Tensor target, Tensor weight, Tensor posWeight, long reduction) {
    requireConstant("weight", weight);
    requireConstant("pos_weight", posWeight);
    requireTarget(self, target);
    Tensor likelihood = Ops.logSigmoid(self);
    if (posWeight != null) {
      Tensor factor = Ops.add(Ops.mul(Ops.add(posWeight, Scalar.of(-1)), target), Scalar.ONE);
      likelihood = Ops.mul(factor, likelihood);
    }
    Tensor loss = Ops.sub(Ops.mul(Ops.rsub(target, Scalar.ONE, Scalar.ONE), self), likelihood);
    return reduced(weight == null ? loss : Ops.mul(loss, weight), reduction);
  }

  /** The target is of the loss's shape, and of a dtype that holds it. */
  private static void requireTarget(Tensor self, Tensor target) {
    String op = "binary_cross_entropy_with_logits";
    Forms.requireCast(op, Promotion.of(self, target), target.dtype());
    if (!Shapes.broadcast(op, self.shape(), target.shape()).equals(target.shape())) {
      throw new IllegalArgumentException(
          op
              + ": input of shape "
              + self.shape()
              + " does not broadcast to target's "
              + target.shape());
    }
  }

  private static void requireConstant(String name, Tensor given) {
    if (given != null && given.requiresGrad() && GradMode.isEnabled()) {
      throw new UnsupportedOperationException(
          "binary_cross_entropy_with_logits: there is no derivative for '"
              + name
              + "', so that it must not require a gradient; detach() it");
    }
  }

  private static Tensor reduced(Tensor each, long reduction) {
    return reduction == NONE ? each : reduction == MEAN ? Ops.mean(each) : Ops.sum(each);
  }
}
