package dev.jcomms.testkit.operator;

import static dev.jcomms.testkit.operator.Samples.ALL;
import static dev.jcomms.testkit.operator.Samples.arranged;
import static dev.jcomms.testkit.operator.Samples.f32;
import static dev.jcomms.testkit.operator.Samples.f64;
import static dev.jcomms.testkit.operator.Samples.t;

import dev.jcomms.tensor.DType;
import java.util.List;

/** Products of matrices and vectors. */
final class MatrixSamples {
  /** Rows, inner, columns: empty, single, odd, beyond a tile. */
  private static final long[][] SIZES = {
    {1, 1, 1}, {2, 3, 4}, {5, 1, 7}, {0, 3, 2}, {2, 0, 3}, {3, 2, 0}, {17, 33, 9}, {8, 64, 40}
  };

  private MatrixSamples() {}

  static void add(Samples s) {
    for (DType dtype : ALL) {
      for (long[] n : SIZES) {
        products(s, dtype, n[0], n[1], n[2]);
      }
      matmul(s, dtype);
    }
    refused(s);
  }

  private static void products(Samples s, DType dtype, long m, long k, long n) {
    boolean thorough = dtype == DType.F32 || dtype == DType.F64;
    for (TensorSpec a : arranged(t(dtype, m, k))) {
      for (TensorSpec b : arranged(t(dtype, k, n).salted(1))) {
        boolean plain = a.arrangement() == Arrangement.PLAIN && b.arrangement() == a.arrangement();
        if (!thorough && !plain) {
          continue;
        }
        s.add("mm", a, b);
        s.add("matmul", a, b);
        s.add("addmm", t(dtype, n).salted(2), a, b);
        s.add("addmm", t(dtype, m, n).salted(2), a, b, 2, 3);
        s.add("addmm", t(dtype, m, 1).salted(2), a, b, 0, 1);
        s.add("addmm", t(dtype, m, n).with(Arrangement.TURNED), a, b, 1, 0);
      }
      s.add("mv", a, t(dtype, k).salted(1));
      s.add("mv", a, t(dtype, k).salted(1).with(Arrangement.SPARSE));
      s.add("addmv", t(dtype, m).salted(3), a, t(dtype, k).salted(1), 2, 1);
      s.add("matmul", a, t(dtype, k).salted(1));
    }
    for (TensorSpec w : arranged(t(dtype, n, k).salted(1))) {
      s.add("linear", t(dtype, m, k), w);
      s.add("linear", t(dtype, m, k), w, t(dtype, n));
      s.add("linear", t(dtype, 2, m, k), w, t(dtype, n));
      s.add("linear", t(dtype, k), w, t(dtype, n));
    }
    for (TensorSpec a : arranged(t(dtype, 3, m, k))) {
      s.add("bmm", a, t(dtype, 3, k, n).salted(1));
      s.add("bmm", a, t(dtype, 3, k, n).salted(1).with(Arrangement.TURNED));
      s.add("baddbmm", t(dtype, 3, m, n).salted(2), a, t(dtype, 3, k, n).salted(1), 2, 3);
      s.add("baddbmm", t(dtype, n).salted(2), a, t(dtype, 3, k, n).salted(1));
      s.add("addbmm", t(dtype, m, n).salted(2), a, t(dtype, 3, k, n).salted(1));
    }
    TensorSpec x = t(dtype, k);
    s.add("dot", x, x.salted(1));
    s.add("vdot", x, x.salted(1));
    s.add("dot", x.with(Arrangement.SPARSE), x.salted(1));
    s.add("inner", x, x.salted(1));
    s.add("outer", t(dtype, m), t(dtype, n).salted(1));
    s.add("ger", t(dtype, m), t(dtype, n).salted(1));
    s.add("addr", t(dtype, m, n), t(dtype, m), t(dtype, n).salted(1), 1, 2);
  }

  /** Batches that broadcast. */
  private static void matmul(Samples s, DType dtype) {
    long[][][] shapes = {
      {{2, 3, 4}, {4, 5}},
      {{3, 4}, {2, 4, 5}},
      {{2, 1, 3, 4}, {5, 4, 2}},
      {{4}, {2, 4, 3}},
      {{2, 3, 4}, {4}},
      {{4}, {4}},
      {{0, 3, 4}, {4, 5}},
      {{2, 3, 0}, {2, 0, 5}},
      {{4}, {4, 3}},
      {{1, 3, 4}, {2, 4, 5}},
    };
    for (long[][] pair : shapes) {
      for (TensorSpec a : arranged(t(dtype, pair[0]))) {
        s.add("matmul", a, t(dtype, pair[1]).salted(1));
      }
    }
  }

  private static void refused(Samples s) {
    for (String op : List.of("mm", "bmm", "matmul", "mv", "dot", "outer")) {
      s.add(op, f32(2, 3), f32(2, 3));
      s.add(op, f32(2, 3, 4), f32(2, 3, 4));
      s.add(op, f32(2), f32(3));
      s.add(op, f32(), f32());
      s.add(op, f32(), f32(2));
      s.add(op, f32(3, 3), f64(3, 3));
      s.add(op, f32(3), f64(3));
      s.add(op, f32(3), t(DType.I64, 3));
    }
    s.add("addmm", f32(5), f32(2, 3), f32(3, 4));
    s.add("addmm", f32(4), f32(2, 3), f32(2, 4));
    s.add("addmm", f64(4), f32(2, 3), f32(3, 4));
    s.add("linear", f32(2, 3), f32(4, 2));
    s.add("linear", f32(2, 3), f32(4, 3), f32(5));
    s.add("bmm", f32(2, 3, 4), f32(3, 4, 5));
    s.add("matmul", f32(2, 3, 4), f32(3, 4, 5));
  }
}
