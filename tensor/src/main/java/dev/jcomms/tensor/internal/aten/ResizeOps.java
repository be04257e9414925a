package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Tensor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.Arrays;

/**
 * Images made larger or smaller, one dim after the other: each new place is a weighted sum of one,
 * two or four old ones.
 */
final class ResizeOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();
  private static final String[] AXES = {"_w", "_h", "_d"};

  private ResizeOps() {}

  static void define(Definitions d) {
    nearest(d, "upsample_nearest", "nearest");
    nearest(d, "_upsample_nearest_exact", "exact");
    smooth(d, "upsample_linear1d", 1);
    smooth(d, "upsample_bilinear2d", 2);
    smooth(d, "upsample_trilinear3d", 3);
    smooth(d, "upsample_bicubic2d", 2);
  }

  private static void nearest(Definitions d, String family, String kind) {
    for (int dims = 1; dims <= 3; dims++) {
      String name = family + dims + "d";
      d.op(name + "(Tensor self, SymInt[" + dims + "] output_size, " + scales(dims) + ") -> Tensor")
          .composite(LOOKUP, kind + dims)
          .exactOut("out");
      d.op(name + ".vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor")
          .composite(LOOKUP, kind + "Vec" + dims);
    }
  }

  private static void smooth(Definitions d, String name, int dims) {
    String method = name.substring("upsample_".length());
    d.op(
            name
                + "(Tensor self, SymInt["
                + dims
                + "] output_size, bool align_corners, "
                + scales(dims)
                + ") -> Tensor")
        .composite(LOOKUP, method)
        .exactOut("out");
    d.op(
            name
                + ".vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]?"
                + " scale_factors) -> Tensor")
        .composite(LOOKUP, method + "Vec");
  }

  private static String scales(int dims) {
    StringBuilder text = new StringBuilder();
    for (int i = dims - 1; i >= 0; i--) {
      text.append("float? scales").append(dims == 1 ? "" : AXES[i]).append("=None");
      text.append(i > 0 ? ", " : "");
    }
    return text.toString();
  }

  static Tensor nearest1(Tensor self, long[] size, Double w) {
    return chosen("upsample_nearest1d", self, size, 0, w);
  }

  static Tensor nearest2(Tensor self, long[] size, Double h, Double w) {
    return chosen("upsample_nearest2d", self, size, 0, h, w);
  }

  static Tensor nearest3(Tensor self, long[] size, Double d, Double h, Double w) {
    return chosen("upsample_nearest3d", self, size, 0, d, h, w);
  }

  static Tensor exact1(Tensor self, long[] size, Double w) {
    return chosen("_upsample_nearest_exact1d", self, size, 0.5, w);
  }

  static Tensor exact2(Tensor self, long[] size, Double h, Double w) {
    return chosen("_upsample_nearest_exact2d", self, size, 0.5, h, w);
  }

  static Tensor exact3(Tensor self, long[] size, Double d, Double h, Double w) {
    return chosen("_upsample_nearest_exact3d", self, size, 0.5, d, h, w);
  }

  static Tensor nearestVec1(Tensor input, long[] size, double[] factors) {
    String op = "upsample_nearest1d";
    return chosen(op, input, sizes(op, input, size, factors, 1), 0, each(factors, 1));
  }

  static Tensor nearestVec2(Tensor input, long[] size, double[] factors) {
    String op = "upsample_nearest2d";
    return chosen(op, input, sizes(op, input, size, factors, 2), 0, each(factors, 2));
  }

  static Tensor nearestVec3(Tensor input, long[] size, double[] factors) {
    String op = "upsample_nearest3d";
    return chosen(op, input, sizes(op, input, size, factors, 3), 0, each(factors, 3));
  }

  static Tensor exactVec1(Tensor input, long[] size, double[] factors) {
    String op = "_upsample_nearest_exact1d";
    return chosen(op, input, sizes(op, input, size, factors, 1), 0.5, each(factors, 1));
  }

  static Tensor exactVec2(Tensor input, long[] size, double[] factors) {
    String op = "_upsample_nearest_exact2d";
    return chosen(op, input, sizes(op, input, size, factors, 2), 0.5, each(factors, 2));
  }

  static Tensor exactVec3(Tensor input, long[] size, double[] factors) {
    String op = "_upsample_nearest_exact3d";
    return chosen(op, input, sizes(op, input, size, factors, 3), 0.5, each(factors, 3));
  }

  static Tensor linear1d(Tensor self, long[] size, boolean align, Double w) {
    return mixed("upsample_linear1d", self, size, align, false, w);
  }

  static Tensor bilinear2d(Tensor self, long[] size, boolean align, Double h, Double w) {
    return mixed("upsample_bilinear2d", self, size, align, false, h, w);
  }

  static Tensor trilinear3d(Tensor self, long[] size, boolean align, Double d, Double h, Double w) {
    return mixed("upsample_trilinear3d", self, size, align, false, d, h, w);
  }

  static Tensor bicubic2d(Tensor self, long[] size, boolean align, Double h, Double w) {
    return mixed("upsample_bicubic2d", self, size, align, true, h, w);
  }

  static Tensor linear1dVec(Tensor input, long[] size, boolean align, double[] factors) {
    String op = "upsample_linear1d";
    return mixed(op, input, sizes(op, input, size, factors, 1), align, false, each(factors, 1));
  }

  static Tensor bilinear2dVec(Tensor input, long[] size, boolean align, double[] factors) {
    String op = "upsample_bilinear2d";
    return mixed(op, input, sizes(op, input, size, factors, 2), align, false, each(factors, 2));
  }

  static Tensor trilinear3dVec(Tensor input, long[] size, boolean align, double[] factors) {
    String op = "upsample_trilinear3d";
    return mixed(op, input, sizes(op, input, size, factors, 3), align, false, each(factors, 3));
  }

  static Tensor bicubic2dVec(Tensor input, long[] size, boolean align, double[] factors) {
    String op = "upsample_bicubic2d";
    return mixed(op, input, sizes(op, input, size, factors, 2), align, true, each(factors, 2));
  }

  // ---- what they share

  private static long[] sizes(String op, Tensor input, long[] size, double[] factors, int dims) {
    if ((size == null) == (factors == null)) {
      throw new IllegalArgumentException(
          op + ": one of output_size and scale_factors must be given, and one only");
    }
    if (size != null) {
      return size;
    }
    if (factors.length != dims || input.shape().dims() != dims + 2) {
      throw new IllegalArgumentException(
          op + ": " + factors.length + " scale_factors for an input of shape=" + input.shape());
    }
    long[] sizes = new long[dims];
    for (int i = 0; i < dims; i++) {
      sizes[i] = (long) (input.shape().size(2 + i) * factors[i]);
    }
    return sizes;
  }

  private static Double[] each(double[] factors, int dims) {
    Double[] each = new Double[dims];
    for (int i = 0; factors != null && i < dims; i++) {
      each[i] = factors[i];
    }
    return each;
  }

  private static void check(String op, Tensor self, long[] size, int dims) {
    if (size.length != dims || self.shape().dims() != dims + 2) {
      throw new IllegalArgumentException(
          op
              + ": output_size="
              + Arrays.toString(size)
              + " does not go with an input of shape="
              + self.shape());
    }
    for (int d = 1; d < dims + 2; d++) {
      if (self.shape().size(d) == 0 || d > 1 && size[d - 2] <= 0) {
        throw new IllegalArgumentException(
            op
                + ": input of shape="
                + self.shape()
                + " and output_size="
                + Arrays.toString(size)
                + " must not be empty");
      }
    }
  }

  private static double ratio(Tensor self, long[] size, int i, Double given) {
    return given != null && given > 0 ? 1 / given : (double) self.shape().size(2 + i) / size[i];
  }

  private static Tensor chosen(String op, Tensor self, long[] size, double shift, Double... given) {
    check(op, self, size, given.length);
    Tensor out = self;
    for (int i = 0; i < given.length; i++) {
      long from = self.shape().size(2 + i);
      float ratio = (float) ratio(self, size, i, given[i]); // PyTorch rounds it so
      long[] places = new long[Math.toIntExact(size[i])];
      for (int at = 0; at < places.length; at++) {
        places[at] = Math.min((long) Math.floor((float) (at + shift) * ratio), from - 1);
      }
      out = Ops.indexSelect(out, 2 + i, Tensor.of(places).to(self.device()));
    }
    return out;
  }

  private static Tensor mixed(
      String op, Tensor self, long[] size, boolean align, boolean cubic, Double... given) {
    check(op, self, size, given.length);
    if (!self.dtype().isFloating()) {
      throw new IllegalArgumentException("\"" + op + "\" is not implemented for " + self.dtype());
    }
    boolean half = self.dtype() == DType.F16 || self.dtype() == DType.BF16;
    Tensor out = half ? Ops.toCopy(self, DType.F32, null) : self;
    for (int i = given.length - 1; i >= 0; i--) {
      out =
          along(out, 2 + i, Math.toIntExact(size[i]), align, cubic, ratio(self, size, i, given[i]));
    }
    return half ? Ops.toCopy(out, self.dtype(), null) : out;
  }

  /** One dim: as many old places as there are weights, each taken for all new ones at once. */
  private static Tensor along(
      Tensor x, int dim, int size, boolean align, boolean cubic, double ratio) {
    long from = x.shape().size(dim);
    int taps = cubic ? 4 : 2;
    long[][] places = new long[taps][size];
    double[][] weights = new double[taps][size];
    for (int at = 0; at < size; at++) {
      double middle =
          align ? (size > 1 ? at * (double) (from - 1) / (size - 1) : 0) : (at + 0.5) * ratio - 0.5;
      middle = cubic || middle > 0 ? middle : 0;
      long first = cubic ? (long) Math.floor(middle) : Math.min((long) middle, from - 1);
      double part = cubic ? middle - first : Math.clamp(middle - first, 0.0, 1.0);
      double[] mine = cubic ? cubic(part) : new double[] {1 - part, part};
      for (int tap = 0; tap < taps; tap++) {
        places[tap][at] = Math.clamp(first + tap - (cubic ? 1 : 0), 0, from - 1);
        weights[tap][at] = mine[tap];
      }
    }
    long[] shape = new long[x.shape().dims()];
    Arrays.fill(shape, 1);
    shape[dim] = size;
    Tensor sum = null;
    for (int tap = 0; tap < taps; tap++) {
      Tensor taken = Ops.indexSelect(x, dim, Tensor.of(places[tap]).to(x.device()));
      Tensor weight = Tensor.of(weights[tap]).to(x.dtype()).view(shape).to(x.device());
      Tensor part = Ops.mul(taken, weight);
      sum = sum == null ? part : Ops.add(sum, part);
    }
    return sum;
  }

  /** Keys' kernel with -0.75, at distances 1 + t, t, 1 - t and 2 - t. */
  private static double[] cubic(double t) {
    return new double[] {outer(1 + t), inner(t), inner(1 - t), outer(2 - t)};
  }

  private static double inner(double x) {
    return (1.25 * x - 2.25) * x * x + 1;
  }

  private static double outer(double x) {
    return ((-0.75 * x + 3.75) * x - 6) * x + 3;
  }
}
