package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Refusals.check;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.Elements;
import java.lang.ref.Reference;

/** Negative log likelihood, of vectors of classes and of images of them. */
public final class Losses {
  /** What becomes of the losses of all samples, numbered as PyTorch numbers it. */
  public static final long NONE = 0;

  public static final long MEAN = 1;
  public static final long SUM = 2;

  private Losses() {}

  /** Output and total weight. */
  public static Tensor[] nllLossForward(
      Tensor self, Tensor target, Tensor weight, long reduction, long ignoreIndex) {
    String op = "nll_loss_forward";
    vectors(op, self, target);
    Classes classes = Classes.of(op, self, target, weight);
    Shape each = self.shape().dims() == 1 ? Shape.scalar() : Shape.of(classes.batch);
    return forward(op, classes, each, reduction, ignoreIndex);
  }

  public static Tensor nllLossBackward(
      Tensor gradOutput,
      Tensor self,
      Tensor target,
      Tensor weight,
      long reduction,
      long ignoreIndex,
      Tensor totalWeight) {
    String op = "nll_loss_backward";
    vectors(op, self, target);
    return backward(
        op,
        Classes.of(op, self, target, weight),
        gradOutput,
        self,
        reduction,
        ignoreIndex,
        totalWeight);
  }

  public static Tensor[] nllLoss2dForward(
      Tensor self, Tensor target, Tensor weight, long reduction, long ignoreIndex) {
    String op = "nll_loss2d_forward";
    images(op, self, target);
    Classes classes = Classes.of(op, self, target, weight);
    return forward(op, classes, target.shape(), reduction, ignoreIndex);
  }

  public static Tensor nllLoss2dBackward(
      Tensor gradOutput,
      Tensor self,
      Tensor target,
      Tensor weight,
      long reduction,
      long ignoreIndex,
      Tensor totalWeight) {
    String op = "nll_loss2d_backward";
    images(op, self, target);
    return backward(
        op,
        Classes.of(op, self, target, weight),
        gradOutput,
        self,
        reduction,
        ignoreIndex,
        totalWeight);
  }

  private static void vectors(String op, Tensor self, Tensor target) {
    int dims = self.shape().dims();
    check(dims == 1 || dims == 2, op + ": input must have 1 or 2 dims, but is " + self.shape());
    check(
        target.shape().dims() <= 1,
        op + ": target must have 0 or 1 dims, but is " + target.shape());
    long batch = dims == 1 ? 1 : self.shape().size(0);
    check(
        target.elements() == batch,
        op + ": input of shape=" + self.shape() + " does not go with target " + target.shape());
  }

  private static void images(String op, Tensor self, Tensor target) {
    check(
        self.shape().dims() == 4 && target.shape().dims() == 3,
        op
            + ": input must have 4 dims and target 3, but are "
            + self.shape()
            + " and "
            + target.shape());
    check(
        self.shape().size(0) == target.shape().size(0)
            && self.shape().size(2) == target.shape().size(1)
            && self.shape().size(3) == target.shape().size(2),
        op + ": input of shape=" + self.shape() + " does not go with target " + target.shape());
  }

  /** Scores as {@code [batch, classes, places]}, a target for every batch and place. */
  private record Classes(
      Tensor scores, Tensor target, double[] weight, long batch, long classes, long places) {
    static Classes of(String op, Tensor self, Tensor target, Tensor weight) {
      Refusals.floating(op, self);
      check(
          target.dtype() == DType.I64 || target.dtype() == DType.U8,
          op + ": target must be i64 or u8, but is " + target.dtype());
      int dims = self.shape().dims();
      long classes = self.shape().size(dims == 1 ? 0 : 1);
      long batch = dims == 1 ? 1 : self.shape().size(0);
      long places = dims == 4 ? self.shape().size(2) * self.shape().size(3) : 1;
      if (weight != null) {
        check(
            weight.shape().dims() == 1 && weight.elements() == classes,
            op + ": weight must have " + classes + " elements, but is " + weight.shape());
        Refusals.same(op, "input", self, "weight", weight);
      }
      return new Classes(
          Dense.of(self),
          Dense.of(target),
          weight == null ? null : weight.toDoubleArray(),
          batch,
          classes,
          places);
    }

    long samples() {
      return batch * places;
    }

    /** The class of a sample; -1 if it is to be ignored. */
    long target(String op, long sample, long ignoreIndex) {
      long at = Dense.address(target) + sample * target.dtype().bytes();
      long c = Elements.getLong(Memory.ALL, target.dtype(), at);
      if (c == ignoreIndex) {
        return -1;
      }
      if (c < 0 || c >= classes) {
        throw new IndexOutOfBoundsException(
            op + ": target=" + c + " is not one of the " + classes + " classes");
      }
      return c;
    }

    /** Elements before the score of a class. */
    long position(long sample, long c) {
      return places == 1
          ? sample * classes + c
          : (sample / places * classes + c) * places + sample % places;
    }

    double weight(long c) {
      return weight == null ? 1 : weight[(int) c];
    }
  }

  private static Tensor[] forward(
      String op, Classes classes, Shape each, long reduction, long ignoreIndex) {
    DType dtype = classes.scores.dtype();
    long from = Dense.address(classes.scores);
    Tensor out = Tensor.zeros(dtype, reduction == NONE ? each : Shape.scalar());
    boolean alone = each.dims() == 0; // a sample without a batch is never kept apart
    double sum = 0;
    double total = 0;
    for (long i = 0; i < classes.samples(); i++) {
      long c = classes.target(op, i, ignoreIndex);
      if (c < 0) {
        continue;
      }
      double score =
          Elements.getDouble(Memory.ALL, dtype, from + classes.position(i, c) * dtype.bytes());
      double loss = -score * classes.weight(c);
      if (reduction == NONE && !alone) {
        Elements.putDouble(Memory.ALL, dtype, Dense.address(out) + i * dtype.bytes(), loss);
      } else {
        sum += loss;
        total += classes.weight(c);
      }
    }
    if (reduction != NONE || alone) {
      out.fill(reduction == MEAN ? sum / total : sum);
    }
    Reference.reachabilityFence(classes);
    Reference.reachabilityFence(out);
    return new Tensor[] {out, Tensor.full(dtype, Shape.scalar(), total)};
  }

  private static Tensor backward(
      String op,
      Classes classes,
      Tensor gradOutput,
      Tensor self,
      long reduction,
      long ignoreIndex,
      Tensor totalWeight) {
    DType dtype = self.dtype();
    check(
        gradOutput.elements() == (reduction == NONE ? classes.samples() : 1),
        op + ": grad_output has the wrong shape=" + gradOutput.shape());
    Tensor out = Tensor.zeros(dtype, self.shape());
    Tensor grad = Dense.of(gradOutput);
    double total = reduction == MEAN ? totalWeight.getDouble() : 1;
    for (long i = 0; i < classes.samples(); i++) {
      long c = classes.target(op, i, ignoreIndex);
      if (c >= 0) {
        long at = Dense.address(grad) + (reduction == NONE ? i * dtype.bytes() : 0);
        double g = Elements.getDouble(Memory.ALL, grad.dtype(), at);
        Elements.putDouble(
            Memory.ALL,
            dtype,
            Dense.address(out) + classes.position(i, c) * dtype.bytes(),
            -classes.weight(c) * g / total);
      }
    }
    Reference.reachabilityFence(classes);
    Reference.reachabilityFence(grad);
    Reference.reachabilityFence(out);
    return out;
  }
}
