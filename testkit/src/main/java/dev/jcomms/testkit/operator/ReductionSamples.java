package dev.jcomms.testkit.operator;

import static dev.jcomms.testkit.operator.Samples.ALL;
import static dev.jcomms.testkit.operator.Samples.SHAPES;
import static dev.jcomms.testkit.operator.Samples.arranged;
import static dev.jcomms.testkit.operator.Samples.f32;
import static dev.jcomms.testkit.operator.Samples.longs;
import static dev.jcomms.testkit.operator.Samples.t;

import dev.jcomms.tensor.DType;
import java.util.ArrayList;
import java.util.List;

/** Many elements to one: sums, extremes, norms, and running ones. */
final class ReductionSamples {
  private ReductionSamples() {}

  static void add(Samples s) {
    for (DType dtype : ALL) {
      for (long[] shape : SHAPES) {
        for (TensorSpec x : arranged(t(dtype, shape))) {
          if (dtype == DType.F32 || dtype == DType.I64 || x.arrangement() == Arrangement.PLAIN) {
            whole(s, x);
            dims(s, x);
            dim(s, x);
          }
        }
      }
      special(s, dtype);
    }
    large(s);
    outOfRange(s);
  }

  private static void whole(Samples s, TensorSpec x) {
    for (String op :
        List.of("any", "all", "argmax", "argmin", "max", "min", "std", "var", "count_nonzero")) {
      s.add(op, op.startsWith("arg") ? x.with(Content.DISTINCT) : x);
    }
    for (String op : List.of("sum", "mean", "prod", "nansum")) {
      TensorSpec tame = op.equals("prod") ? x.with(Content.POSITIVE) : x;
      s.add(op, tame);
      s.add(op, tame, DType.F64);
      s.add(op, tame, DType.I32);
    }
    s.add("norm.Scalar", x);
    s.add("norm.Scalar", x, 1);
    s.add("median", x.with(Content.DISTINCT));
  }

  /** Several dimensions at once. */
  private static void dims(Samples s, TensorSpec x) {
    for (long[] dims : several(x.sizes().length)) {
      for (boolean keep : new boolean[] {false, true}) {
        s.add("sum.dim_IntList", x, dims, keep);
        s.add("mean.dim", x, dims, keep);
        s.add("amax", x, dims, keep);
        s.add("amin", x, dims, keep);
        s.add("any.dims", x, dims, keep);
        s.add("all.dims", x, dims, keep);
        s.add("logsumexp", x, dims, keep);
        s.add("nansum", x, dims, keep);
        for (Object correction : new Object[] {1, 0, null}) {
          s.add("var.correction", x, dims, correction, keep);
          s.add("std.correction", x, dims, correction, keep);
        }
        s.add("var_mean.correction", x, dims, 1, keep);
        s.add("std_mean.correction", x, dims, 0, keep);
        s.add("var.dim", x, dims, true, keep);
        s.add("std.dim", x, dims, false, keep);
        for (Object p : new Object[] {2, 1, 0, 3.0, Double.POSITIVE_INFINITY}) {
          s.add("linalg_vector_norm", x, p, dims, keep);
          s.add("norm.ScalarOpt_dim", x, p, dims, keep);
        }
        s.add("linalg_vector_norm", x, Double.NEGATIVE_INFINITY, dims, keep);
      }
      s.add("sum.dim_IntList", x, dims, false, DType.F64);
      s.add("mean.dim", x, dims, false, DType.F64);
    }
    s.add("sum.dim_IntList", x, null, true);
    s.add("linalg_vector_norm", x, 2, null, true, DType.F64);
    s.add("norm.ScalarOpt_dtype", x, 2, DType.F64);
  }

  /** One dimension. */
  private static void dim(Samples s, TensorSpec x) {
    int n = Math.max(1, x.sizes().length);
    TensorSpec distinct = x.with(Content.DISTINCT);
    for (long dim = -1; dim < n; dim++) {
      for (boolean keep : new boolean[] {false, true}) {
        s.add("prod.dim_int", x.with(Content.POSITIVE), dim, keep);
        s.add("max.dim", distinct, dim, keep);
        s.add("min.dim", distinct, dim, keep);
        s.add("argmax", distinct, dim, keep);
        s.add("argmin", distinct, dim, keep);
        s.add("any.dim", x, dim, keep);
        s.add("all.dim", x, dim, keep);
      }
      s.add("cumsum", x, dim);
      s.add("cumsum", x, dim, DType.F64);
      s.add("cumprod", x.with(Content.POSITIVE), dim);
      s.add("cummax", distinct, dim);
      s.add("cummin", distinct, dim);
      s.add("logcumsumexp", x, dim);
      s.add("count_nonzero", x, dim);
    }
  }

  private static List<long[]> several(int n) {
    List<long[]> all = new ArrayList<>(List.of(longs()));
    if (n == 0) {
      all.add(longs(0));
      all.add(longs(-1));
    }
    if (n >= 1) {
      all.add(longs(0));
      all.add(longs(-1));
    }
    if (n >= 2) {
      all.add(longs(0, 1));
    }
    if (n == 3) {
      all.add(longs(1));
      all.add(longs(2, 0));
      all.add(longs(0, 1, 2));
    }
    return all;
  }

  private static void special(Samples s, DType dtype) {
    TensorSpec x = t(dtype, 4, 13).with(Content.SPECIAL);
    for (String op :
        List.of("sum", "mean", "max", "min", "any", "all", "argmax", "nansum", "prod")) {
      s.add(op, x);
    }
    for (String op : List.of("amax", "amin", "sum.dim_IntList", "logsumexp", "var.correction")) {
      s.add(op, x, longs(1));
    }
    for (String op : List.of("max.dim", "min.dim", "cumsum", "argmax", "argmin", "cummax")) {
      s.add(op, x, 0L);
    }
  }

  private static void large(Samples s) {
    for (long[] shape : List.of(longs(5000), longs(70, 90), longs(3, 1100))) {
      for (TensorSpec x : arranged(f32(shape))) {
        s.add("sum", x);
        s.add("mean", x);
        s.add("sum.dim_IntList", x, longs(0));
        s.add("sum.dim_IntList", x, longs(-1), true);
        s.add("amax", x, longs(0));
        s.add("var.correction", x, longs(-1), 1);
        s.add("logsumexp", x, longs(-1));
        s.add("argmax", x.with(Content.DISTINCT), -1L);
      }
    }
  }

  /** Dimensions that are not there, or there twice. */
  private static void outOfRange(Samples s) {
    for (long[] dims : List.of(longs(2), longs(-3), longs(0, 0), longs(1, -1))) {
      for (String op : List.of("sum.dim_IntList", "mean.dim", "amax", "any.dims", "logsumexp")) {
        s.add(op, f32(2, 3), dims);
      }
    }
    for (String op : List.of("max.dim", "argmax", "cumsum", "prod.dim_int", "any.dim")) {
      s.add(op, f32(2, 3), 2L);
      s.add(op, f32(2, 3), -3L);
      s.add(op, f32(), 1L);
    }
  }
}
