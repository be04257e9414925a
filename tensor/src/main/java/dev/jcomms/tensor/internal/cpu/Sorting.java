package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Refusals.check;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.Elements;
import java.lang.ref.Reference;

/**
 * Sorting along a dimension, always stable; NaN counts as the largest number.
 *
 * <p>Every dtype is sorted by keys of one kind: a {@code long} that orders as the element does.
 */
public final class Sorting {
  private static final int SHORT_RUN = 16;
  private static final int FEW = 8; // selecting pays below this part of the line

  private Sorting() {}

  /** Values and indices. */
  public static Tensor[] sort(Tensor self, long dim, boolean descending) {
    int d = Refusals.dim("sort", dim, self.shape().dims());
    refuseBytes("sort", self);
    return ordered(self, d, descending, Axis.of(self.shape(), d).size());
  }

  /** Values and indices of the {@code k} first; always sorted. */
  public static Tensor[] topk(Tensor self, long k, long dim, boolean largest, boolean sorted) {
    int d = Refusals.dim("topk", dim, self.shape().dims());
    int size = Axis.of(self.shape(), d).size();
    check(k >= 0 && k <= size, "topk: k=" + k + " is not within dim=" + d + " of size=" + size);
    check(self.dtype() != DType.BOOL, "topk is not there for dtype=bool on the cpu");
    refuseBytes("topk", self);
    if (self.shape().dims() == 0) {
      return new Tensor[] {self.copy(), Tensor.zeros(DType.I64, Shape.scalar())};
    }
    return ordered(self, d, largest, (int) k);
  }

  private static void refuseBytes(String op, Tensor self) {
    if (self.dtype() == DType.F8E4M3 || self.dtype() == DType.F8E5M2) {
      throw Refusals.dtype(op, self.dtype());
    }
  }

  private static Tensor[] ordered(Tensor self, int dim, boolean descending, int kept) {
    Tensor from = Dense.of(self);
    DType dtype = from.dtype();
    int bytes = dtype.bytes();
    Axis axis = Axis.of(from.shape(), dim);
    long[] sizes = from.shape().toArray();
    if (sizes.length > 0) {
      sizes[dim] = kept;
    }
    Tensor values = Tensor.empty(dtype, Shape.of(sizes));
    Tensor indices = Tensor.empty(DType.I64, Shape.of(sizes));
    Axis out = new Axis(axis.outer(), kept, axis.inner());
    boolean few = kept > 0 && kept <= axis.size() / FEW;
    Parallel.run(
        axis.lines(),
        Math.max(1, 4096 / Math.max(1, axis.size())),
        (first, last) -> {
          Selection selection = few ? new Selection(kept) : null;
          long[] keys = new long[axis.size()];
          int[] order = new int[axis.size()];
          long[] keyScratch = new long[axis.size()];
          int[] orderScratch = new int[axis.size()];
          for (long line = first; line < last; line++) {
            long source = Dense.address(from) + axis.start(line) * bytes;
            for (int i = 0; i < keys.length; i++) {
              long key = key(dtype, source + i * axis.inner() * bytes);
              keys[i] = descending ? ~key : key;
              order[i] = i;
            }
            if (selection != null) {
              selection.select(keys, order);
            } else {
              sort(keys, order, keyScratch, orderScratch);
            }
            long target = out.start(line);
            for (int i = 0; i < kept; i++) {
              long at = target + i * out.inner();
              Strided.move(
                  bytes,
                  source + order[i] * axis.inner() * bytes,
                  Dense.address(values) + at * bytes);
              Memory.ALL.set(Strided.LONG, Dense.address(indices) + at * 8, order[i]);
            }
          }
        });
    Reference.reachabilityFence(from);
    return new Tensor[] {values, indices};
  }

  /** A number that orders as the element: both zeros are one, and so are all NaNs, at the top. */
  static long key(DType dtype, long at) {
    if (dtype == DType.F32) {
      return key(Memory.ALL.get(Memory.FLOAT, at));
    }
    if (!dtype.isFloating()) {
      return Elements.getLong(Memory.ALL, dtype, at);
    }
    return key(Elements.getDouble(Memory.ALL, dtype, at));
  }

  private static long key(double v) {
    if (v != v) {
      return Long.MAX_VALUE;
    }
    long bits = Double.doubleToRawLongBits(v + 0.0);
    return bits < 0 ? ~bits ^ Long.MIN_VALUE : bits;
  }

  /** Merges runs that insertion has sorted, from one pair of arrays to the other and back. */
  private static void sort(long[] keys, int[] order, long[] otherKeys, int[] otherOrder) {
    int n = keys.length;
    for (int start = 0; start < n; start += SHORT_RUN) {
      insertion(keys, order, start, Math.min(n, start + SHORT_RUN));
    }
    long[] fromKeys = keys;
    int[] from = order;
    long[] toKeys = otherKeys;
    int[] to = otherOrder;
    for (int width = SHORT_RUN; width < n; width *= 2) {
      for (int start = 0; start < n; start += 2 * width) {
        int middle = Math.min(n, start + width);
        int end = (int) Math.min(n, start + 2L * width);
        for (int a = start, b = middle, at = start; at < end; at++) {
          int take = a < middle && (b >= end || fromKeys[a] <= fromKeys[b]) ? a++ : b++;
          toKeys[at] = fromKeys[take];
          to[at] = from[take];
        }
      }
      long[] k = fromKeys;
      fromKeys = toKeys;
      toKeys = k;
      int[] o = from;
      from = to;
      to = o;
    }
    if (from != order) {
      System.arraycopy(from, 0, order, 0, n);
    }
  }

  private static void insertion(long[] keys, int[] order, int start, int end) {
    for (int i = start + 1; i < end; i++) {
      long key = keys[i];
      int index = order[i];
      int j = i;
      while (j > start && keys[j - 1] > key) {
        keys[j] = keys[j - 1];
        order[j] = order[j - 1];
        j--;
      }
      keys[j] = key;
      order[j] = index;
    }
  }
}
