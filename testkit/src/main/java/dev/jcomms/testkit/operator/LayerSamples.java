package dev.jcomms.testkit.operator;

import static dev.jcomms.testkit.operator.Samples.FLOATS;
import static dev.jcomms.testkit.operator.Samples.SHAPES;
import static dev.jcomms.testkit.operator.Samples.arranged;
import static dev.jcomms.testkit.operator.Samples.f32;
import static dev.jcomms.testkit.operator.Samples.i64;
import static dev.jcomms.testkit.operator.Samples.index;
import static dev.jcomms.testkit.operator.Samples.longs;
import static dev.jcomms.testkit.operator.Samples.t;

import dev.jcomms.tensor.DType;
import java.util.List;

/** What networks are made of, but for images: softmax, norms, embeddings, dropout. */
final class LayerSamples {
  private LayerSamples() {}

  static void add(Samples s) {
    softmax(s);
    layerNorm(s);
    batchNorm(s);
    embedding(s);
    dropout(s);
  }

  private static void softmax(Samples s) {
    for (DType dtype : Samples.ALL) {
      for (long[] shape : SHAPES) {
        for (TensorSpec x : arranged(t(dtype, shape))) {
          for (long dim = -1; dim < Math.max(1, shape.length); dim++) {
            for (String op : List.of("softmax.int", "log_softmax.int")) {
              s.add(op, x, dim);
              s.add(op, x, dim, DType.F64);
            }
            s.add("_softmax", x, dim, false);
            s.add("_log_softmax", x, dim, false);
            TensorSpec y = t(dtype, shape).with(Content.PROBABILITY).salted(1);
            s.add("_softmax_backward_data", x, y, dim, dtype);
            s.add("_log_softmax_backward_data", x, y, dim, dtype);
          }
        }
      }
      s.add("softmax.int", t(dtype, 3, 13).with(Content.SPECIAL), 1L);
      s.add("log_softmax.int", t(dtype, 3, 13).with(Content.SPECIAL), 0L);
      s.add("softmax.int", t(dtype, 4, 300), 1L);
      s.add("log_softmax.int", t(dtype, 300, 4), 0L);
      s.add("softmax.int", t(dtype, 2, 3), 2L);
      s.add("log_softmax.int", t(dtype, 2, 3), -3L);
    }
  }

  private static void layerNorm(Samples s) {
    for (DType dtype : FLOATS) {
      for (long[] shape :
          List.of(longs(4, 6), longs(2, 3, 5), longs(0, 4), longs(7), longs(2, 130))) {
        for (int dims = 1; dims <= Math.min(2, shape.length); dims++) {
          long[] normal = java.util.Arrays.copyOfRange(shape, shape.length - dims, shape.length);
          TensorSpec w = t(dtype, normal).salted(1);
          TensorSpec b = t(dtype, normal).salted(2);
          for (TensorSpec x : arranged(t(dtype, shape))) {
            for (String op : List.of("layer_norm", "native_layer_norm")) {
              s.add(op, x, normal, w, b, 1e-5);
              s.add(op, x, normal, w, null, 1e-3);
              s.add(op, x, normal, null, null, 0.1);
            }
          }
        }
      }
    }
    TensorSpec x = f32(4, 6);
    for (boolean[] mask :
        List.of(
            new boolean[] {true, true, true},
            new boolean[] {true, false, false},
            new boolean[] {false, true, true})) {
      s.add(
          "native_layer_norm_backward",
          f32(4, 6).salted(3),
          x,
          longs(6),
          f32(4, 1),
          f32(4, 1).with(Content.POSITIVE),
          f32(6).salted(1),
          f32(6).salted(2),
          mask);
      s.add(
          "native_layer_norm_backward",
          f32(4, 6).salted(3),
          x,
          longs(6),
          f32(4, 1),
          f32(4, 1).with(Content.POSITIVE),
          null,
          null,
          new boolean[] {true, false, false});
    }
    s.add("layer_norm", x, longs(5), null, null, 1e-5);
    s.add("layer_norm", x, longs(6), f32(5), null, 1e-5);
    s.add("layer_norm", x, longs(), null, null, 1e-5);
    s.add("layer_norm", i64(4, 6), longs(6), null, null, 1e-5);
  }

  private static void batchNorm(Samples s) {
    for (DType dtype : List.of(DType.F32, DType.F64)) {
      for (long[] shape :
          List.of(longs(4, 3), longs(2, 3, 5), longs(2, 3, 4, 5), longs(2, 3, 1, 1))) {
        TensorSpec w = t(dtype, 3).salted(1);
        TensorSpec b = t(dtype, 3).salted(2);
        TensorSpec mean = t(dtype, 3).salted(3);
        TensorSpec var = t(dtype, 3).with(Content.POSITIVE).salted(4);
        for (TensorSpec x : arranged(t(dtype, shape))) {
          for (boolean training : new boolean[] {true, false}) {
            s.add("batch_norm", x, w, b, mean, var, training, 0.1, 1e-5, false);
            s.add("batch_norm", x, null, null, mean, var, training, 0.3, 1e-5, false);
            s.add("native_batch_norm", x, w, b, mean, var, training, 0.1, 1e-5);
          }
          s.add("batch_norm", x, w, b, null, null, true, 0.1, 1e-5, false);
          s.add(
              "native_batch_norm_backward",
              x.salted(9),
              x,
              w,
              mean,
              var,
              mean.salted(5),
              var.salted(6),
              true,
              1e-5,
              new boolean[] {true, true, true});
          s.add(
              "native_batch_norm_backward",
              x.salted(9),
              x,
              w,
              mean,
              var,
              null,
              null,
              false,
              1e-5,
              new boolean[] {true, true, true});
        }
      }
    }
    s.add("batch_norm", f32(2, 3), f32(4), null, null, null, true, 0.1, 1e-5, false);
    s.add("batch_norm", f32(1, 3), null, null, null, null, true, 0.1, 1e-5, false);
    for (long[] shape : List.of(longs(2, 4, 3), longs(2, 4), longs(1, 4, 2, 2))) {
      s.add("group_norm", f32(shape), 2L, f32(4).salted(1), f32(4).salted(2), 1e-5, false);
      s.add("group_norm", f32(shape), 4L);
      s.add("group_norm", f32(shape), 3L);
    }
  }

  private static void embedding(Samples s) {
    for (DType dtype : FLOATS) {
      for (long[] shape : List.of(longs(), longs(5), longs(2, 3), longs(0), longs(2, 0, 2))) {
        for (TensorSpec w : arranged(t(dtype, 7, 4))) {
          s.add("embedding", w, index(7, shape));
          s.add("embedding", w, index(7, shape).with(DType.I32), 2L);
        }
        long[] out = java.util.Arrays.copyOf(shape, shape.length + 1);
        out[shape.length] = 4;
        for (long padding : new long[] {-1, 2}) {
          s.add("embedding_dense_backward", t(dtype, out), index(7, shape), 7L, padding, false);
          s.add("embedding_dense_backward", t(dtype, out), index(7, shape), 7L, padding, true);
        }
      }
    }
    s.add("embedding", f32(7, 4), i64(3).with(Content.index(7, 9)));
    s.add("embedding", f32(7, 4), i64(3).with(Content.index(-3, 0)));
    s.add("embedding", f32(7, 4), f32(3));
    s.add("embedding", f32(7), index(7, 3));
  }

  private static void dropout(Samples s) {
    for (DType dtype : List.of(DType.F32, DType.F64, DType.BF16)) {
      for (long[] shape : SHAPES) {
        TensorSpec x = t(dtype, shape);
        s.add("dropout", x, 0.0, true);
        s.add("dropout", x, 0.4, false);
        s.add("dropout", x, 1.0, true);
        s.addHeader("dropout", x, 0.4, true);
        s.add("native_dropout", x, 0.0, true);
        s.add("native_dropout", x, 0.5, false);
        s.add("native_dropout", x, 1.0, true);
        s.addHeader("native_dropout", x, 0.5, true);
        s.add("native_dropout_backward", x, t(DType.BOOL, shape), 2.0);
      }
    }
    s.add("dropout", f32(2), 1.5, true);
    s.add("dropout", f32(2), -0.5, false);
  }
}
