package dev.jcomms.testkit.operator;

import static dev.jcomms.testkit.operator.Samples.arranged;
import static dev.jcomms.testkit.operator.Samples.f32;
import static dev.jcomms.testkit.operator.Samples.f64;
import static dev.jcomms.testkit.operator.Samples.i64;
import static dev.jcomms.testkit.operator.Samples.t;

import dev.jcomms.tensor.DType;
import java.util.List;

/** Inverses, determinants, equations, roots and powers of square matrices. */
final class FactorSamples {
  private FactorSamples() {}

  /** Far from singular, and of no pattern. */
  private static Content firm(long n) {
    return (Content.Ordered)
        i -> (i % (n * n) / n == i % n ? 4 + i % 3 : 0) + (i * 7 % 5 - 2) * 0.3;
  }

  /** Symmetric and positive. */
  private static Content even(long n) {
    return (Content.Ordered)
        i -> {
          long row = i % (n * n) / n;
          long column = i % n;
          return (row == column ? 5 : 0) + ((row + column) % 3 - 1) * 0.4;
        };
  }

  static void add(Samples s) {
    for (DType dtype : List.of(DType.F32, DType.F64)) {
      for (long[] shape : List.of(new long[] {3, 3}, new long[] {2, 3, 3}, new long[] {1, 1})) {
        long n = shape[shape.length - 1];
        for (TensorSpec a : arranged(t(dtype, shape).with(firm(n)))) {
          if (a.arrangement() != Arrangement.EXPANDED) {
            matrices(s, dtype, a, n);
          }
        }
        for (boolean upper : new boolean[] {false, true}) {
          TensorSpec a = t(dtype, shape).with(even(n));
          s.add("linalg_cholesky", a, upper);
          s.add("linalg_cholesky_ex", a, upper);
          s.add("cholesky", a, upper);
        }
      }
      s.add("linalg_inv", t(dtype, 2, 3));
      s.add("linalg_inv", t(dtype, 2, 2).with((Content.Ordered) _ -> 1));
      s.add("linalg_inv", t(dtype, 0, 2, 2));
      s.add("linalg_det", t(dtype, 0, 0));
      s.add("linalg_det", t(dtype, 3));
      s.add("linalg_cholesky", t(dtype, 2, 2).with((Content.Ordered) _ -> -1));
      s.add("linalg_matrix_power", t(dtype, 2, 3), 2L);
    }
    s.add("linalg_inv", i64(2, 2));
    s.add("linalg_solve", f32(2, 2).with(firm(2)), f64(2, 2));
    s.add("linalg_solve", f32(2, 2).with(firm(2)), f32(3, 2));
  }

  private static void matrices(Samples s, DType dtype, TensorSpec a, long n) {
    for (String op : List.of("linalg_inv", "inverse", "linalg_inv_ex", "linalg_det", "det")) {
      s.add(op, a);
    }
    for (String op : List.of("linalg_slogdet", "slogdet", "logdet")) {
      s.add(op, a);
    }
    TensorSpec b = t(dtype, n, 2).salted(1);
    s.add("linalg_solve", a, b);
    s.add("linalg_solve", a, t(dtype, n).salted(1));
    s.add("linalg_solve", a, t(dtype, 2, n).salted(1), false);
    s.add("linalg_solve_ex", a, b);
    for (long power = -2; power <= 3; power++) {
      s.add("linalg_matrix_power", a, power);
      s.add("matrix_power", a, power);
    }
  }
}
