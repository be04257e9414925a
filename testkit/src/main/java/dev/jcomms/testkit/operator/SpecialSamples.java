package dev.jcomms.testkit.operator;

import static dev.jcomms.testkit.operator.Samples.SHAPES;
import static dev.jcomms.testkit.operator.Samples.arranged;
import static dev.jcomms.testkit.operator.Samples.f32;
import static dev.jcomms.testkit.operator.Samples.f64;
import static dev.jcomms.testkit.operator.Samples.i64;
import static dev.jcomms.testkit.operator.Samples.index;
import static dev.jcomms.testkit.operator.Samples.longs;
import static dev.jcomms.testkit.operator.Samples.t;

import dev.jcomms.tensor.DType;
import java.util.List;

/** Special functions, gates, and activations with parameters of their own. */
final class SpecialSamples {
  private static final List<DType> TRIED =
      List.of(DType.F32, DType.F64, DType.I64, DType.U8, DType.BOOL);

  private SpecialSamples() {}

  static void add(Samples s) {
    for (String op :
        List.of(
            "i0",
            "special_i0",
            "special_i0e",
            "special_i1",
            "special_i1e",
            "special_erfcx",
            "special_ndtr",
            "special_log_ndtr",
            "special_sinc",
            "special_erf",
            "special_erfc",
            "special_exp2",
            "special_expm1")) {
      each(s, op, Content.ANY);
    }
    for (String op :
        List.of(
            "special_entr", "special_gammaln", "special_digamma", "special_psi", "special_log1p")) {
      each(s, op, Content.POSITIVE);
    }
    each(s, "lgamma", Content.NONZERO);
    each(s, "digamma", Content.POSITIVE);
    each(s, "special_erfinv", Content.UNIT);
    each(s, "special_ndtri", Content.PROBABILITY);
    each(s, "special_logit", Content.PROBABILITY);
    orders(s);
    pairs(s);
    gates(s);
  }

  private static void each(Samples s, String op, Content content) {
    for (DType dtype : TRIED) {
      for (long[] shape : SHAPES) {
        for (TensorSpec x : arranged(t(dtype, shape).with(content))) {
          s.add(op, x);
        }
      }
      s.add(op, t(dtype, 13).with(Content.SPECIAL));
    }
  }

  private static void orders(Samples s) {
    for (DType dtype : TRIED) {
      for (TensorSpec x : arranged(t(dtype, 2, 3).with(Content.POSITIVE))) {
        for (long n = -1; n <= 3; n++) {
          s.add("polygamma", n, x);
          s.add("special_polygamma", n, x);
          s.add("special_round", x, n);
        }
        TensorSpec large =
            x.isFloating() ? t(dtype, 4).with(new Content.Range(3, 9, 2.2, 6, "large")) : x;
        for (long p = 0; p <= 3; p++) {
          s.add("mvlgamma", large, p);
          s.add("special_multigammaln", large, p);
        }
        s.add("special_softmax", x, 1L);
        s.add("special_softmax", x, 0L, DType.F64);
        s.add("special_log_softmax", x, -1L);
        s.add("special_logsumexp", x, longs(1));
      }
    }
  }

  private static void pairs(Samples s) {
    for (DType dtype : TRIED) {
      for (long[] shape : SHAPES) {
        for (TensorSpec x : arranged(t(dtype, shape).with(Content.POSITIVE))) {
          TensorSpec y = t(dtype, shape).with(Content.POSITIVE).salted(1);
          for (String op : List.of("special_xlog1py", "special_xlogy", "logaddexp2", "heaviside")) {
            s.add(op, x, y);
            s.add(op, x, t(dtype).salted(2).with(Content.POSITIVE));
          }
          for (String op : List.of("igamma", "igammac", "special_gammainc", "special_gammaincc")) {
            s.add(op, x, y);
          }
          s.add("special_zeta", x.with(new Content.Range(2, 5, 1.5, 5, "above one")), y);
          s.add("nextafter", x, y);
          s.add("ldexp.Tensor", x, index(5, shape));
          s.add("float_power.Tensor_Tensor", x, y);
          s.add("float_power.Tensor_Scalar", x, 2);
          s.add("float_power.Tensor_Scalar", x, -0.5);
          s.add("float_power.Scalar", 3, x);
          s.add("xlogy.Scalar_Self", 2, x);
          s.add("xlogy.Scalar_Other", x, 2.5);
          s.add("special_xlog1py.self_scalar", 0, x);
          s.add("special_xlog1py.other_scalar", x, 1.5);
          s.add("special_zeta.self_scalar", 2.5, x);
          s.add(
              "special_zeta.other_scalar", x.with(new Content.Range(2, 5, 1.5, 5, "above one")), 2);
          s.add("copysign.Scalar", x, -1.0);
        }
      }
      s.add("heaviside", t(dtype, 13).with(Content.SPECIAL), t(dtype, 13));
      s.add("logaddexp2", t(dtype, 13).with(Content.SPECIAL), t(dtype, 13).with(Content.SPECIAL));
      s.add("special_xlog1py", t(dtype, 13).with(Content.SPECIAL), t(dtype, 13));
    }
    for (DType dtype : List.of(DType.I64, DType.I32, DType.I8, DType.U8, DType.F32, DType.BOOL)) {
      for (String op : List.of("gcd", "lcm")) {
        for (long[] shape : SHAPES) {
          for (TensorSpec x : arranged(t(dtype, shape))) {
            s.add(op, x, t(dtype, shape).salted(1));
            s.add(op, x, i64().salted(3));
          }
        }
      }
    }
    s.add("heaviside", f32(3), f64(3));
    s.add("igamma", f32(3).with(Content.POSITIVE), f32(2).with(Content.POSITIVE));
  }

  private static void gates(Samples s) {
    for (DType dtype : List.of(DType.F32, DType.F64, DType.BF16, DType.I64)) {
      for (long[] shape :
          List.of(longs(4), longs(2, 6), longs(0, 4), longs(2, 4, 3), longs(3), longs())) {
        for (TensorSpec x : arranged(t(dtype, shape))) {
          s.add("glu", x);
          s.add("glu", x, 0L);
          s.add("glu", x, 1L);
          s.add("log_sigmoid_forward", x);
          s.add("log_sigmoid_backward", x.salted(1), x, x.with(Content.PROBABILITY));
          s.add("prelu", x, t(dtype).salted(1));
          s.add("prelu", x, t(dtype, 1).salted(1));
          s.add("prelu", x, t(dtype, 4).salted(1));
          s.add("_prelu_kernel", x, t(dtype, shape).salted(1));
          s.add("_prelu_kernel_backward", x.salted(2), x, t(dtype, shape).salted(1));
          s.add("rrelu", x);
          s.add("rrelu", x, 0.2, 0.4);
          s.add("rrelu", x, 0.5, 0.4);
          s.addHeader("rrelu", x, 0.2, 0.4, true);
          s.add("rrelu_", x, 0.2, 0.4);
          s.add("selu_", x);
          s.add("relu6_", x);
          for (String op : List.of("feature_dropout", "alpha_dropout", "feature_alpha_dropout")) {
            s.add(op, x, 0.5, false);
            s.add(op, x, 0.0, true);
            s.add(op, x, 1.5, true);
            s.addHeader(op, x, 0.5, true);
          }
          s.addHeader("feature_dropout_", x, 0.5, true);
        }
      }
      for (TensorSpec x : arranged(t(dtype, 2, 6))) {
        s.add("glu_backward", t(dtype, 2, 3).salted(1), x, 1L);
        s.add("glu_backward", t(dtype, 1, 6).salted(1), x, 0L);
        s.add("hardshrink_backward", x.salted(1), x, 0.5);
        s.add("softshrink_backward", x.salted(1), x, 0.5);
      }
    }
    s.add("prelu", f32(2, 3), f32(2));
    s.add("prelu", f32(2, 3), f64(3));
    s.add("prelu", f32(2, 3), f32(1, 3));
  }
}
