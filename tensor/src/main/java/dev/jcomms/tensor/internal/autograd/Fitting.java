package dev.jcomms.tensor.internal.autograd;

import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;

/** Makes a gradient look like what it belongs to: summed over broadcast dimensions, converted. */
final class Fitting {
  private Fitting() {}

  static Tensor fit(Tensor gradient, Header wanted, String whose) {
    if (wanted == null) {
      throw new IllegalStateException(whose + " gave a gradient for what is not differentiable");
    }
    Tensor out = gradient;
    if (!out.shape().equals(wanted.shape())) {
      if (!expands(wanted.shape(), out.shape())) {
        throw new IllegalStateException(
            whose
                + " gave a gradient of shape "
                + out.shape()
                + " where "
                + wanted.shape()
                + " is wanted");
      }
      out = Sums.sumTo(out, wanted.shape());
    }
    boolean elsewhere = !out.device().equals(wanted.device());
    if (elsewhere && out.shape().dims() != 0) {
      throw new IllegalStateException(
          whose
              + " gave a gradient on "
              + out.device()
              + " where one on "
              + wanted.device()
              + " is wanted");
    }
    if (elsewhere || out.dtype() != wanted.dtype()) {
      out = Ops.toCopy(out, wanted.dtype(), elsewhere ? wanted.device() : null);
    }
    return out;
  }

  /** Refuses what stands in for a gradient and is not of its shape, dtype and device. */
  static void requireSame(Tensor given, Header wanted, String whose) {
    if (!given.shape().equals(wanted.shape())
        || given.dtype() != wanted.dtype()
        || !given.device().equals(wanted.device())) {
      throw new IllegalStateException(
          whose
              + " gave a gradient of "
              + given.dtype()
              + ", shape "
              + given.shape()
              + ", on "
              + given.device()
              + "; it was "
              + wanted.dtype()
              + ", shape "
              + wanted.shape()
              + ", on "
              + wanted.device());
    }
  }

  /** Whether {@code small} broadcasts to {@code large}. */
  private static boolean expands(Shape small, Shape large) {
    if (small.dims() > large.dims()) {
      return false;
    }
    for (int d = 1; d <= small.dims(); d++) {
      if (small.size(-d) != large.size(-d) && small.size(-d) != 1) {
        return false;
      }
    }
    return true;
  }
}
