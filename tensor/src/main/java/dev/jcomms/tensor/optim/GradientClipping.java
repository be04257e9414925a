package dev.jcomms.tensor.optim;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.GradMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Holds gradients to a length or to a range, between {@code backward} and an optimizer's step. What
 * has no gradient is passed over. Whoever calls it owns the parameters for that time.
 */
public final class GradientClipping {
  private static final double LITTLE = 1e-6; // so that a length of zero divides nothing

  private GradientClipping() {}

  /** As {@link #clipNorm(Iterable, double, double)}, by the Euclidean length. */
  public static double clipNorm(Iterable<Tensor> parameters, double maxNorm) {
    return clipNorm(parameters, maxNorm, 2);
  }

  /**
   * Scales all gradients by one factor, in place, so that together they are no longer than {@code
   * maxNorm}.
   *
   * @param order of the norm; infinity for the largest element
   * @return how long they were; NaN or infinite ones then are what the gradients are made of, too
   */
  public static double clipNorm(Iterable<Tensor> parameters, double maxNorm, double order) {
    if (!(maxNorm >= 0)) {
      throw new IllegalArgumentException("clipNorm: maxNorm=" + maxNorm + " must not be negative");
    }
    List<Tensor> gradients = gradients(parameters);
    if (gradients.isEmpty()) {
      return 0;
    }
    try (var _ = GradMode.noGrad()) {
      List<Tensor> lengths = new ArrayList<>();
      for (Tensor g : gradients) {
        lengths.add(Ops.vectorNorm(g, Scalar.of(order), null, false, DType.F64).cpu());
      }
      Tensor all = Ops.stack(lengths, 0);
      double total = Ops.vectorNorm(all, Scalar.of(order), null, false, null).toDoubleArray()[0];
      Scalar factor = Scalar.of(Math.min(1, maxNorm / (total + LITTLE)));
      gradients.forEach(g -> Ops.mul_(g, factor));
      return total;
    }
  }

  /** Cuts every element of every gradient, in place, to within {@code limit} of zero. */
  public static void clipValue(Iterable<Tensor> parameters, double limit) {
    if (!(limit >= 0)) {
      throw new IllegalArgumentException("clipValue: limit=" + limit + " must not be negative");
    }
    try (var _ = GradMode.noGrad()) {
      for (Tensor g : gradients(parameters)) {
        Ops.clamp_(g, Scalar.of(-limit), Scalar.of(limit));
      }
    }
  }

  private static List<Tensor> gradients(Iterable<Tensor> parameters) {
    List<Tensor> found = new ArrayList<>();
    parameters.forEach(p -> found.add(p.grad()));
    found.removeIf(Objects::isNull);
    return found;
  }
}
