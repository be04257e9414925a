package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.cpu.Losses;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;

/** Losses that compare element with element: Huber's, entropies, likelihoods. */
final class DivergenceOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();
  private static final long SUM = 2;

  private DivergenceOps() {}

  static void define(Definitions d) {
    d.op("huber_loss(Tensor self, Tensor target, int reduction=1, float delta=1.) -> Tensor")
        .composite(LOOKUP, "huberLoss")
        .out("out");
    d.op(
            "huber_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction,"
                + " float delta) -> Tensor")
        .composite(LOOKUP, "huberLossBackward")
        .outAs(
            "huber_loss_backward.out(Tensor grad_output, Tensor self, Tensor target, int"
                + " reduction, float delta, *, Tensor(a!) grad_input) -> Tensor(a!)");
    d.op(
            "smooth_l1_loss_backward(Tensor grad_output, Tensor self, Tensor target, int"
                + " reduction, float beta) -> Tensor")
        .composite(LOOKUP, "smoothL1LossBackward")
        .out("grad_input", "grad_input");
    d.op(
            "binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int"
                + " reduction=1) -> Tensor")
        .everywhere(LOOKUP, "binaryCrossEntropy")
        .exactOut("out");
    d.op(
            "binary_cross_entropy_backward(Tensor grad_output, Tensor self, Tensor target,"
                + " Tensor? weight=None, int reduction=1) -> Tensor")
        .composite(LOOKUP, "binaryCrossEntropyBackward")
        .outAs(
            "binary_cross_entropy_backward.grad_input(Tensor grad_output, Tensor self, Tensor"
                + " target, Tensor? weight=None, int reduction=1, *, Tensor(a!) grad_input) ->"
                + " Tensor(a!)");
    d.op(
            "kl_div(Tensor self, Tensor target, int reduction=1, *, bool log_target=False) ->"
                + " Tensor")
        .composite(LOOKUP, "klDiv");
    d.op(
            "poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps,"
                + " int reduction) -> Tensor")
        .composite(LOOKUP, "poissonNllLoss");
    d.op("soft_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor")
        .composite(LOOKUP, "softMarginLoss")
        .exactOut("out");
    d.op(
            "soft_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int"
                + " reduction) -> Tensor")
        .composite(LOOKUP, "softMarginLossBackward")
        .out("grad_input", "grad_input");
  }

  /** What is asked of all of them: every element, their mean, or their sum. */
  static Tensor reduced(Tensor each, long reduction) {
    return reduction == Losses.MEAN ? Ops.mean(each) : reduction == SUM ? Ops.sum(each) : each;
  }

  private static Tensor share(Tensor grad, Tensor each, long reduction) {
    return reduction == Losses.MEAN ? Ops.div(grad, Scalar.of((double) each.elements())) : grad;
  }

  static Tensor huberLoss(Tensor self, Tensor target, long reduction, double delta) {
    requireDelta("huber_loss", delta);
    Tensor distance = Ops.abs(Ops.sub(self, target));
    Tensor near = Ops.mul(Ops.mul(distance, distance), Scalar.of(0.5));
    Tensor far = Ops.mul(Ops.add(distance, Scalar.of(-0.5 * delta)), Scalar.of(delta));
    return reduced(Ops.where(Ops.le(distance, Scalar.of(delta)), near, far), reduction);
  }

  static Tensor huberLossBackward(
      Tensor grad, Tensor self, Tensor target, long reduction, double delta) {
    Tensor difference = Ops.sub(self, target);
    Tensor slope = Ops.clamp(difference, Scalar.of(-delta), Scalar.of(delta));
    return share(Ops.mul(slope, grad), difference, reduction);
  }

  private static void requireDelta(String op, double delta) {
    if (!(delta > 0)) {
      throw new IllegalArgumentException(op + ": delta=" + delta + " must be above 0");
    }
  }

  static Tensor smoothL1LossBackward(
      Tensor grad, Tensor self, Tensor target, long reduction, double beta) {
    Tensor difference = Ops.sub(self, target);
    Tensor slope =
        beta == 0
            ? Ops.sign(difference)
            : Ops.clamp(Ops.div(difference, Scalar.of(beta)), Scalar.of(-1.0), Scalar.of(1.0));
    return share(Ops.mul(slope, grad), difference, reduction);
  }

  /** The logarithms are cut at -100, so that a loss stays finite. */
  static Tensor binaryCrossEntropy(Tensor self, Tensor target, Tensor weight, long reduction) {
    requireSame("binary_cross_entropy", self, target);
    Tensor within = Ops.logicalAnd(Ops.ge(self, Scalar.ZERO), Ops.le(self, Scalar.ONE));
    if (self.elements() > 0 && !Ops.localScalarDense(Ops.all(within)).toBoolean()) {
      throw new IllegalArgumentException(
          "binary_cross_entropy: all elements of input must be between 0 and 1");
    }
    Scalar least = Scalar.of(-100);
    Tensor miss = Ops.clampMin(Ops.log1p(Ops.neg(self)), least);
    Tensor hit = Ops.clampMin(Ops.log(self), least);
    Tensor each = Ops.sub(Ops.mul(Ops.add(target, Scalar.of(-1)), miss), Ops.mul(target, hit));
    return reduced(weight == null ? each : Ops.mul(each, weight), reduction);
  }

  static Tensor binaryCrossEntropyBackward(
      Tensor grad, Tensor self, Tensor target, Tensor weight, long reduction) {
    Tensor spread =
        Ops.clampMin(Ops.mul(Ops.rsub(self, Scalar.ONE, Scalar.ONE), self), Scalar.of(1e-12));
    Tensor each = Ops.div(Ops.mul(grad, Ops.sub(self, target)), spread);
    return share(weight == null ? each : Ops.mul(each, weight), self, reduction);
  }

  private static void requireSame(String op, Tensor self, Tensor target) {
    if (!self.shape().equals(target.shape())) {
      throw new IllegalArgumentException(
          op
              + ": target of shape="
              + target.shape()
              + " must have that of the input, "
              + self.shape());
    }
    if (self.dtype() != target.dtype() || !self.dtype().isFloating()) {
      throw new IllegalArgumentException(
          op
              + ": input and target must be floats of one dtype, but are "
              + self.dtype()
              + " and "
              + target.dtype());
    }
  }

  static Tensor klDiv(Tensor self, Tensor target, long reduction, boolean logTarget) {
    Tensor each =
        logTarget
            ? Ops.mul(Ops.exp(target), Ops.sub(target, self))
            : Ops.sub(Ops.xlogy(target, target), Ops.mul(target, self));
    return reduced(each, reduction);
  }

  static Tensor poissonNllLoss(
      Tensor input, Tensor target, boolean logInput, boolean full, double eps, long reduction) {
    Tensor each =
        logInput
            ? Ops.sub(Ops.exp(input), Ops.mul(target, input))
            : Ops.sub(input, Ops.mul(target, Ops.log(Ops.add(input, Scalar.of(eps)))));
    if (full) { // Stirling's approximation of the factorial
      Tensor stirling =
          Ops.add(
              Ops.sub(Ops.mul(target, Ops.log(target)), target),
              Ops.mul(Ops.log(Ops.mul(target, Scalar.of(2 * Math.PI))), Scalar.of(0.5)));
      each = Ops.add(each, Ops.maskedFill(stirling, Ops.le(target, Scalar.ONE), Scalar.ZERO));
    }
    return reduced(each, reduction);
  }

  static Tensor softMarginLoss(Tensor self, Tensor target, long reduction) {
    return reduced(Ops.log1p(Ops.exp(Ops.mul(Ops.neg(target), self))), reduction);
  }

  static Tensor softMarginLossBackward(Tensor grad, Tensor self, Tensor target, long reduction) {
    Tensor z = Ops.exp(Ops.mul(Ops.neg(target), self));
    Tensor each = Ops.mul(Ops.neg(target), Ops.div(z, Ops.add(z, Scalar.ONE)));
    return share(Ops.mul(each, grad), self, reduction);
  }
}
