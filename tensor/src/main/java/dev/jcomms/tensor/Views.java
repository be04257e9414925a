package dev.jcomms.tensor;

import java.util.Arrays;

/** Other headers over the same storage: every rule that needs only sizes, strides and offset. */
final class Views {
  private Views() {}

  static Tensor narrow(Tensor t, int dim, long start, long length) {
    int d = Shape.wrap(dim, t.shape().dims(), t.facts());
    long size = t.shape().sizes()[d];
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

  static Tensor slice(Tensor t, int dim, long start, long end, long step) {
    int d = Shape.wrap(dim, t.shape().dims(), t.facts());
    if (step <= 0) {
      throw new IllegalArgumentException("slice: step=" + step + " must be positive");
    }
    long size = t.shape().sizes()[d];
    long first = clamp(start < 0 ? start + size : start, 0, size);
    long limit = clamp(end < 0 ? end + size : end, first, size);
    long length = (limit - first) / step + ((limit - first) % step == 0 ? 0 : 1);
    return resized(t, d, first, length, length > 1 ? step : 1);
  }

  static Tensor select(Tensor t, int dim, long index) {
    int d = Shape.wrap(dim, t.shape().dims(), t.facts());
    long size = t.shape().sizes()[d];
    if (index < -size || index >= size) {
      throw new IndexOutOfBoundsException(
          "select: index=" + index + " is out of range of dim=" + d + " of size=" + size);
    }
    long offset = t.offset() + (index < 0 ? index + size : index) * t.ownStrides()[d];
    return t.view(Shape.own(without(t.shape().sizes(), d)), without(t.ownStrides(), d), offset);
  }

  static Tensor permute(Tensor t, int... order) {
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
      int d = Shape.wrap(order[i], dims, t.facts());
      if (seen[d]) {
        throw new IllegalArgumentException(
            "permute: order=" + Arrays.toString(order) + " names dim=" + d + " twice");
      }
      seen[d] = true;
      sizes[i] = t.shape().sizes()[d];
      strides[i] = t.ownStrides()[d];
    }
    return t.view(Shape.own(sizes), strides, t.offset());
  }

  static Tensor transpose(Tensor t, int a, int b) {
    int dims = t.shape().dims();
    int i = Shape.wrap(a, Math.max(1, dims), t.facts());
    int j = Shape.wrap(b, Math.max(1, dims), t.facts());
    if (i == j) {
      return t;
    }
    int[] order = new int[dims];
    Arrays.setAll(order, d -> d == i ? j : d == j ? i : d);
    return permute(t, order);
  }

  static Tensor t(Tensor t) {
    if (t.shape().dims() > 2) {
      throw new IllegalArgumentException("t: tensor " + t.facts() + " has more than 2 dims");
    }
    return t.shape().dims() < 2 ? t : transpose(t, 0, 1);
  }

  static Tensor unsqueeze(Tensor t, int dim) {
    int dims = t.shape().dims();
    int d = Shape.wrap(dim, dims + 1, "the result of unsqueeze");
    long[] sizes = new long[dims + 1];
    long[] strides = new long[dims + 1];
    for (int from = 0, to = 0; to <= dims; to++) {
      if (to == d) {
        sizes[to] = 1;
        strides[to] = d < dims ? t.shape().sizes()[d] * t.ownStrides()[d] : 1;
      } else {
        sizes[to] = t.shape().sizes()[from];
        strides[to] = t.ownStrides()[from++];
      }
    }
    return t.view(Shape.own(sizes), strides, t.offset());
  }

  static Tensor squeeze(Tensor t) {
    Tensor out = t;
    for (int d = t.shape().dims() - 1; d >= 0; d--) {
      out = squeeze(out, d);
    }
    return out;
  }

  static Tensor squeeze(Tensor t, int dim) {
    int d = Shape.wrap(dim, Math.max(1, t.shape().dims()), t.facts());
    if (t.shape().dims() == 0 || t.shape().sizes()[d] != 1) {
      return t;
    }
    return t.view(Shape.own(without(t.shape().sizes(), d)), without(t.ownStrides(), d), t.offset());
  }

  /** Sizes of -1 keep what is there; a new leading dimension cannot be -1. */
  static Tensor expand(Tensor t, long[] asked) {
    int added = asked.length - t.shape().dims();
    long[] sizes = asked.clone();
    long[] strides = new long[asked.length];
    for (int d = 0; d < asked.length; d++) {
      long size = d < added ? 1 : t.shape().sizes()[d - added];
      if (asked[d] == -1 && d >= added) {
        sizes[d] = size;
      }
      if (sizes[d] == size && d >= added) {
        strides[d] = t.ownStrides()[d - added];
      } else if (size != 1 || sizes[d] < 0) {
        throw cannotExpand(t, asked);
      }
    }
    if (added < 0) {
      throw cannotExpand(t, asked);
    }
    return t.view(Shape.own(sizes), strides, t.offset());
  }

  private static IllegalArgumentException cannotExpand(Tensor t, long[] asked) {
    return new IllegalArgumentException(
        "expand: shape=" + t.shape() + " does not expand to " + Arrays.toString(asked));
  }

  /** The shape that two shapes broadcast to. */
  static Shape broadcast(Shape a, Shape b) {
    int dims = Math.max(a.dims(), b.dims());
    long[] sizes = new long[dims];
    for (int d = 1; d <= dims; d++) {
      long x = d <= a.dims() ? a.size(-d) : 1;
      long y = d <= b.dims() ? b.size(-d) : 1;
      if (x != y && x != 1 && y != 1) {
        throw new IllegalArgumentException("shapes " + a + " and " + b + " do not broadcast");
      }
      sizes[dims - d] = x == 1 ? y : x;
    }
    return Shape.own(sizes);
  }

  static Tensor view(Tensor t, long[] asked) {
    Shape shape = infer("view", t, asked);
    long[] strides = stridesFor(t, shape);
    if (strides == null) {
      throw new IllegalArgumentException(
          "view: shape="
              + shape
              + " cannot be seen over "
              + t.facts()
              + " without a copy; use reshape or contiguous");
    }
    return t.view(shape, strides, t.offset());
  }

  static Tensor reshape(Tensor t, long[] asked) {
    Shape shape = infer("reshape", t, asked);
    long[] strides = stridesFor(t, shape);
    return strides != null
        ? t.view(shape, strides, t.offset())
        : t.copy().view(shape, shape.contiguousStrides(), 0);
  }

  /** Replaces one -1 by what makes the element counts equal. */
  private static Shape infer(String what, Tensor t, long[] asked) {
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
    Shape shape = Shape.own(sizes);
    if (free >= 0 && shape.elements() > 0 && t.elements() % shape.elements() == 0) {
      sizes[free] = t.elements() / shape.elements();
      shape = Shape.own(sizes);
    } else if (free >= 0 || shape.elements() != t.elements()) {
      throw new IllegalArgumentException(
          what
              + ": shape="
              + Arrays.toString(asked)
              + " does not hold the "
              + t.elements()
              + " elements of "
              + t.facts());
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
      return shape.equals(t.shape()) ? t.ownStrides() : shape.contiguousStrides();
    }
    long[] oldSizes = t.shape().sizes();
    long[] oldStrides = t.ownStrides();
    long[] sizes = shape.sizes();
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
    long[] strides = t.ownStrides().clone();
    long offset = t.offset() + first * strides[d];
    sizes[d] = length;
    strides[d] *= step;
    return t.view(Shape.own(sizes), strides, offset);
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
