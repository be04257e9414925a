package dev.jcomms.tensor.internal.autograd.formulas;

import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.TensorAccess;
import java.util.Arrays;

/** Dimensions that a reduction took away, for formulas that need them back. */
final class Reductions {
  private Reductions() {}

  /** Which dimensions were reduced: all if none is named. */
  static boolean[] reduced(long[] dims, Shape shape) {
    boolean[] reduced = new boolean[shape.dims()];
    if (dims == null || dims.length == 0) {
      Arrays.fill(reduced, true);
    } else if (reduced.length > 0) {
      for (long dim : dims) {
        reduced[TensorAccess.wrap(dim, reduced.length, shape)] = true;
      }
    }
    return reduced;
  }

  /** How many elements went into one result. */
  static long count(long[] dims, Shape shape) {
    boolean[] reduced = reduced(dims, shape);
    long count = 1;
    for (int d = 0; d < reduced.length; d++) {
      count *= reduced[d] ? shape.size(d) : 1;
    }
    return count;
  }

  /** A result, or its gradient, with the reduced dimensions as size 1. */
  static Tensor restore(Tensor t, long[] dims, boolean kept, Shape shape) {
    if (kept || shape.dims() == 0) {
      return t;
    }
    boolean[] reduced = reduced(dims, shape);
    long[] sizes = shape.toArray();
    for (int d = 0; d < sizes.length; d++) {
      sizes[d] = reduced[d] ? 1 : sizes[d];
    }
    return Call.reshape(t, Shape.of(sizes));
  }
}
