package dev.jcomms.testkit.operator;

import static dev.jcomms.testkit.operator.Samples.bool;
import static dev.jcomms.testkit.operator.Samples.f32;
import static dev.jcomms.testkit.operator.Samples.f64;
import static dev.jcomms.testkit.operator.Samples.i64;
import static dev.jcomms.testkit.operator.Samples.list;
import static dev.jcomms.testkit.operator.Samples.longs;
import static dev.jcomms.testkit.operator.Samples.t;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Scalar;
import java.util.ArrayList;
import java.util.List;

/**
 * Calls at the border of what is allowed, for the comparison with PyTorch alone: a device need not
 * refuse all that the cpu refuses.
 */
final class EdgeCases {
  private static final double NAN = Double.NaN;
  private static final double INF = Double.POSITIVE_INFINITY;

  private EdgeCases() {}

  static List<Case> all() {
    Samples s = new Samples();
    numbers(s);
    truths(s);
    indexes(s);
    reductions(s);
    losses(s);
    images(s);
    List<Case> all = new ArrayList<>();
    s.cases().values().forEach(all::addAll);
    List<Case> gradients =
        all.stream()
            .filter(GradientExecution::isWanted)
            .map(c -> new Case(c.operator(), c.arguments(), Case.Form.GRADIENTS))
            .toList();
    all.addAll(gradients);
    return all;
  }

  private static TensorSpec special(double... numbers) {
    return f32(numbers.length).with(Content.of(numbers));
  }

  /** Numbers that a dtype holds, and such that it does not. */
  private static void numbers(Samples s) {
    List<Scalar> values =
        List.of(
            Scalar.of(300),
            Scalar.of(-1),
            Scalar.of(-200),
            Scalar.of(-256),
            Scalar.of(10_000_000_000L),
            Scalar.of(2.5),
            Scalar.of(-0.5),
            Scalar.of(127.5),
            Scalar.of(NAN),
            Scalar.of(INF),
            Scalar.of(1e20),
            Scalar.of(1e300),
            Scalar.of(true));
    for (DType dtype : Samples.ALL) {
      TensorSpec x = t(dtype, 3);
      for (Scalar v : values) {
        s.add("fill_.Scalar", x, v);
        s.add("full_like", x, v);
        s.add("full", longs(2), v, dtype);
        s.add("masked_fill.Scalar", x, bool(3), v);
        s.add("index_fill.int_Scalar", x, 0, i64(1).with(Content.of(1)), v);
        s.add("scatter.value", x, 0, i64(1).with(Content.of(1)), v);
        s.add("clamp_min", x, v);
        s.add("clamp", x, null, v);
        s.add("hardtanh", x, Scalar.of(0), v);
        s.add("pow.Tensor_Scalar", x, v);
        s.add("constant_pad_nd", x, longs(1, 0), v);
        s.add("where.ScalarOther", bool(3), x, v);
        s.add("threshold", x, v, v);
        s.add("addcmul", x, x, x, v);
        s.add("bitwise_and.Scalar", x, v);
        s.add("eq.Scalar", x, v);
      }
    }
  }

  private static void truths(Samples s) {
    s.add("acosh", special(-1e30, -2, 0.5, 1, 2, NAN, INF));
    s.add("logit", special(0, 0.5, 1, -1, 2, NAN));
    s.add("pow.Scalar", Scalar.of(0), special(0, -1, 2, NAN, -2.5));
    s.add("pow.Tensor_Scalar", bool(4), Scalar.of(true));
    s.add("pow.Tensor_Scalar", bool(4), Scalar.of(false));
    for (DType dtype : Samples.FLOATS) {
      s.add("pow.Tensor_Scalar", t(dtype, 3).with(Content.of(-0.0, 0, 4)), Scalar.of(-0.5));
    }
    for (DType from : Samples.FLOATS) {
      for (DType to : List.of(DType.I64, DType.I32, DType.I16, DType.BOOL)) {
        Content far = Content.of(NAN, INF, -INF, 3e9, -3e9, 300.7, -1.5, 70000, -40000);
        s.add("to.dtype", t(from, 9).with(far), to);
      }
    }
  }

  private static void indexes(Samples s) {
    TensorSpec x = f32(4, 5);
    TensorSpec round = i64(1, 5).with(Content.of(-1, 7, -6, 0, 3));
    s.add("take_along_dim", x, round, 0);
    s.add("take_along_dim", x, round, null);
    s.add("gather", x, 0, round);
    for (DType dtype : List.of(DType.U8, DType.I16, DType.I32)) {
      s.add("gather", f32(5), 0, t(dtype, 0));
      s.add("scatter.src", f32(5), 0, t(dtype, 0), f32(0));
      s.add("index_select", f32(5), 0, t(dtype, 0));
    }
    for (boolean accumulate : new boolean[] {false, true}) {
      s.add("index_put", x, list(bool(4)), i64(), accumulate);
      s.add("index_put", x, list(null, bool(5)), i64(1), accumulate);
      s.add("index_put", x, list(i64(2).with(Content.of(0, 1))), i64(), accumulate);
      s.add("index_put", t(DType.I32, 4), list(bool(4)), f32(), accumulate);
    }
    s.add("roll", f32(0), longs(1), longs(1));
    s.add("roll", f32(0), longs(1, 1), longs(0, 1));
    s.add("topk", f32(), 0, 0);
    s.add("topk", f32(), 1, 0);
    s.add("sum_to_size", t(DType.I8), longs());
    s.add("tensordot", t(DType.U8, 1, 1, 1), t(DType.U8, 2, 1, 2), longs(0, 1), longs(2, 0));
  }

  private static void reductions(Samples s) {
    for (TensorSpec x :
        List.of(
            special(1, NAN, 3),
            special(INF, -INF),
            special(INF, 0),
            special(NAN, 0),
            special(0, 0, 2),
            special(2, 3, 4))) {
      s.add("prod", x);
      s.add("prod.dim_int", x, 0);
      s.add("max", x);
      s.add("amin", x, longs(0));
      s.add("argmax", x, 0);
      s.add("linalg_vector_norm", x, Scalar.of(INF), longs(0));
      s.add("linalg_vector_norm", x, Scalar.of(-INF), longs(0));
      s.add("linalg_vector_norm", x, Scalar.of(0), longs(0));
    }
    for (long correction : longs(-1, 0, 1)) {
      s.add("var.correction", f32(0), longs(0), Scalar.of(correction));
      s.add("std.correction", f32(3, 0), longs(1), Scalar.of(correction));
    }
    for (DType dtype : List.of(DType.I32, DType.F64, DType.BOOL)) {
      s.add("cumsum", f32(3), 0, dtype);
      s.add("sum", f32(3), dtype);
    }
  }

  private static void losses(Samples s) {
    TensorSpec logits = special(1e4, -1e4, 0);
    TensorSpec wanted = special(0, 1, 0.5);
    for (long reduction : longs(0, 1, 2)) {
      String bce = "binary_cross_entropy_with_logits";
      s.add(bce, logits, wanted, null, null, reduction);
      s.add(bce, f32(2, 3), wanted, null, null, reduction);
      s.add(bce, wanted, f32(2, 3).with(Content.PROBABILITY), null, null, reduction);
      s.add(bce, i64(3), wanted, null, null, reduction);
      s.add(bce, logits, i64(3), null, null, reduction);
      s.add(bce, logits, f64(3).with(Content.PROBABILITY), null, null, reduction);
      s.add("smooth_l1_loss", i64(3), i64(3), reduction, 1.0);
    }
    TensorSpec scores = f32(4, 3);
    TensorSpec classes = i64(4).with(Content.of(0, 2, 1, 2));
    for (long reduction : longs(-1, 0, 3)) {
      for (double smoothing : new double[] {0, 0.2}) {
        s.add("cross_entropy_loss", scores, classes, null, reduction, -100, smoothing);
        TensorSpec likely = f32(4, 3).with(Content.PROBABILITY);
        s.add("cross_entropy_loss", scores, likely, null, reduction, -100, smoothing);
      }
    }
  }

  private static void images(Samples s) {
    for (DType dtype : List.of(DType.I64, DType.I32, DType.U8, DType.BOOL, DType.F32)) {
      TensorSpec image = t(dtype, 1, 2, 6, 6);
      TensorSpec weight = t(dtype, 2, 2, 2, 2);
      for (long[] dilation : List.of(longs(1, 1), longs(2, 1))) {
        s.add("conv2d", image, weight, null, longs(1, 1), longs(0, 0), dilation, 1);
        s.add(
            "conv_transpose2d.input",
            image,
            weight,
            null,
            longs(1, 1),
            longs(0, 0),
            longs(0, 0),
            1,
            dilation);
      }
    }
  }
}
