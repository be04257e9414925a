package dev.jcomms.tensor;

import java.util.Arrays;
import java.util.function.UnaryOperator;

/**
 * The oracle of the view tests: a shape and the elements in logical order, with every view made by
 * looking each element up under its old index. No strides, no sharing.
 */
record Naive(long[] sizes, long[] values) {
  static Naive arange(long... sizes) {
    long[] values = new long[(int) Shape.of(sizes).elements()];
    Arrays.setAll(values, i -> i);
    return new Naive(sizes, values);
  }

  long get(long... index) {
    long at = 0;
    for (int d = 0; d < sizes.length; d++) {
      at = at * sizes[d] + index[d];
    }
    return values[(int) at];
  }

  /** The index of logical element {@code i}. */
  long[] index(long i) {
    long[] index = new long[sizes.length];
    for (int d = sizes.length - 1; d >= 0; d--) {
      index[d] = i % sizes[d];
      i /= sizes[d];
    }
    return index;
  }

  Naive map(long[] newSizes, UnaryOperator<long[]> oldIndex) {
    Naive out = arange(newSizes);
    for (int i = 0; i < out.values.length; i++) {
      out.values[i] = get(oldIndex.apply(out.index(i)));
    }
    return out;
  }

  Naive slice(int dim, long first, long length, long step) {
    long[] newSizes = sizes.clone();
    newSizes[dim] = length;
    return map(
        newSizes,
        index -> {
          index[dim] = first + index[dim] * step;
          return index;
        });
  }

  Naive select(int dim, long i) {
    return slice(dim, i, 1, 1).reshape(without(sizes, dim));
  }

  Naive permute(int[] order) {
    long[] newSizes = new long[sizes.length];
    Arrays.setAll(newSizes, d -> sizes[order[d]]);
    return map(
        newSizes,
        index -> {
          long[] old = new long[index.length];
          for (int d = 0; d < order.length; d++) {
            old[order[d]] = index[d];
          }
          return old;
        });
  }

  Naive expand(long... newSizes) {
    int added = newSizes.length - sizes.length;
    return map(
        newSizes,
        index -> {
          long[] old = Arrays.copyOfRange(index, added, index.length);
          for (int d = 0; d < old.length; d++) {
            old[d] = sizes[d] == 1 ? 0 : old[d];
          }
          return old;
        });
  }

  Naive reshape(long... newSizes) {
    return new Naive(newSizes, values);
  }

  static long[] without(long[] sizes, int dim) {
    long[] out = new long[sizes.length - 1];
    for (int d = 0; d < out.length; d++) {
      out[d] = sizes[d < dim ? d : d + 1];
    }
    return out;
  }

  static long[] with(long[] sizes, int dim, long size) {
    long[] out = new long[sizes.length + 1];
    for (int d = 0; d < out.length; d++) {
      out[d] = d == dim ? size : sizes[d < dim ? d : d - 1];
    }
    return out;
  }
}
