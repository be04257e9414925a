package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;

/** What kernels check alike, and how they say no. */
final class Refusals {
  private Refusals() {}

  static void check(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }

  static IllegalArgumentException dtype(String op, DType dtype) {
    return new IllegalArgumentException(op + " is not there for dtype=" + dtype + " on the cpu");
  }

  static void floating(String op, Tensor t) {
    DType d = t.dtype();
    if (!d.isFloating() || d == DType.F8E4M3 || d == DType.F8E5M2) {
      throw dtype(op, d);
    }
  }

  /** An empty tensor of any dtype passes: there is nothing to compute. */
  static void floatingUnlessEmpty(String op, Tensor t) {
    if (t.elements() > 0) {
      floating(op, t);
    }
  }

  static void same(String op, String a, Tensor x, String b, Tensor y) {
    if (x.dtype() != y.dtype()) {
      throw new IllegalArgumentException(
          op
              + ": "
              + a
              + " and "
              + b
              + " must have the same dtype, but are "
              + x.dtype()
              + " and "
              + y.dtype());
    }
  }

  /** A dimension counted from the front; a 0-d tensor counts as having one. */
  static int dim(String op, long dim, int dims) {
    int n = Math.max(1, dims);
    if (dim < -n || dim >= n) {
      throw new IndexOutOfBoundsException(
          op + ": dim=" + dim + " is not a dimension of a tensor of dims=" + dims);
    }
    return (int) (dim < 0 ? dim + n : dim);
  }

  static void index(String op, Tensor index) {
    if (index.dtype() != DType.I64 && index.dtype() != DType.I32) {
      throw new IllegalArgumentException(
          op + ": index must be i64 or i32, but is " + index.dtype());
    }
  }

  static IndexOutOfBoundsException outside(String op, long index, int dim, long size) {
    return new IndexOutOfBoundsException(
        op + ": index=" + index + " is out of range of dim=" + dim + " of size=" + size);
  }

  /** One number of a list that may have been given as one for all. */
  static long at(String op, String name, long[] list, int i, int dims) {
    if (list.length != 1 && list.length != dims) {
      throw new IllegalArgumentException(
          op + ": " + name + " must have 1 or " + dims + " numbers, but has " + list.length);
    }
    return list.length == 1 ? list[0] : list[i];
  }
}
