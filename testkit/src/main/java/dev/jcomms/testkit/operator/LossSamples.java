package dev.jcomms.testkit.operator;

import static dev.jcomms.testkit.operator.Samples.arranged;
import static dev.jcomms.testkit.operator.Samples.f32;
import static dev.jcomms.testkit.operator.Samples.f64;
import static dev.jcomms.testkit.operator.Samples.i64;
import static dev.jcomms.testkit.operator.Samples.index;
import static dev.jcomms.testkit.operator.Samples.longs;
import static dev.jcomms.testkit.operator.Samples.t;

import dev.jcomms.tensor.DType;
import java.util.List;

/** Losses and their gradients. */
final class LossSamples {
  private LossSamples() {}

  static void add(Samples s) {
    for (DType dtype : List.of(DType.F32, DType.F64, DType.BF16)) {
      likelihood(s, dtype);
      distances(s, dtype);
    }
    refused(s);
  }

  private static void likelihood(Samples s, DType dtype) {
    for (long[] shape : List.of(longs(4, 3), longs(1, 5), longs(0, 3))) {
      long classes = shape[1];
      TensorSpec target = index(classes, shape[0]);
      for (TensorSpec x : arranged(t(dtype, shape))) {
        for (TensorSpec w : new TensorSpec[] {null, t(dtype, classes).with(Content.POSITIVE)}) {
          for (long reduction = 0; reduction < 3; reduction++) {
            for (long ignored : new long[] {-100, 1}) {
              s.add("nll_loss_forward", x, target, w, reduction, ignored);
              s.add("nll_loss", x, target, w, reduction, ignored);
              s.add("nll_loss_nd", x, target, w, reduction, ignored);
              s.add("cross_entropy_loss", x, target, w, reduction, ignored);
              s.add("cross_entropy_loss", x, target, w, reduction, ignored, 0.2);
              TensorSpec g = reduction == 0 ? t(dtype, shape[0]) : t(dtype);
              TensorSpec total = t(dtype).with(Content.POSITIVE);
              s.add("nll_loss_backward", g, x, target, w, reduction, ignored, total);
            }
            TensorSpec mix = t(dtype, shape).with(Content.PROBABILITY).salted(2);
            s.add("cross_entropy_loss", x, mix, w, reduction, -100L, 0.1);
          }
        }
      }
    }
    for (long reduction = 0; reduction < 3; reduction++) {
      s.add("nll_loss_nd", t(dtype, 2, 3, 4), index(3, 2, 4), null, reduction, -100L);
      s.add("nll_loss_nd", t(dtype, 3), index(3), null, reduction, -100L);
      s.add("cross_entropy_loss", t(dtype, 2, 3, 4), index(3, 2, 4), null, reduction, 1L);
      s.add("cross_entropy_loss", t(dtype, 2, 3, 4, 2), index(3, 2, 4, 2), null, reduction, 1L);
      s.add("cross_entropy_loss", t(dtype, 3), index(3), null, reduction);
    }
  }

  private static void distances(Samples s, DType dtype) {
    for (long[] shape : Samples.SHAPES) {
      for (TensorSpec x : arranged(t(dtype, shape))) {
        TensorSpec y = t(dtype, shape).salted(1);
        for (long reduction = 0; reduction < 3; reduction++) {
          s.add("mse_loss", x, y, reduction);
          s.add("l1_loss", x, y, reduction);
          s.add("smooth_l1_loss", x, y, reduction, 0.7);
          s.add("huber_loss", x, y, reduction, 1.3);
          s.add("kl_div", x, y.with(Content.PROBABILITY), reduction);
          s.add("kl_div", x, y, reduction, true);
          TensorSpec p = x.with(Content.PROBABILITY);
          TensorSpec q = y.with(Content.PROBABILITY);
          s.add("binary_cross_entropy", p, q, null, reduction);
          s.add("binary_cross_entropy", p, q, q, reduction);
          s.add("binary_cross_entropy_with_logits", x, q, null, null, reduction);
          s.add("binary_cross_entropy_with_logits", x, q, q, q, reduction);
          TensorSpec g = reduction == 0 ? t(dtype, shape).salted(3) : t(dtype).salted(3);
          s.add("mse_loss_backward", g, x, y, reduction);
          s.add("smooth_l1_loss_backward", g, x, y, reduction, 0.7);
          s.add("huber_loss_backward", g, x, y, reduction, 1.3);
          s.add("binary_cross_entropy_backward", g, p, q, null, reduction);
        }
      }
    }
    s.add("mse_loss", t(dtype, 2, 3), t(dtype, 3));
    s.add("mse_loss", t(dtype, 2, 3), t(dtype, 2));
  }

  private static void refused(Samples s) {
    for (String op : List.of("nll_loss_nd", "cross_entropy_loss")) {
      s.add(op, f32(4, 3), index(3, 5));
      s.add(op, f32(4, 3), i64(4).with(Content.index(3, 6)));
      s.add(op, f32(4, 3), i64(4).with(Content.index(-6, 0)));
      s.add(op, f32(4, 3), index(3, 4), f32(4));
      s.add(op, f32(4, 3), index(3, 4), f64(3));
      s.add(op, f32(4, 3), index(3, 4).with(DType.I32));
      s.add(op, i64(4, 3), index(3, 4));
      s.add(op, f32(4, 3), index(3, 4), null, 3L);
    }
    s.add("cross_entropy_loss", f32(4, 3), index(3, 4), null, 1L, -100L, 1.5);
    s.add("mse_loss", i64(3), i64(3));
    s.add("mse_loss", f32(3), f64(3));
    s.add("l1_loss", i64(3), i64(3));
  }
}
