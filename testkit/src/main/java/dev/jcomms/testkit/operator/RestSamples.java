package dev.jcomms.testkit.operator;

import static dev.jcomms.testkit.operator.Samples.arranged;
import static dev.jcomms.testkit.operator.Samples.bool;
import static dev.jcomms.testkit.operator.Samples.f32;
import static dev.jcomms.testkit.operator.Samples.index;
import static dev.jcomms.testkit.operator.Samples.list;
import static dev.jcomms.testkit.operator.Samples.longs;
import static dev.jcomms.testkit.operator.Samples.t;

import dev.jcomms.tensor.DType;
import java.util.List;

/** Other names of operators, numbers in place of tensors, and backward operators by themselves. */
final class RestSamples {
  private RestSamples() {}

  static void add(Samples s) {
    for (DType dtype : List.of(DType.F32, DType.F64, DType.I64, DType.BOOL)) {
      for (TensorSpec x : arranged(t(dtype, 2, 3))) {
        names(s, x);
        reductions(s, x);
      }
      for (TensorSpec x : arranged(t(dtype, 4, 6))) {
        s.add("hsplit.int", x, 3L);
        s.add("hsplit.int", x, 4L);
        s.add("split.sizes", x, longs(1, 2, 3), 1L);
        s.add("split.sizes", x, longs(1, 2), 1L);
      }
    }
    for (DType dtype : List.of(DType.F32, DType.F64)) {
      for (TensorSpec x : arranged(t(dtype, 2, 3))) {
        backward(s, dtype, x);
        random(s, x);
      }
      likelihoods(s, dtype);
    }
    for (DType dtype : List.of(DType.I64, DType.I32, DType.U8, DType.BOOL)) {
      for (TensorSpec x : arranged(t(dtype, 2, 3).with(Content.index(0, 5)))) {
        for (String op : List.of("and", "or", "xor")) {
          s.add("__" + op + "__.Scalar", x, 3);
          s.add("__" + op + "__.Tensor", x, t(dtype, 3).with(Content.index(0, 5)));
          s.add("bitwise_" + op + ".Scalar_Tensor", 5, x);
        }
        s.add("bitwise_left_shift.Scalar_Tensor", 3, x);
        s.add("bitwise_right_shift.Scalar_Tensor", 30, x);
      }
    }
    for (String op : List.of("rand.generator", "randn.generator")) {
      s.addHeader(op, longs(2, 3), null, DType.F64, null, Case.HERE);
    }
    s.addHeader("randint.generator", 9L, longs(2, 3), null, DType.I64, null, Case.HERE);
    s.addHeader("randint.low_generator", -2L, 9L, longs(2, 3), null, DType.I64, null, Case.HERE);
    s.addHeader("randperm.generator", 7L, null, null, null, Case.HERE);
    s.addHeader("normal.float_float", 1.0, 2.0, longs(2, 3), null, DType.F64, null, Case.HERE);
  }

  private static void names(Samples s, TensorSpec x) {
    TensorSpec y = x.with(Arrangement.PLAIN).with(Content.NONZERO).salted(1);
    s.add("arcsinh", x);
    s.add("arccosh", x.with(Content.POSITIVE));
    s.add("arctanh", x.with(Content.UNIT));
    s.add("clip.Tensor", x, y, null);
    s.add("clip.Tensor", x, y, y.salted(2));
    s.add("concatenate", list(x, y), 1L);
    s.add("divide.Tensor_mode", x, y, "floor");
    s.add("divide.Tensor_mode", x, y, null);
    s.add("divide.Scalar_mode", x, 2, "trunc");
    s.add("divide_.Tensor_mode", x, y, "floor");
    s.add("divide_.Scalar_mode", x, 2, "floor");
    s.add("floor_divide_.Tensor", x, y);
    s.add("xlogy.Tensor", x, y.with(Content.POSITIVE));
    s.add("xlogy.Tensor", x.with(Content.SPECIAL), y);
    s.add("pow_.Tensor", x.with(Content.POSITIVE), y.with(Content.POSITIVE));
    s.add("ldexp_", x, y);
    s.add("tensordot", x, y, longs(1), longs(1));
    s.add("tensordot", x, t(x.dtype(), 3, 2), longs(0, 1), longs(1, 0));
    s.add("tensordot", x, y, longs(0), longs(1));
    s.add("sum_to_size", x, longs(1, 3));
    s.add("sum_to_size", x, longs(2));
    s.add("to.device", x, Case.HERE, DType.F64);
    s.add("index_fill.int_Tensor", x, 1L, index(3, 2), t(x.dtype()).salted(1));
    s.add("index_fill.int_Tensor", x, 1L, index(3, 2), t(x.dtype(), 2));
    s.add("masked_scatter", x, bool(2, 3), t(x.dtype(), 6).salted(1));
    s.add("masked_scatter", x, bool(3), t(x.dtype(), 6).salted(1));
    s.add("masked_scatter_", x, bool(2, 3), t(x.dtype(), 6).salted(1));
    s.add("masked_scatter", x, bool(2, 3), t(x.dtype(), 1));
  }

  private static void reductions(Samples s, TensorSpec x) {
    s.add("aminmax", x);
    s.add("aminmax", x, 1L, true);
    s.add("aminmax", x, 2L);
    s.add("count_nonzero.dim_IntList", x, longs(0));
    s.add("count_nonzero.dim_IntList", x, longs(0, 1));
    for (String op : List.of("std_mean", "var_mean")) {
      s.add(op, x);
      s.add(op, x, false);
      s.add(op + ".dim", x, longs(1));
      s.add(op + ".dim", x, longs(0), false, true);
    }
    s.add("dist", x, x.with(Arrangement.PLAIN).salted(1));
    s.add("dist", x, x.with(Arrangement.PLAIN).salted(1), 1);
    s.add("norm.ScalarOpt_dim_dtype", x, 2, longs(1), false, DType.F64);
  }

  private static void backward(Samples s, DType dtype, TensorSpec x) {
    s.add("diagonal_backward", t(dtype, 3), longs(3, 4), 1L, 0L, 1L);
    s.add("unfold_backward", t(dtype, 3, 2, 3), longs(5, 2), 0L, 3L, 1L);
    s.add("gather_backward", x, t(dtype, 4, 3), 0L, index(4, 2, 3), false);
    s.add("index_select_backward", x, longs(4, 3), 0L, index(4, 2));
    s.add("embedding_backward", x, index(5, 2), 5L, -1L, false, false);
    TensorSpec mean = t(dtype, 3).salted(3);
    TensorSpec variance = t(dtype, 3).with(Content.POSITIVE).salted(4);
    TensorSpec w = t(dtype, 3).salted(1);
    TensorSpec b = t(dtype, 3).salted(2);
    for (boolean training : new boolean[] {true, false}) {
      TensorSpec y = t(dtype, 4, 3, 2).salted(5);
      s.add("_native_batch_norm_legit", y, w, b, mean, variance, training, 0.1, 1e-5);
    }
    s.add("_native_batch_norm_legit.no_stats", t(dtype, 4, 3, 2), w, b, true, 0.1, 1e-5);
    s.add(
        "max_pool2d_with_indices_backward",
        t(dtype, 1, 1, 1, 2),
        t(dtype, 1, 1, 2, 4),
        longs(2, 2),
        longs(2, 2),
        longs(0, 0),
        longs(1, 1),
        false,
        index(8, 1, 1, 1, 2).with((Content.Ordered) i -> i == 0 ? 1 : 6));
  }

  private static void likelihoods(Samples s, DType dtype) {
    TensorSpec places = index(3, 2, 2, 2);
    for (long reduction = 0; reduction < 3; reduction++) {
      for (TensorSpec x : arranged(t(dtype, 2, 3, 2, 2))) {
        TensorSpec w = t(dtype, 3).with(Content.POSITIVE);
        s.add("nll_loss2d", x, places, w, reduction);
        s.add("nll_loss2d_forward", x, places, null, reduction, 1L);
        TensorSpec g = reduction == 0 ? t(dtype, 2, 2, 2) : t(dtype);
        TensorSpec total = t(dtype).with(Content.POSITIVE);
        s.add(
            "nll_loss2d_backward",
            g,
            x.with(Arrangement.PLAIN),
            places,
            w,
            reduction,
            -100L,
            total);
      }
    }
    s.add("nll_loss2d", f32(2, 3, 2, 2), index(3, 2, 2));
  }

  private static void random(Samples s, TensorSpec x) {
    TensorSpec p = x.with(Arrangement.PLAIN).with(Content.PROBABILITY).salted(1);
    s.addHeader("bernoulli_.Tensor", x, p);
    s.addHeader("random_.to", x, 9L);
    s.addHeader("randint_like.low_dtype", x, -2L, 9L);
    s.addHeader("normal.Tensor_Tensor", x, p);
    s.addHeader("normal.Tensor_float", x, 2.0);
    s.addHeader("normal.float_Tensor", 1.0, p);
  }
}
