package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.Dispatcher;
import dev.jcomms.tensor.internal.Views;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;

/** The gradients of views that leave something out: laid into zeros. */
final class ViewBackwardOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();

  private ViewBackwardOps() {}

  static void define(Definitions d) {
    d.op(
            "select_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt index) ->"
                + " Tensor")
        .everywhere(LOOKUP, "select");
    d.op(
            "slice_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, SymInt"
                + " end, SymInt step) -> Tensor")
        .everywhere(LOOKUP, "slice");
    d.op(
            "diagonal_backward(Tensor grad_output, SymInt[] input_sizes, int offset, int dim1, int"
                + " dim2) -> Tensor")
        .everywhere(LOOKUP, "diagonal");
    d.op(
            "unfold_backward(Tensor grad_in, SymInt[] input_sizes, int dim, int size, int step) ->"
                + " Tensor")
        .everywhere(LOOKUP, "unfold");
  }

  static Tensor select(Tensor grad, long[] sizes, long dim, long index) {
    Tensor whole = zeros(grad, sizes);
    Ops.copy_(Views.select(whole, dim, index), grad);
    return whole;
  }

  static Tensor slice(Tensor grad, long[] sizes, long dim, long start, long end, long step) {
    Tensor whole = zeros(grad, sizes);
    Ops.copy_(Views.slice(whole, dim, start, end, step), grad);
    return whole;
  }

  static Tensor diagonal(Tensor grad, long[] sizes, long offset, long dim1, long dim2) {
    Tensor whole = zeros(grad, sizes);
    Ops.copy_(Views.diagonal(whole, offset, dim1, dim2), grad);
    return whole;
  }

  /** Windows may overlap: one index of all windows after the other, none of them twice. */
  static Tensor unfold(Tensor grad, long[] sizes, long dim, long size, long step) {
    Tensor whole = zeros(grad, sizes);
    Tensor windows = Views.unfold(whole, dim, size, step);
    for (long i = 0; i < size; i++) {
      Dispatcher.call(
          "aten::add_.Tensor", Views.select(windows, -1, i), Views.select(grad, -1, i), Scalar.ONE);
    }
    return whole;
  }

  private static Tensor zeros(Tensor like, long[] sizes) {
    return (Tensor) Dispatcher.call("aten::zeros", sizes, like.dtype(), null, like.device(), null);
  }
}
