package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.Arrays;

/**
 * Pooling of other dims than two. What each window covers is an index, so that all is made of
 * {@code gather}, reductions and views.
 */
final class WindowOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();

  private WindowOps() {}

  static void define(Definitions d) {
    d.op(
            "max_pool1d_with_indices(Tensor self, int[1] kernel_size, int[1] stride=[], int[1]"
                + " padding=[0], int[1] dilation=[1], bool ceil_mode=False) -> (Tensor, Tensor)")
        .composite(LOOKUP, "maxPool1dWithIndices");
    d.op(
            "max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3] stride=[], int[3]"
                + " padding=0, int[3] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)")
        .composite(LOOKUP, "maxPool3dWithIndices")
        .outAs(
            "max_pool3d_with_indices.out(Tensor self, int[3] kernel_size, int[3] stride=[],"
                + " int[3] padding=0, int[3] dilation=1, bool ceil_mode=False, *, Tensor(a!) out,"
                + " Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))");
    d.op(
            "max_pool3d_with_indices_backward(Tensor grad_output, Tensor self, int[3] kernel_size,"
                + " int[3] stride, int[3] padding, int[3] dilation, bool ceil_mode, Tensor indices)"
                + " -> Tensor")
        .composite(LOOKUP, "maxPool3dBackward")
        .outAs(
            "max_pool3d_with_indices_backward.grad_input(Tensor grad_output, Tensor self, int[3]"
                + " kernel_size, int[3] stride, int[3] padding, int[3] dilation, bool ceil_mode,"
                + " Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!)");
    d.op(
            "max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0,"
                + " int[3] dilation=1, bool ceil_mode=False) -> Tensor")
        .composite(LOOKUP, "maxPool3d");
    d.op(
            "avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool"
                + " ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) ->"
                + " Tensor")
        .composite(LOOKUP, "avgPool3d")
        .exactOut("out");
    d.op("adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)")
        .composite(LOOKUP, "adaptiveMaxPool1d");
    d.op("adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)")
        .composite(LOOKUP, "adaptiveMaxPool2d")
        .outAs(
            "adaptive_max_pool2d.out(Tensor self, int[2] output_size, *, Tensor(a!) out,"
                + " Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))");
    d.op(
            "adaptive_max_pool2d_backward(Tensor grad_output, Tensor self, Tensor indices) ->"
                + " Tensor")
        .composite(LOOKUP, "adaptiveMaxPool2dBackward")
        .outAs(
            "adaptive_max_pool2d_backward.grad_input(Tensor grad_output, Tensor self, Tensor"
                + " indices, *, Tensor(a!) grad_input) -> Tensor(a!)");
    d.op("adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)")
        .composite(LOOKUP, "adaptiveMaxPool3d")
        .outAs(
            "adaptive_max_pool3d.out(Tensor self, int[3] output_size, *, Tensor(a!) out,"
                + " Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))");
    d.op("adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor")
        .composite(LOOKUP, "adaptiveAvgPool1d")
        .exactOut("out");
    d.op("_adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor")
        .composite(LOOKUP, "adaptiveAvgPool3d")
        .exactOut("out");
    d.op("adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor")
        .composite(LOOKUP, "adaptiveAvgPool3d")
        .exactOut("out");
    d.op("max_unpool2d(Tensor self, Tensor indices, SymInt[2] output_size) -> Tensor")
        .composite(LOOKUP, "maxUnpool2d")
        .exactOut("out");
  }

  // ---- the largest

  static Tensor[] maxPool1dWithIndices(
      Tensor self, long[] kernel, long[] stride, long[] padding, long[] dilation, boolean ceil) {
    long[][][] taken = Windows.of("max_pool1d", self, 1, kernel, stride, padding, dilation, ceil);
    return largest(self, taken);
  }

  static Tensor[] maxPool3dWithIndices(
      Tensor self, long[] kernel, long[] stride, long[] padding, long[] dilation, boolean ceil) {
    long[][][] taken =
        Windows.of("max_pool3d_with_indices", self, 3, kernel, stride, padding, dilation, ceil);
    return largest(self, taken);
  }

  static Tensor maxPool3d(
      Tensor self, long[] kernel, long[] stride, long[] padding, long[] dilation, boolean ceil) {
    return maxPool3dWithIndices(self, kernel, stride, padding, dilation, ceil)[0];
  }

  static Tensor maxPool3dBackward(
      Tensor grad,
      Tensor self,
      long[] kernel,
      long[] stride,
      long[] padding,
      long[] dilation,
      boolean ceil,
      Tensor indices) {
    return spread("max_pool3d_with_indices_backward", grad, self, indices, 3);
  }

  static Tensor[] adaptiveMaxPool1d(Tensor self, long[] size) {
    return largest(self, Windows.even("adaptive_max_pool1d", self, 1, size));
  }

  static Tensor[] adaptiveMaxPool2d(Tensor self, long[] size) {
    return largest(self, Windows.even("adaptive_max_pool2d", self, 2, size));
  }

  static Tensor adaptiveMaxPool2dBackward(Tensor grad, Tensor self, Tensor indices) {
    return spread("adaptive_max_pool2d_backward", grad, self, indices, 2);
  }

  static Tensor[] adaptiveMaxPool3d(Tensor self, long[] size) {
    return largest(self, Windows.even("adaptive_max_pool3d", self, 3, size));
  }

  static Tensor maxUnpool2d(Tensor self, Tensor indices, long[] size) {
    int dims = self.shape().dims();
    if (dims != 3 && dims != 4
        || size.length != 2
        || indices.dtype() != DType.I64
        || !indices.shape().equals(self.shape())) {
      throw new IllegalArgumentException(
          "max_unpool2d: input of shape="
              + self.shape()
              + " with indices of "
              + indices.dtype()
              + indices.shape()
              + " does not go with output_size="
              + Arrays.toString(size));
    }
    long[] out = self.shape().toArray();
    out[dims - 2] = size[0];
    out[dims - 1] = size[1];
    Tensor zeros = Ops.zeros(flat(out, 2), self.dtype(), self.device());
    long[] rows = flat(self.shape().toArray(), 2);
    Tensor spread = Ops.scatter(zeros, -1, Ops.reshape(indices, rows), Ops.reshape(self, rows));
    return Ops.view(spread, out);
  }

  /**
   * @param taken by dim, position and step of the window; -1 where it lies outside
   */
  private static Tensor[] largest(Tensor self, long[][][] taken) {
    int dims = taken.length;
    long[] sizes = self.shape().toArray();
    int leading = sizes.length - dims;
    long[] out = sizes.clone();
    int places = 1;
    int steps = 1;
    for (int d = 0; d < dims; d++) {
      out[leading + d] = taken[d].length;
      places *= taken[d].length;
      steps *= taken[d].length == 0 ? 1 : taken[d][0].length;
    }
    long[] index = new long[places * steps];
    boolean[] outside = new boolean[places * steps];
    for (int i = 0; i < index.length; i++) {
      int place = i / steps;
      int step = i % steps;
      long at = 0;
      long unit = 1;
      for (int d = dims - 1; d >= 0; d--) {
        long[] window = taken[d][place % taken[d].length];
        place /= taken[d].length;
        long here = window[step % window.length];
        step /= window.length;
        outside[i] |= here < 0;
        at += Math.max(0, here) * unit;
        unit *= sizes[leading + d];
      }
      index[i] = at;
    }
    Tensor planes = Ops.reshape(self, flat(sizes, dims));
    Tensor which = Tensor.of(index).to(self.device());
    long[] windows = Arrays.copyOf(sizes, leading + 2);
    windows[leading] = places;
    windows[leading + 1] = steps;
    Tensor seen = Ops.reshape(Ops.indexSelect(planes.detach(), -1, which), windows);
    Tensor mask = Tensor.of(outside).view(places, steps).to(self.device());
    Tensor inside = Ops.maskedFill(seen, mask, lowest(self.dtype()));
    Tensor best = Ops.argmax(inside, -1L, true);
    Tensor table = Ops.expand(Ops.view(which, places, steps), windows);
    Tensor indices = Ops.squeeze(Ops.gather(table, -1, best), -1);
    Tensor values = Ops.gather(planes, -1, indices);
    return new Tensor[] {Ops.reshape(values, out), Ops.reshape(indices, out)};
  }

  private static Scalar lowest(DType dtype) {
    return dtype.isFloating()
        ? Scalar.of(Double.NEGATIVE_INFINITY)
        : Scalar.of(dtype == DType.U8 ? 0 : -(1L << (8 * dtype.bytes() - 1)));
  }

  /** Each gradient to the place that was taken. */
  private static Tensor spread(String op, Tensor grad, Tensor self, Tensor indices, int dims) {
    if (!grad.shape().equals(indices.shape()) || grad.shape().dims() != self.shape().dims()) {
      throw new IllegalArgumentException(
          op
              + ": grad_output of shape="
              + grad.shape()
              + " must have that of indices, "
              + indices.shape());
    }
    long[] rows = flat(grad.shape().toArray(), dims);
    Tensor zeros = Ops.zeros(flat(self.shape().toArray(), dims), grad.dtype(), grad.device());
    Tensor sum = Ops.scatterAdd(zeros, -1, Ops.reshape(indices, rows), Ops.reshape(grad, rows));
    return Ops.view(sum, self.shape().toArray());
  }

  /** The last dims as one. */
  private static long[] flat(long[] sizes, int dims) {
    long[] flat = Arrays.copyOf(sizes, sizes.length - dims + 1);
    flat[flat.length - 1] = 1;
    for (int d = sizes.length - dims; d < sizes.length; d++) {
      flat[flat.length - 1] *= sizes[d];
    }
    return flat;
  }

  // ---- averages: one dim after the other

  static Tensor avgPool3d(
      Tensor self,
      long[] kernel,
      long[] stride,
      long[] padding,
      boolean ceil,
      boolean countPadding,
      Long divisor) {
    if (divisor != null && divisor == 0) {
      throw new IllegalArgumentException("avg_pool3d: divisor_override must not be 0");
    }
    long[][][] taken =
        Windows.of("avg_pool3d", self, 3, kernel, stride, padding, new long[] {1}, ceil);
    if (self.elements() == 0) {
      long[] none = self.shape().toArray();
      for (int d = 0; d < 3; d++) {
        none[none.length - 3 + d] = taken[d].length;
      }
      return Ops.reshape(Ops.clone(self), none);
    }
    long[] k = three(kernel);
    long[] s = stride.length == 0 ? k : three(stride);
    long[] p = three(padding);
    long[] sizes = self.shape().toArray();
    int n = sizes.length;
    // Sums over planes, then over depths; a sum is an average that is divided by one.
    long[] planes = {-1, sizes[n - 2], sizes[n - 1]};
    Tensor flat =
        Ops.avgPool2d(
            Ops.reshape(self, planes),
            new long[] {k[1], k[2]},
            new long[] {s[1], s[2]},
            new long[] {p[1], p[2]},
            ceil,
            true,
            1L);
    long rows = flat.shape().size(-2);
    long columns = flat.shape().size(-1);
    Tensor deep =
        Ops.avgPool2d(
            Ops.reshape(
                flat,
                self.elements() / (sizes[n - 1] * sizes[n - 2] * sizes[n - 3]),
                sizes[n - 3],
                rows * columns),
            new long[] {k[0], 1},
            new long[] {s[0], 1},
            new long[] {p[0], 0},
            ceil,
            true,
            1L);
    long depths = deep.shape().size(-2);
    long[] out = sizes.clone();
    out[n - 3] = depths;
    out[n - 2] = rows;
    out[n - 1] = columns;
    Tensor sum = Ops.reshape(deep, out);
    if (divisor != null) {
      return Ops.div(sum, Scalar.of((double) divisor));
    }
    long[] counts = {depths, rows, columns};
    Tensor share = null;
    for (int d = 0; d < 3; d++) {
      double[] covered = new double[(int) counts[d]];
      for (int i = 0; i < covered.length; i++) {
        long from = i * s[d] - p[d];
        long to = Math.min(from + k[d], sizes[n - 3 + d] + p[d]);
        covered[i] = countPadding ? to - from : Math.min(to, sizes[n - 3 + d]) - Math.max(from, 0);
      }
      long[] along = {1, 1, 1};
      along[d] = counts[d];
      Tensor one = Tensor.of(covered).to(self.dtype()).view(along).to(self.device());
      share = share == null ? one : Ops.mul(share, one);
    }
    return Ops.div(sum, share);
  }

  static Tensor adaptiveAvgPool1d(Tensor self, long[] size) {
    if (size.length != 1 || self.shape().dims() != 2 && self.shape().dims() != 3) {
      throw new IllegalArgumentException(
          "adaptive_avg_pool1d: output_size="
              + Arrays.toString(size)
              + " does not go with shape="
              + self.shape());
    }
    Tensor wide = Ops.unsqueeze(self, -2);
    return Ops.squeeze(Ops.adaptiveAvgPool2d(wide, new long[] {1, size[0]}), -2);
  }

  static Tensor adaptiveAvgPool3d(Tensor self, long[] size) {
    Windows.even("adaptive_avg_pool3d", self, 3, size);
    long[] sizes = self.shape().toArray();
    int n = sizes.length;
    if (!self.dtype().isFloating()) {
      throw new IllegalArgumentException(
          "\"adaptive_avg_pool3d\" is not implemented for " + self.dtype());
    }
    long outer = self.elements() / Math.max(1, sizes[n - 1] * sizes[n - 2] * sizes[n - 3]);
    Tensor planes = Ops.reshape(self, outer * sizes[n - 3], sizes[n - 2], sizes[n - 1]);
    Tensor flat = Ops._adaptiveAvgPool2d(planes, new long[] {size[1], size[2]});
    Tensor deep = Ops.reshape(flat, outer, sizes[n - 3], size[1] * size[2]);
    Tensor out = Ops._adaptiveAvgPool2d(deep, new long[] {size[0], size[1] * size[2]});
    System.arraycopy(size, 0, sizes, n - 3, 3);
    return Ops.reshape(out, sizes);
  }

  private static long[] three(long[] list) {
    return list.length == 1 ? new long[] {list[0], list[0], list[0]} : list;
  }
}
