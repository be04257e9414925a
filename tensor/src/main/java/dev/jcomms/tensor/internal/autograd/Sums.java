package dev.jcomms.tensor.internal.autograd;

import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.Dispatcher;
import java.util.Arrays;

/** Sums of gradients, as operators, so that they can be differentiated again. */
final class Sums {
  private Sums() {}

  static Tensor add(Tensor a, Tensor b) {
    return (Tensor) Dispatcher.call("aten::add.Tensor", a, b, Scalar.ONE);
  }

  static void addInto(Tensor sum, Tensor term) {
    Dispatcher.call("aten::add_.Tensor", sum, term, Scalar.ONE);
  }

  /** Sums over the dimensions that {@code shape} has not, or has with size 1. */
  static Tensor sumTo(Tensor t, Shape shape) {
    int leading = t.shape().dims() - shape.dims();
    long[] dims = new long[t.shape().dims()];
    int count = 0;
    for (int d = 0; d < dims.length; d++) {
      if (d < leading || shape.size(d - leading) == 1 && t.shape().size(d) != 1) {
        dims[count++] = d;
      }
    }
    Tensor out = t;
    if (count > 0) {
      out = (Tensor) Dispatcher.call("aten::sum.dim_IntList", t, Arrays.copyOf(dims, count), true);
    }
    return leading > 0 ? Ops.view(out, shape.toArray()) : out;
  }
}
