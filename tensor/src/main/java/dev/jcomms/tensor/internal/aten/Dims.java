package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.TensorAccess;

/** Which dimensions a reduction takes away, and what shape is left. */
final class Dims {
  private Dims() {}

  /**
   * A mark for each dimension that goes. A 0-d tensor counts as having one dimension.
   *
   * @param dim null, or empty, for all
   */
  static boolean[] marks(String op, Tensor self, long[] dim) {
    int dims = self.shape().dims();
    boolean[] marks = new boolean[dims];
    if (dim == null || dim.length == 0) {
      java.util.Arrays.fill(marks, true);
      return marks;
    }
    boolean seen = false;
    for (long one : dim) {
      int d = TensorAccess.wrap(one, Math.max(1, dims), op + " of " + self.shape());
      if (dims == 0 ? seen : marks[d]) {
        throw new IllegalArgumentException(
            op + ": dim=" + d + " appears multiple times in the list of dims");
      }
      seen = true;
      if (dims > 0) {
        marks[d] = true;
      }
    }
    return marks;
  }

  /** No dimension at all, where an empty list means that. */
  static boolean[] none(Tensor self) {
    return new boolean[self.shape().dims()];
  }

  static Shape result(Tensor self, boolean[] marks, boolean keepDim) {
    long[] sizes = self.shape().toArray();
    int left = 0;
    for (int d = 0; d < sizes.length; d++) {
      if (keepDim) {
        sizes[left++] = marks[d] ? 1 : sizes[d];
      } else if (!marks[d]) {
        sizes[left++] = sizes[d];
      }
    }
    return TensorAccess.shape(java.util.Arrays.copyOf(sizes, left));
  }

  /** Elements that become one. */
  static long reduced(Tensor self, boolean[] marks) {
    long count = 1;
    for (int d = 0; d < marks.length; d++) {
      count *= marks[d] ? self.shape().size(d) : 1;
    }
    return count;
  }

  /** Refuses to look for an extreme among nothing. */
  static void requireElements(String op, Tensor self, long[] dim, boolean[] marks) {
    if (self.elements() > 0) {
      return;
    }
    if (dim == null || dim.length == 0) {
      throw new IllegalArgumentException(
          op + ": expected reduction dim to be specified for shape " + self.shape());
    }
    for (int d = 0; d < marks.length; d++) {
      if (marks[d] && self.shape().size(d) == 0) {
        throw new IndexOutOfBoundsException(
            op + ": expected reduction dim=" + d + " to have non-zero size");
      }
    }
  }
}
