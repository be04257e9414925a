package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;

/**
 * A tensor taken apart for a reduction: the elements of the result, each with a walk over what is
 * reduced to it.
 */
final class ReductionPlan {
  /** Over what is kept: operand 0 is the input at the first reduced index, 1 and up the results. */
  final Walk kept;

  /** Over what is reduced: operand 0 is the input at the first kept index. */
  final Walk reduced;

  final Tensor in;
  final long address;
  final Tensor[] out;
  final long[] outAddresses;

  /**
   * @param reduce for each dimension of the input whether it goes
   * @param out results with the shape of what is kept, with or without dimensions of size 1 for
   *     what is not
   */
  ReductionPlan(Tensor in, boolean[] reduce, Tensor... out) {
    this.in = in;
    this.address = Memory.address(in);
    this.out = out;
    this.outAddresses = new long[out.length];
    int dims = in.shape().dims();
    Tensor keptView = in;
    Tensor reducedView = in;
    for (int d = dims - 1; d >= 0; d--) {
      if (reduce[d]) {
        keptView = first(keptView, d);
      } else {
        reducedView = first(reducedView, d);
      }
    }
    Tensor[] operands = new Tensor[out.length + 1];
    operands[0] = keptView;
    for (int k = 0; k < out.length; k++) {
      Tensor view = out[k];
      outAddresses[k] = Memory.writableAddress(view);
      for (int d = dims - 1; d >= 0 && view.shape().dims() > keptView.shape().dims(); d--) {
        if (reduce[d]) {
          view = view.select(d, 0);
        }
      }
      operands[k + 1] = view;
    }
    this.kept = Walk.of(keptView.shape(), operands);
    this.reduced = Walk.of(reducedView.shape(), reducedView);
  }

  /** Index 0 of a dimension; of an empty one too, where the view's elements are never read. */
  private static Tensor first(Tensor t, int d) {
    if (t.shape().size(d) > 0) {
      return t.select(d, 0);
    }
    long[] sizes = t.shape().toArray();
    long[] left = new long[sizes.length - 1];
    for (int i = 0, j = 0; i < sizes.length; i++) {
      if (i != d) {
        left[j++] = sizes[i];
      }
    }
    Shape shape = Shape.of(left);
    return shape.elements() == 0
        ? Tensor.empty(t.dtype(), shape)
        : Tensor.empty(t.dtype(), Shape.scalar()).expand(shape);
  }

  /** Reads what is reduced to one result. */
  Cursor row(long number) {
    return new Cursor(reduced, 0, in.dtype(), address + kept.offset(0, number));
  }

  /** Where a row lies as the carrier wants it; 0 if nowhere. */
  long flatRow(long number, Carrier carrier) {
    return reduced.isFlat(0) && in.dtype() == carrier.dtype ? address + kept.offset(0, number) : 0;
  }

  /** Writes consecutive results. */
  Cursor results(int which) {
    return new Cursor(kept, which + 1, out[which].dtype(), outAddresses[which]);
  }

  /**
   * Whether it is better to fold many rows of results at once than one result after the other: the
   * input's neighbours belong to different results, or there is little to fold for each.
   */
  boolean isByColumns() {
    return kept.elements > 1
        && (reduced.steps[0][0] > kept.steps[0][0] && kept.sizes[0] >= 4
            || reduced.elements < 32 && kept.elements >= 32);
  }
}
