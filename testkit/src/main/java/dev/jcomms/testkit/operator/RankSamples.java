package dev.jcomms.testkit.operator;

import static dev.jcomms.testkit.operator.Samples.SHAPES;
import static dev.jcomms.testkit.operator.Samples.arranged;
import static dev.jcomms.testkit.operator.Samples.f32;
import static dev.jcomms.testkit.operator.Samples.f64;
import static dev.jcomms.testkit.operator.Samples.i64;
import static dev.jcomms.testkit.operator.Samples.index;
import static dev.jcomms.testkit.operator.Samples.list;
import static dev.jcomms.testkit.operator.Samples.longs;
import static dev.jcomms.testkit.operator.Samples.t;

import dev.jcomms.tensor.DType;
import java.util.ArrayList;
import java.util.List;

/** Ranks, unique values, places among sorted ones, writing by index, recurrent networks. */
final class RankSamples {
  private RankSamples() {}

  static void add(Samples s) {
    for (DType dtype : List.of(DType.F32, DType.F64, DType.I64, DType.U8, DType.BOOL)) {
      for (long[] shape : SHAPES) {
        for (TensorSpec x : arranged(t(dtype, shape).with(Content.DISTINCT))) {
          if (x.arrangement() != Arrangement.EXPANDED) { // of equal ones any may be taken
            ranks(s, x, shape.length);
          }
        }
        for (TensorSpec x : arranged(t(dtype, shape).with(Content.index(0, 4)))) {
          unique(s, x, shape.length);
        }
      }
      if (dtype.isFloating()) {
        ranks(
            s, t(dtype, 3, 5).with((Content.Ordered) i -> i % 7 == 3 ? Double.NaN : i * 4 % 15), 2);
        unique(s, t(dtype, 13).with(Content.SPECIAL), 1);
      }
      sought(s, dtype);
      written(s, dtype);
    }
    quantiles(s);
    recurrent(s);
  }

  private static void ranks(Samples s, TensorSpec x, int dims) {
    s.add("median", x);
    s.add("nanmedian", x);
    for (long dim = -1; dim < Math.max(1, dims); dim++) {
      for (boolean keep : new boolean[] {false, true}) {
        s.add("median.dim", x, dim, keep);
        s.add("nanmedian.dim", x, dim, keep);
        s.add("kthvalue", x, 1L, dim, keep);
        s.add("kthvalue", x, 2L, dim, keep);
        if (x.dtype() != DType.BOOL) {
          s.add("mode", x, dim, keep);
        }
      }
      s.add("cummax", x, dim);
      s.add("cummin", x, dim);
      s.add("logcumsumexp", x, dim);
      s.add("nanmean", x, longs(dim));
    }
    s.add("nanmean", x);
    s.add("median.dim", x, (long) dims + 1);
    if (java.util.Arrays.stream(x.sizes()).allMatch(size -> size > 0)) {
      s.add("cummax", x, (long) dims + 1);
    }
  }

  private static void unique(Samples s, TensorSpec x, int dims) {
    s.add("_unique2", x, true, true, true);
    s.add("_unique2", x, true, false, false);
    s.add("_unique", x, true, true);
    s.add("unique_consecutive", x, true, true);
    s.add("unique_consecutive", x);
    for (long dim = 0; dim < dims; dim++) {
      if (x.content() != Content.SPECIAL) {
        s.add("unique_dim", x, dim, true, true, true);
      }
      s.add("unique_consecutive", x, true, true, dim);
    }
    if (x.dtype() != DType.BOOL
        && x.content() != Content.SPECIAL
        && (dims == 0 || x.sizes()[dims - 1] < 16)) {
      s.add("mode", x.with(Arrangement.PLAIN));
    }
    s.add("isin.Tensor_Tensor", x, t(x.dtype(), 2).with(Content.index(0, 4)));
    s.add("isin.Tensor_Tensor", x, f64(3).with(Content.index(0, 4)), false, true);
    s.add("isin.Tensor_Tensor", x, t(x.dtype(), 0));
    s.add("isin.Tensor_Scalar", x, 1);
    s.add("isin.Scalar_Tensor", 2, x, false, true);
  }

  private static void sought(Samples s, DType dtype) {
    TensorSpec line = t(dtype, 6).with((Content.Ordered) i -> 2 * i);
    for (TensorSpec x : arranged(t(dtype, 3, 4).with(Content.index(0, 13)))) {
      s.add("searchsorted.Tensor", line, x);
      s.add("searchsorted.Tensor", line, x, true, true);
      s.add("searchsorted.Tensor", line, x, false, false, "right");
      s.add("searchsorted.Tensor", line, x, false, true, "left");
      s.add(
          "searchsorted.Tensor",
          line,
          x,
          false,
          false,
          null,
          index(1, 6).with((Content.Ordered) i -> i));
      s.add("searchsorted.Tensor", t(dtype, 3, 5).with((Content.Ordered) i -> i % 5), x);
      s.add("searchsorted.Tensor", t(dtype, 2, 5), x);
      s.add("bucketize.Tensor", x, line);
      s.add("bucketize.Tensor", x, line, true, true);
      s.add("bucketize.Tensor", x, t(dtype, 2, 2));
    }
    s.add("searchsorted.Scalar", line, 3);
    s.add("searchsorted.Scalar", line, 4, false, true);
    s.add("bucketize.Scalar", 4, line);
    s.add("searchsorted.Tensor", line, t(dtype, 0));
    s.add("searchsorted.Tensor", f32(4), f64(2));
    if (dtype.isFloating()) {
      s.add("searchsorted.Tensor", line, t(dtype, 13).with(Content.SPECIAL));
    }
    for (TensorSpec x : arranged(t(dtype, 4, 5))) {
      s.add("histc", x, 5L);
      s.add("histc", x, 4L, -2, 2);
      s.add("histc", x, 0L);
      s.add("histc", x, 4L, 2, -2);
    }
    s.add("histc", t(dtype, 0), 3L);
    s.add("histc", t(dtype, 3).with((Content.Ordered) _ -> 1), 3L);
  }

  private static void written(Samples s, DType dtype) {
    for (TensorSpec x : arranged(t(dtype, 3, 4))) {
      TensorSpec places = index(12, 5).with((Content.Ordered) i -> i * 5 % 12 - (i == 2 ? 12 : 0));
      s.add("put", x, places, t(dtype, 5).salted(1));
      s.add("put", x, index(12, 2, 3), t(dtype, 6).salted(1), true);
      s.add("put", x, index(12, 0), t(dtype, 0));
      s.add("put", x, index(12, 3), t(dtype, 2));
      s.add("put", x, i64(2).with(Content.index(12, 15)), t(dtype, 2));
      if (!dtype.isFloating()) {
        for (String how : List.of("prod", "mean", "amax", "amin", "sum")) {
          s.add("index_reduce", x, 0L, index(3, 2), t(dtype, 2, 4).salted(1), how);
          s.add("index_reduce", x, 1L, index(4, 3), t(dtype, 3, 3).salted(1), how, false);
        }
      }
      s.add("index_reduce", x, 0L, index(3, 2), t(dtype, 3, 4), "amax");
      s.add("renorm", x, 2, 0L, 1.5);
      s.add("renorm", x, 1, 1L, 3);
      s.add("renorm", x, 2, 0L, -1);
      s.add("fill_diagonal_", x, 2);
      s.add("fill_diagonal_", t(dtype, 9, 3), 2, true);
    }
    s.add("fill_diagonal_", t(dtype, 3, 3, 3), 1);
    s.add("fill_diagonal_", t(dtype, 3, 2, 3), 1);
    s.add("fill_diagonal_", t(dtype, 3), 1);
    s.add("renorm", t(dtype, 3), 2, 0L, 1);
  }

  private static void quantiles(Samples s) {
    for (DType dtype : List.of(DType.F32, DType.F64)) {
      for (TensorSpec x : arranged(t(dtype, 3, 5).with(Content.DISTINCT))) {
        for (String how : List.of("linear", "lower", "higher", "midpoint", "nearest", "other")) {
          for (String op : List.of("quantile", "nanquantile")) {
            s.add(op + ".scalar", x, 0.3, null, false, how);
            s.add(op + ".scalar", x, 0.3, 1L, true, how);
            TensorSpec q = t(dtype, 3).with(Content.PROBABILITY);
            s.add(op, x, q, 0L, false, how);
            s.add(op, x, q, null, true, how);
            s.add(op, x, q, -1L, true, how);
          }
        }
        s.add("quantile.scalar", x, 1.5);
        s.add("quantile", x, t(dtype, 2).with(Content.NONZERO));
      }
      TensorSpec broken =
          t(dtype, 3, 5).with((Content.Ordered) i -> i % 4 == 1 ? Double.NaN : i * 7 % 11);
      s.add("quantile.scalar", broken, 0.4, 1L);
      s.add("nanquantile.scalar", broken, 0.4, 1L);
      s.add("nanquantile.scalar", broken, 0.4);
      s.add("quantile.scalar", t(dtype), 0.4);
      s.add("quantile.scalar", t(dtype, 0), 0.4);
    }
    s.add("quantile", f32(3), f64(2).with(Content.PROBABILITY));
    s.add("quantile.scalar", i64(3), 0.5);
  }

  private static void recurrent(Samples s) {
    for (DType dtype : List.of(DType.F32, DType.F64)) {
      for (TensorSpec x : arranged(t(dtype, 3, 2, 4))) {
        for (boolean both : new boolean[] {false, true}) {
          for (boolean biases : new boolean[] {false, true}) {
            for (boolean batchFirst : new boolean[] {false, true}) {
              long batch = batchFirst ? 3 : 2;
              TensorSpec h = t(dtype, both ? 4 : 2, batch, 3).salted(1);
              List<Object> hx = list(h, h.salted(2));
              s.add(
                  "lstm.input",
                  x,
                  hx,
                  params(dtype, 4, both, biases),
                  biases,
                  2L,
                  0.0,
                  true,
                  both,
                  batchFirst);
              s.add(
                  "gru.input",
                  x,
                  h,
                  params(dtype, 3, both, biases),
                  biases,
                  2L,
                  0.0,
                  false,
                  both,
                  batchFirst);
              for (String op : List.of("rnn_tanh.input", "rnn_relu.input")) {
                s.add(
                    op,
                    x,
                    h,
                    params(dtype, 1, both, biases),
                    biases,
                    2L,
                    0.0,
                    true,
                    both,
                    batchFirst);
              }
            }
          }
        }
        s.add(
            "lstm.input",
            x,
            list(t(dtype, 1, 2, 3)),
            params(dtype, 4, false, true),
            true,
            1L,
            0.0,
            true,
            false,
            false);
      }
      for (TensorSpec x : arranged(t(dtype, 2, 4))) {
        TensorSpec h = t(dtype, 2, 3).salted(1);
        TensorSpec[] w = {null, t(dtype, 3, 4), null, t(dtype, 9, 4), t(dtype, 12, 4)};
        TensorSpec[] v = {null, t(dtype, 3, 3), null, t(dtype, 9, 3), t(dtype, 12, 3)};
        TensorSpec[] b = {null, t(dtype, 3), null, t(dtype, 9), t(dtype, 12)};
        s.add("lstm_cell", x, list(h, h.salted(2)), w[4], v[4], b[4], b[4].salted(3));
        s.add("lstm_cell", x, list(h, h.salted(2)), w[4], v[4]);
        s.add("gru_cell", x, h, w[3], v[3], b[3], b[3].salted(3));
        s.add("gru_cell", x, h, w[3], v[3]);
        s.add("gru_cell", x, h, w[4], v[3]);
        for (String op : List.of("rnn_tanh_cell", "rnn_relu_cell")) {
          s.add(op, x, h, w[1], v[1], b[1], b[1].salted(3));
          s.add(op, x, h, v[1], v[1]);
        }
      }
    }
  }

  /** Two layers from 4 to 3. */
  private static List<Object> params(DType dtype, int gates, boolean both, boolean biases) {
    List<Object> all = new ArrayList<>();
    for (int layer = 0; layer < 2; layer++) {
      for (int direction = 0; direction < (both ? 2 : 1); direction++) {
        int salt = 10 + 5 * layer + 2 * direction;
        all.add(
            t(dtype, 3L * gates, layer == 0 ? 4 : both ? 6 : 3).with(Content.UNIT).salted(salt));
        all.add(t(dtype, 3L * gates, 3).with(Content.UNIT).salted(salt + 1));
        if (biases) {
          all.add(t(dtype, 3L * gates).with(Content.UNIT).salted(salt + 2));
          all.add(t(dtype, 3L * gates).with(Content.UNIT).salted(salt + 3));
        }
      }
    }
    return List.copyOf(all);
  }
}
