package dev.jcomms.tensor;

import dev.jcomms.tensor.internal.TensorAccess;
import java.util.Arrays;

/**
 * The sizes of a tensor's dimensions. Immutable; any thread may use it.
 *
 * <p>A shape with no dimension is a scalar's and has one element. A shape whose element count does
 * not fit a {@code long} cannot be made, even when another size is zero, because its strides would
 * not fit either.
 */
public final class Shape {
  private static final Shape SCALAR = new Shape(new long[0], 1);

  private final long[] sizes;
  private final long elements;

  private Shape(long[] sizes, long elements) {
    this.sizes = sizes;
    this.elements = elements;
  }

  /**
   * @throws IllegalArgumentException if a size is negative or the element count overflows
   */
  public static Shape of(long... sizes) {
    return sizes.length == 0 ? SCALAR : own(sizes.clone());
  }

  /** The shape of a 0-d tensor. */
  public static Shape scalar() {
    return SCALAR;
  }

  /** As {@link #of}, but keeps the array: the caller must not use it again. */
  static Shape own(long[] sizes) {
    long span = 1;
    boolean empty = false;
    for (int d = 0; d < sizes.length; d++) {
      if (sizes[d] < 0) {
        throw new IllegalArgumentException(
            "shape "
                + Arrays.toString(sizes)
                + ": size="
                + sizes[d]
                + " of dim="
                + d
                + " is negative");
      }
      empty |= sizes[d] == 0;
      long factor = Math.max(1, sizes[d]);
      if (span > Long.MAX_VALUE / factor) {
        throw new IllegalArgumentException(
            "shape " + Arrays.toString(sizes) + " has more elements than a long can count");
      }
      span *= factor;
    }
    return new Shape(sizes, empty ? 0 : span);
  }

  /** How many dimensions there are. (A rank, in this product, is a member of a communicator.) */
  public int dims() {
    return sizes.length;
  }

  /**
   * The size of one dimension; {@code -1} is the last.
   *
   * @throws IndexOutOfBoundsException if there is no such dimension
   */
  public long size(int dim) {
    return sizes[TensorAccess.wrap(dim, sizes.length, this)];
  }

  public long elements() {
    return elements;
  }

  /** A copy of the sizes. */
  public long[] toArray() {
    return sizes.clone();
  }

  /** The sizes themselves; not to be written. */
  long[] sizes() {
    return sizes;
  }

  /** Row-major strides, in elements; a size of zero counts as one, as in PyTorch. */
  long[] contiguousStrides() {
    long[] strides = new long[sizes.length];
    long stride = 1;
    for (int d = sizes.length - 1; d >= 0; d--) {
      strides[d] = stride;
      stride *= Math.max(1, sizes[d]);
    }
    return strides;
  }

  /** Bytes of a contiguous tensor of this shape. */
  long bytes(DType dtype) {
    if (elements > Long.MAX_VALUE / dtype.bytes()) {
      throw new IllegalArgumentException(
          "shape=" + this + " of " + dtype + " has more bytes than a long can count");
    }
    return elements * dtype.bytes();
  }

  /** Whether strides lay the elements out one after the other; those of size 1 do not matter. */
  boolean isContiguous(long[] strides) {
    if (elements == 0) {
      return true;
    }
    long expected = 1;
    for (int d = sizes.length - 1; d >= 0; d--) {
      if (sizes[d] != 1) {
        if (strides[d] != expected) {
          return false;
        }
        expected *= sizes[d];
      }
    }
    return true;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Shape s && Arrays.equals(s.sizes, sizes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(sizes);
  }

  @Override
  public String toString() {
    return Arrays.toString(sizes);
  }
}
