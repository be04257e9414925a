package dev.jcomms.tensor.internal;

import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.Arrays;

/** Other headers over the same storage: every rule that needs only sizes, strides and offset. */
public final class Views {
  private Views() {}

  public static Tensor narrow(Tensor t, long dim, long start, long length) {
    int d = TensorAccess.wrap(dim, t.shape().dims(), TensorAccess.facts(t));
    long size = TensorAccess.sizes(t.shape())[d];
    long first = start < 0 ? start + size : start;
    if (first < 0 || length < 0 || first > size - length) {
      throw new IndexOutOfBoundsException(
          "narrow: start="
              + start
              + " length="
              + length
              + " does not fit dim="
              + d
              + " of size="
              + size);
    }
    return resized(t, d, first, length, 1);
  }

  public static Tensor slice(Tensor t, long dim, long start, long end, long step) {
    int d = TensorAccess.wrap(dim, t.shape().dims(), TensorAccess.facts(t));
    if (step <= 0) {
      throw new IllegalArgumentException("slice: step=" + step + " must be positive");
    }
    long size = TensorAccess.sizes(t.shape())[d];
    long first = clamp(start < 0 ? start + size : start, 0, size);
    long limit = clamp(end < 0 ? end + size : end, first, size);
    long length = (limit - first) / step + ((limit - first) % step == 0 ? 0 : 1);
    return resized(t, d, first, length, length > 1 ? step : 1);
  }

  public static Tensor select(Tensor t, long dim, long index) {
    int d = TensorAccess.wrap(dim, t.shape().dims(), TensorAccess.facts(t));
    long size = TensorAccess.sizes(t.shape())[d];
    if (index < -size || index >= size) {
      throw new IndexOutOfBoundsException(
          "select: index=" + index + " is out of range of dim=" + d + " of size=" + size);
    }
    long offset = t.offset() + (index < 0 ? index + size : index) * TensorAccess.strides(t)[d];
    return TensorAccess.view(
        t,
        TensorAccess.shape(without(TensorAccess.sizes(t.shape()), d)),
        without(TensorAccess.strides(t), d),
        offset);
  }

  public static Tensor permute(Tensor t, int... order) {
    int dims = t.shape().dims();
    if (order.length != dims) {
      throw new IllegalArgumentException(
          "permute: order="
              + Arrays.toString(order)
              + " has "
              + order.length
              + " dims; tensor has "
              + dims);
    }
    long[] sizes = new long[dims];
    long[] strides = new long[dims];
    boolean[] seen = new boolean[dims];
    for (int i = 0; i < dims; i++) {
      int d = TensorAccess.wrap(order[i], dims, TensorAccess.facts(t));
      if (seen[d]) {
        throw new IllegalArgumentException(
            "permute: order=" + Arrays.toString(order) + " names dim=" + d + " twice");
      }
      seen[d] = true;
      sizes[i] = TensorAccess.sizes(t.shape())[d];
      strides[i] = TensorAccess.strides(t)[d];
    }
    return TensorAccess.view(t, TensorAccess.shape(sizes), strides, t.offset());
  }

  public static Tensor transpose(Tensor t, long a, long b) {
    int dims = t.shape().dims();
    int i = TensorAccess.wrap(a, Math.max(1, dims), TensorAccess.facts(t));
    int j = TensorAccess.wrap(b, Math.max(1, dims), TensorAccess.facts(t));
    if (i == j) {
      return t;
    }
    int[] order = new int[dims];
    Arrays.setAll(order, d -> d == i ? j : d == j ? i : d);
    return permute(t, order);
  }

  public static Tensor t(Tensor t) {
    if (t.shape().dims() > 2) {
      throw new IllegalArgumentException(
          "t: tensor " + TensorAccess.facts(t) + " has more than 2 dims");
    }
    return t.shape().dims() < 2 ? t : transpose(t, 0, 1);
  }

  public static Tensor unsqueeze(Tensor t, long dim) {
    int dims = t.shape().dims();
    int d = TensorAccess.wrap(dim, dims + 1, "the result of unsqueeze");
    long[] sizes = new long[dims + 1];
    long[] strides = new long[dims + 1];
    for (int from = 0, to = 0; to <= dims; to++) {
      if (to == d) {
        sizes[to] = 1;
        strides[to] = d < dims ? TensorAccess.sizes(t.shape())[d] * TensorAccess.strides(t)[d] : 1;
      } else {
        sizes[to] = TensorAccess.sizes(t.shape())[from];
        strides[to] = TensorAccess.strides(t)[from++];
      }
    }
    return TensorAccess.view(t, TensorAccess.shape(sizes), strides, t.offset());
  }

  public static Tensor squeeze(Tensor t) {
    Tensor out = t;
    for (int d = t.shape().dims() - 1; d >= 0; d--) {
      out = squeeze(out, d);
    }
    return out;
  }

  public static Tensor squeeze(Tensor t, long dim) {
    int d = TensorAccess.wrap(dim, Math.max(1, t.shape().dims()), TensorAccess.facts(t));
    if (t.shape().dims() == 0 || TensorAccess.sizes(t.shape())[d] != 1) {
      return t;
    }
    return TensorAccess.view(
        t,
        TensorAccess.shape(without(TensorAccess.sizes(t.shape()), d)),
        without(TensorAccess.strides(t), d),
        t.offset());
  }

  /** Sizes of -1 keep what is there; a new leading dimension cannot be -1. */
  public static Tensor expand(Tensor t, long[] asked) {
    int added = asked.length - t.shape().dims();
    long[] sizes = asked.clone();
    long[] strides = new long[asked.length];
    for (int d = 0; d < asked.length; d++) {
      long size = d < added ? 1 : TensorAccess.sizes(t.shape())[d - added];
      if (asked[d] == -1 && d >= added) {
        sizes[d] = size;
      }
      if (sizes[d] == size && d >= added) {
        strides[d] = TensorAccess.strides(t)[d - added];
      } else if (size != 1 || sizes[d] < 0) {
        throw cannotExpand(t, asked);
      }
    }
    if (added < 0) {
      throw cannotExpand(t, asked);
    }
    return TensorAccess.view(t, TensorAccess.shape(sizes), strides, t.offset());
  }

  private static IllegalArgumentException cannotExpand(Tensor t, long[] asked) {
    return new IllegalArgumentException(
        "expand: shape=" + t.shape() + " does not expand to " + Arrays.toString(asked));
  }

  /** The shape that two shapes broadcast to. */
  public static Shape broadcast(String op, Shape a, Shape b) {
    if (a == b || b.dims() == 0 || a.equals(b)) {
      return a;
    }
    int dims = Math.max(a.dims(), b.dims());
    long[] sizes = new long[dims];
    for (int d = 1; d <= dims; d++) {
      long x = d <= a.dims() ? a.size(-d) : 1;
      long y = d <= b.dims() ? b.size(-d) : 1;
      if (x != y && x != 1 && y != 1) {
        throw new IllegalArgumentException(
            op
                + ": shapes "
                + a
                + " and "
                + b
                + " do not broadcast: sizes "
                + x
                + " and "
                + y
                + " at dim="
                + (dims - d));
      }
      sizes[dims - d] = x == 1 ? y : x;
    }
    return TensorAccess.shape(sizes);
  }

  public static Tensor view(Tensor t, long[] asked) {
    Shape shape = infer("view", t, asked);
    long[] strides = stridesFor(t, shape);
    if (strides == null) {
      throw new IllegalArgumentException(
          "view: shape="
              + shape
              + " cannot be seen over "
              + TensorAccess.facts(t)
              + " without a copy; use reshape or contiguous");
    }
    return TensorAccess.view(t, shape, strides, t.offset());
  }

  public static Tensor reshape(Tensor t, long[] asked) {
    Shape shape = infer("reshape", t, asked);
    long[] strides = stridesFor(t, shape);
    return strides != null
        ? TensorAccess.view(t, shape, strides, t.offset())
        : over(t.copy(), shape);
  }

  /** Whether {@link #view} with these sizes, which hold all elements, needs no copy. */
  public static boolean canView(Tensor t, long[] sizes) {
    return stridesFor(t, Shape.of(sizes)) != null;
  }

  /** The elements whose indexes of two dimensions differ by {@code offset}, as a last dimension. */
  public static Tensor diagonal(Tensor t, long offset, long dim1, long dim2) {
    int dims = t.shape().dims();
    int a = TensorAccess.wrap(dim1, dims, TensorAccess.facts(t));
    int b = TensorAccess.wrap(dim2, dims, TensorAccess.facts(t));
    if (a == b) {
      throw new IllegalArgumentException(
          "diagonal: dim1=" + dim1 + " and dim2=" + dim2 + " are the same");
    }
    long[] sizes = TensorAccess.sizes(t.shape());
    long[] strides = TensorAccess.strides(t);
    long length =
        Math.max(
            0,
            offset >= 0
                ? Math.min(sizes[a], sizes[b] - offset)
                : Math.min(sizes[a] + offset, sizes[b]));
    long start = t.offset();
    if (length > 0) {
      start += offset >= 0 ? offset * strides[b] : -offset * strides[a];
    }
    long[] outSizes = new long[dims - 1];
    long[] outStrides = new long[dims - 1];
    int to = 0;
    for (int d = 0; d < dims; d++) {
      if (d != a && d != b) {
        outSizes[to] = sizes[d];
        outStrides[to++] = strides[d];
      }
    }
    outSizes[to] = length;
    outStrides[to] = strides[a] + strides[b];
    return TensorAccess.view(t, TensorAccess.shape(outSizes), outStrides, start);
  }

  /** Windows of {@code size} indexes of a dimension, {@code step} apart; the windows come last. */
  public static Tensor unfold(Tensor t, long dim, long size, long step) {
    int dims = t.shape().dims();
    int d = TensorAccess.wrap(dim, Math.max(1, dims), TensorAccess.facts(t));
    long length = dims == 0 ? 1 : TensorAccess.sizes(t.shape())[d];
    if (size < 0 || size > length || step <= 0) {
      throw new IllegalArgumentException(
          "unfold: size=" + size + " step=" + step + " do not fit dim=" + d + " of size=" + length);
    }
    long[] sizes = Arrays.copyOf(TensorAccess.sizes(t.shape()), dims + 1);
    long[] strides = Arrays.copyOf(TensorAccess.strides(t), dims + 1);
    sizes[dims] = size;
    strides[dims] = dims == 0 ? 1 : strides[d];
    if (d < dims) {
      sizes[d] = (length - size) / step + 1;
      strides[d] *= step;
    }
    return TensorAccess.view(t, TensorAccess.shape(sizes), strides, t.offset());
  }

  private static Tensor over(Tensor dense, Shape shape) {
    return TensorAccess.view(dense, shape, TensorAccess.contiguousStrides(shape), 0);
  }

  /** Replaces one -1 by what makes the element counts equal. */
  public static Shape infer(String what, Tensor t, long[] asked) {
    long[] sizes = asked.clone();
    int free = -1;
    for (int d = 0; d < sizes.length; d++) {
      if (sizes[d] == -1) {
        if (free >= 0) {
          throw new IllegalArgumentException(
              what + ": only one size can be -1; asked for " + Arrays.toString(asked));
        }
        free = d;
        sizes[d] = 1;
      }
    }
    Shape shape = TensorAccess.shape(sizes);
    if (free >= 0 && shape.elements() > 0 && t.elements() % shape.elements() == 0) {
      sizes[free] = t.elements() / shape.elements();
      shape = TensorAccess.shape(sizes);
    } else if (free >= 0 || shape.elements() != t.elements()) {
      throw new IllegalArgumentException(
          what
              + ": shape="
              + Arrays.toString(asked)
              + " does not hold the "
              + t.elements()
              + " elements of "
              + TensorAccess.facts(t));
    }
    return shape;
  }

  /**
   * Strides that show {@code t}'s elements in their logical order under a new shape, or null where
   * only a copy can. Works from the last dimension: old dimensions that step evenly form a chunk,
   * and new dimensions must split each chunk exactly.
   */
  private static long[] stridesFor(Tensor t, Shape shape) {
    if (t.elements() == 0 || t.shape().dims() == 0) {
      return shape.equals(t.shape())
          ? TensorAccess.strides(t)
          : TensorAccess.contiguousStrides(shape);
    }
    long[] oldSizes = TensorAccess.sizes(t.shape());
    long[] oldStrides = TensorAccess.strides(t);
    long[] sizes = TensorAccess.sizes(shape);
    long[] strides = new long[sizes.length];
    int v = sizes.length - 1;
    long step = oldStrides[oldStrides.length - 1];
    long chunk = 1;
    long filled = 1;
    for (int d = oldSizes.length - 1; d >= 0; d--) {
      chunk *= oldSizes[d];
      if (d > 0 && (oldSizes[d - 1] == 1 || oldStrides[d - 1] == chunk * step)) {
        continue;
      }
      while (v >= 0 && (filled < chunk || sizes[v] == 1)) {
        strides[v] = filled * step;
        filled *= sizes[v--];
      }
      if (filled != chunk) {
        return null;
      }
      if (d > 0) {
        step = oldStrides[d - 1];
        chunk = 1;
        filled = 1;
      }
    }
    return v < 0 ? strides : null;
  }

  private static Tensor resized(Tensor t, int d, long first, long length, long step) {
    long[] sizes = t.shape().toArray();
    long[] strides = TensorAccess.strides(t).clone();
    long offset = t.offset() + first * strides[d];
    sizes[d] = length;
    strides[d] *= step;
    return TensorAccess.view(t, TensorAccess.shape(sizes), strides, offset);
  }

  private static long clamp(long value, long low, long high) {
    return Math.min(Math.max(value, low), high);
  }

  private static long[] without(long[] values, int d) {
    long[] out = new long[values.length - 1];
    System.arraycopy(values, 0, out, 0, d);
    System.arraycopy(values, d + 1, out, d, out.length - d);
    return out;
  }
}
