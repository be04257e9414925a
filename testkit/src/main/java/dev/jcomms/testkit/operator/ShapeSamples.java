package dev.jcomms.testkit.operator;

import static dev.jcomms.testkit.operator.Samples.ALL;
import static dev.jcomms.testkit.operator.Samples.SHAPES;
import static dev.jcomms.testkit.operator.Samples.arranged;
import static dev.jcomms.testkit.operator.Samples.f32;
import static dev.jcomms.testkit.operator.Samples.list;
import static dev.jcomms.testkit.operator.Samples.longs;
import static dev.jcomms.testkit.operator.Samples.t;

import dev.jcomms.tensor.DType;

/** Elements put together, in another order, or sorted. */
final class ShapeSamples {
  private ShapeSamples() {}

  static void add(Samples s) {
    for (DType dtype : ALL) {
      together(s, dtype);
      for (long[] shape : SHAPES) {
        for (TensorSpec x : arranged(t(dtype, shape))) {
          if (dtype == DType.F32 || dtype == DType.I64 || x.arrangement() == Arrangement.PLAIN) {
            order(s, x);
            sorts(s, x);
          }
        }
      }
    }
    refused(s);
  }

  private static void together(Samples s, DType dtype) {
    TensorSpec x = t(dtype, 2, 3);
    for (TensorSpec a : arranged(x)) {
      for (long dim : new long[] {0, 1, -1, -2}) {
        s.add("cat", list(a, x.salted(1)), dim);
        s.add("cat", list(a, x.salted(1).with(Arrangement.TURNED), x.salted(2)), dim);
        s.add("stack", list(a, x.salted(1)), dim);
        s.add("concat", list(a, x.salted(1)), dim);
      }
      s.add("stack", list(a, a), 2L);
      s.add("cat", list(a));
      s.add("cat", list(a, t(dtype, 4, 3)), 0L);
      s.add("cat", list(a, t(dtype, 2, 0)), 1L);
      s.add("cat", list(t(dtype, 0), a), 1L);
      s.add("hstack", list(a, a));
      s.add("vstack", list(a, t(dtype, 3)));
    }
    s.add("stack", list(t(dtype), t(dtype).salted(1)));
    s.add("stack", list(t(dtype, 0), t(dtype, 0)));
    s.add("cat", list(t(dtype, 2), f32(3)));
    s.add("cat", list(t(dtype, 2), t(DType.I64, 3), t(DType.BOOL, 1)));
    s.add("stack", list(t(dtype, 2), f32(2)));
  }

  private static void order(Samples s, TensorSpec x) {
    int n = x.sizes().length;
    s.add("flip", x, longs());
    s.add("roll", x, longs(1));
    s.add("roll", x, longs(-7));
    for (int dim = 0; dim < n; dim++) {
      s.add("flip", x, longs(dim));
      s.add("roll", x, longs(2), longs(dim));
      s.add("roll", x, longs(-1), longs(dim - n));
      s.add("repeat_interleave.self_int", x, 2L, (long) dim);
    }
    if (n >= 2) {
      s.add("flip", x, longs(0, -1));
      s.add("roll", x, longs(1, 2), longs(0, 1));
      s.add("rot90", x);
      s.add("trace", x);
    }
    for (long k = -2; k <= 2; k++) {
      s.add("tril", x, k);
      s.add("triu", x, k);
      s.add("diag", x, k);
      s.add("diag_embed", x, k);
    }
    long[] twice = new long[n];
    java.util.Arrays.fill(twice, 2);
    s.add("repeat", x, twice);
    s.add("repeat", x, longs(2, 1, 1, 3));
    s.add("tile", x, longs(2));
    s.add("repeat_interleave.self_int", x, 3L);
  }

  private static void sorts(Samples s, TensorSpec given) {
    TensorSpec x = given.with(Content.DISTINCT);
    int n = Math.max(1, x.sizes().length);
    for (long dim = -1; dim < n; dim++) {
      for (boolean descending : new boolean[] {false, true}) {
        s.add("sort.stable", given, true, dim, descending);
        s.add("argsort.stable", given, true, dim, descending);
        if (x.dtype() != DType.BOOL && x.arrangement() != Arrangement.EXPANDED) {
          s.add("sort", x, dim, descending);
          s.add("argsort", x, dim, descending);
          for (long k : new long[] {0, 1, 2}) {
            s.add("topk", x, k, dim, descending, true);
          }
        }
      }
      s.add("msort", x);
    }
    if (x.dtype().isFloating()) {
      s.add("sort.stable", t(x.dtype(), 13).with(Content.SPECIAL), true);
    }
  }

  private static void refused(Samples s) {
    s.add("cat", list());
    s.add("stack", list());
    s.add("cat", list(f32(), f32()));
    s.add("cat", list(f32(2, 3), f32(2, 4)), 0L);
    s.add("cat", list(f32(2, 3), f32(2)), 0L);
    s.add("cat", list(f32(2, 3)), 2L);
    s.add("stack", list(f32(2, 3), f32(3, 2)));
    s.add("stack", list(f32(2, 3)), 3L);
    s.add("flip", f32(2, 3), longs(2));
    s.add("flip", f32(2, 3), longs(0, 0));
    s.add("roll", f32(2, 3), longs(1, 2), longs(0));
    s.add("tril", f32(3));
    s.add("repeat", f32(2, 3), longs(2));
    s.add("repeat", f32(2), longs(-1));
    s.add("topk", f32(3), 4L);
    s.add("topk", f32(3), -1L);
    s.add("sort", f32(3), 1L);
  }
}
