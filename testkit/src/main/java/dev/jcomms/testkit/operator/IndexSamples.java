package dev.jcomms.testkit.operator;

import static dev.jcomms.testkit.operator.Samples.ALL;
import static dev.jcomms.testkit.operator.Samples.arranged;
import static dev.jcomms.testkit.operator.Samples.bool;
import static dev.jcomms.testkit.operator.Samples.f32;
import static dev.jcomms.testkit.operator.Samples.f64;
import static dev.jcomms.testkit.operator.Samples.i64;
import static dev.jcomms.testkit.operator.Samples.index;
import static dev.jcomms.testkit.operator.Samples.list;
import static dev.jcomms.testkit.operator.Samples.t;

import dev.jcomms.tensor.DType;
import java.util.List;

/** Elements picked and placed by index or mask. */
final class IndexSamples {
  private IndexSamples() {}

  static void add(Samples s) {
    for (DType dtype : ALL) {
      for (TensorSpec x : arranged(t(dtype, 4, 5))) {
        byIndex(s, x);
        advanced(s, x);
        masks(s, x);
      }
      byIndex(s, t(dtype, 4, 5, 2));
      for (TensorSpec x : List.of(t(dtype), t(dtype, 3), t(dtype, 0, 3), t(dtype, 2, 3, 4))) {
        masks(s, x);
        s.add("nonzero", x);
      }
    }
    corners(s);
    refused(s);
  }

  private static void byIndex(Samples s, TensorSpec x) {
    long[] sizes = x.sizes();
    for (int dim = -1; dim < 2; dim++) {
      int at = dim < 0 ? sizes.length - 1 : dim;
      long[] fewer = sizes.clone();
      fewer[at] = 3;
      TensorSpec pick = index(sizes[at], fewer);
      TensorSpec once = i64(fewer).with(new Along(at, fewer));
      for (TensorSpec i : arranged(pick)) {
        s.add("gather", x, (long) dim, i);
        s.add("scatter_add", x, (long) dim, i, x.salted(1).with(Arrangement.PLAIN));
      }
      s.add("take_along_dim", x, pick, (long) dim);
      s.add("scatter.src", x, (long) dim, once, t(x.dtype(), fewer).salted(1));
      s.add("scatter.value", x, (long) dim, pick, 3);
      s.add("scatter.value", x, (long) dim, pick, 2.5);
      for (String reduce : List.of("add", "multiply", "other")) {
        s.add("scatter.reduce", x, (long) dim, pick, t(x.dtype(), fewer).salted(1), reduce);
        s.add("scatter.value_reduce", x, (long) dim, pick, 2, reduce);
      }
      for (String reduce : List.of("sum", "prod", "mean", "amax", "amin")) {
        s.add("scatter_reduce.two", x, (long) dim, pick, t(x.dtype(), fewer).salted(1), reduce);
        s.add(
            "scatter_reduce.two",
            x,
            (long) dim,
            pick,
            t(x.dtype(), fewer).salted(1),
            reduce,
            false);
      }
      TensorSpec rows = index(sizes[at], 3);
      TensorSpec distinct = i64(3).with(new Along(0, 3));
      s.add("index_select", x, (long) dim, rows);
      s.add("index_select", x, (long) dim, rows.with(DType.I32));
      s.add("index_select", x, (long) dim, index(sizes[at]));
      s.add("index_add", x, (long) dim, rows, t(x.dtype(), fewer).salted(1));
      s.add("index_add", x, (long) dim, rows, t(x.dtype(), fewer).salted(1), 2);
      s.add("index_copy", x, (long) dim, distinct, t(x.dtype(), fewer).salted(1));
      s.add("index_fill.int_Scalar", x, (long) dim, rows, 3);
    }
    s.add("take", x, index(20, 3, 2));
  }

  /** As {@code x[i, :, j]} in Python. */
  private static void advanced(Samples s, TensorSpec x) {
    List<List<Object>> all =
        List.of(
            list(index(4, 3)),
            list(i64(3).with(Content.index(-4, 4))),
            list(null, index(5, 2, 3)),
            list(index(4, 3), index(5, 3)),
            list(index(4, 3, 1), index(5, 2)),
            list(index(4), index(5, 2)),
            list(bool(4)),
            list(bool(4, 5)),
            list(index(4, 0)),
            list(index(4, 2).with(DType.I32)));
    for (List<Object> indexes : all) {
      s.add("index.Tensor", x, indexes);
      s.add("index_put", x, indexes, t(x.dtype()));
      if (!indexes.contains(null)) {
        s.add("index_put", x, indexes, t(x.dtype()), true);
      }
    }
    s.add("index_put", x, list(i64(3).with(new Along(0, 3))), t(x.dtype(), 3, 5).salted(1));
    s.add("index_put", x, list(index(4, 3)), t(x.dtype(), 5).salted(1), true);
    s.add("index.Tensor", x, list(index(4, 3), index(5, 2)));
    s.add("index.Tensor", x, list(i64(3).with(Content.index(4, 9))));
    s.add("index.Tensor", x, list(bool(5)));
    s.add("index.Tensor", x, list(f32(2)));
    s.add("index.Tensor", x, list(index(4, 1), index(5, 1), index(5, 1)));
  }

  private static void masks(Samples s, TensorSpec x) {
    for (TensorSpec mask : arranged(bool(x.sizes()).salted(7))) {
      s.add("masked_fill.Scalar", x, mask, 2);
      s.add("masked_fill.Scalar", x, mask, 2.5);
      s.add("masked_fill.Scalar", x, mask, true);
      s.add("masked_fill.Tensor", x, mask, t(x.dtype()));
      s.add("masked_fill.Tensor", x, mask, f64());
      s.add("masked_select", x, mask);
    }
    s.add("masked_fill.Scalar", x, bool(), Double.NEGATIVE_INFINITY);
    s.add("masked_select", x, bool());
    s.add("nonzero", x);
  }

  private static void corners(Samples s) {
    s.add("gather", f32(3, 4), 0L, index(3, 2, 2));
    s.add("gather", f32(), 0L, index(1));
    s.add("gather", f32(3), 0L, index(3, 0));
    s.add("gather", f32(0), 0L, index(1, 0));
    s.add("index_select", f32(), 0L, index(1, 1));
    s.add("index_select", f32(3, 0), 0L, index(3, 2));
    s.add("masked_fill.Scalar", f32(2, 3), bool(3), 1);
    s.add("masked_fill.Scalar", f32(3), bool(2, 3), 1);
    s.add("masked_select", f32(3), bool(2, 1));
    s.add("one_hot", index(4, 2, 3), 5L);
    s.add("one_hot", index(4, 3));
    s.add("one_hot", index(4, 3), 2L);
    s.add("one_hot", index(4, 0), 3L);
    s.add("one_hot", index(4, 0));
    s.add("one_hot", f32(3), 5L);
    s.add("bincount", index(4, 7));
    s.add("bincount", index(4, 7), f32(7), 6L);
    s.add("nonzero", f32(13).with(Content.SPECIAL));
  }

  private static void refused(Samples s) {
    for (String op : List.of("gather", "index_select")) {
      s.add(op, f32(3, 4), 2L, index(3, 2, 2));
      s.add(op, f32(3), 0L, i64(2).with(Content.index(3, 5)));
      s.add(op, f32(3), 0L, i64(2).with(Content.index(-3, 0)));
      s.add(op, f32(3), 0L, f32(2));
      s.add(op, f32(3, 4), 0L, index(3, 2, 2, 2));
    }
    s.add("gather", f32(3, 4), 0L, index(3, 2));
    s.add("gather", f32(3, 4), 0L, index(3, 2, 5));
    s.add("gather", f32(3, 4), 0L, index(3, 2, 2).with(DType.I32));
    s.add("scatter.src", f32(3, 4), 0L, index(3, 2, 2), f32(1, 2));
    s.add("scatter.src", f32(3, 4), 0L, index(3, 2, 2), f64(2, 2));
    s.add("scatter_add", f32(3, 4), 0L, index(3, 2, 2), f32(2, 1));
    s.add("index_add", f32(3, 4), 0L, index(3, 2), f32(3, 4));
    s.add("index_add", f32(3, 4), 0L, index(3, 2), f64(2, 4));
    s.add("masked_fill.Scalar", f32(3), i64(3), 1);
    s.add("masked_fill.Tensor", f32(3), bool(3), f32(3));
    s.add("masked_select", f32(3), bool(2));
    s.add("masked_select", f32(3), i64(3));
    s.add("index_put", f32(4, 5), list(index(4, 3)), f32(4));
    s.add("index_put", f32(4, 5), list(index(4, 3)), f64(5));
  }

  /**
   * Indexes 0, 1, 2… along one dimension: none twice, so that what is written last is no matter.
   */
  record Along(int dim, long... sizes) implements Content.Ordered {
    @Override
    public double of(long i) {
      long below = 1;
      for (int d = dim + 1; d < sizes.length; d++) {
        below *= sizes[d];
      }
      return i / Math.max(1, below) % Math.max(1, sizes[dim]);
    }
  }
}
