package dev.jcomms.testkit.operator;

import static dev.jcomms.testkit.operator.Samples.arranged;
import static dev.jcomms.testkit.operator.Samples.f32;
import static dev.jcomms.testkit.operator.Samples.i64;
import static dev.jcomms.testkit.operator.Samples.index;
import static dev.jcomms.testkit.operator.Samples.longs;
import static dev.jcomms.testkit.operator.Samples.t;

import dev.jcomms.tensor.DType;
import java.util.Arrays;
import java.util.List;

/** Padding with what is there, resizing, pooling of other dims than two, volumes, columns. */
final class WindowSamples {
  private WindowSamples() {}

  static void add(Samples s) {
    for (DType dtype : List.of(DType.F32, DType.F64, DType.I64)) {
      padding(s, dtype);
    }
    for (DType dtype : List.of(DType.F32, DType.F64, DType.BF16)) {
      resized(s, dtype);
    }
    for (DType dtype : List.of(DType.F32, DType.F64)) {
      pooled(s, dtype);
      volumes(s, dtype);
      columns(s, dtype);
    }
  }

  private static void padding(Samples s, DType dtype) {
    for (int dims = 1; dims <= 3; dims++) {
      long[] shape = Arrays.copyOf(longs(2, 3, 4, 3, 5), dims + 2);
      for (TensorSpec x : arranged(t(dtype, shape))) {
        TensorSpec single = t(dtype, Arrays.copyOfRange(shape, 1, shape.length));
        for (long[] all :
            List.of(
                longs(1, 2, 0, 1, 2, 1),
                longs(0, 0, 0, 0, 0, 0),
                longs(2, -1, 1, 1, 1, 0),
                longs(7, 0, 7, 0, 7, 0))) {
          long[] pad = Arrays.copyOf(all, 2 * dims);
          // PyTorch breaks on its way back from a negative one.
          boolean cut = dtype.isFloating() && Arrays.stream(pad).anyMatch(p -> p < 0);
          for (String kind : cut ? List.<String>of() : List.of("reflection", "replication")) {
            String op = kind + "_pad" + dims + "d";
            s.add(op, x, pad);
            s.add(op, single, pad);
            if (pad[0] < 2) { // of too much PyTorch breaks, too
              long[] out = shape.clone();
              for (int i = 0; i < dims; i++) {
                out[dims + 1 - i] += pad[2 * i] + pad[2 * i + 1];
              }
              s.add(op + "_backward", t(dtype, out).salted(1), t(dtype, shape), pad);
            }
          }
          s.add("_pad_circular", x, pad);
          for (String mode : List.of("constant", "circular", "other", "reflect", "replicate")) {
            if (!cut || !mode.startsWith("re")) {
              s.add("pad", x, pad, mode);
            }
          }
          for (long mode = cut ? 2 : 0; mode <= 4; mode++) {
            s.add("_pad_enum", x, pad, mode);
          }
        }
        s.add("pad", x, longs(1, 1, 1), "reflect");
        s.add("pad", x, longs(1, 1), "reflect", 2.0);
        s.add("pad", x, longs(1, 1), "constant", 2.0);
        s.add("reflection_pad" + dims + "d", f32(), longs(1, 1));
      }
    }
  }

  private static void resized(Samples s, DType dtype) {
    List<String> smooth =
        List.of("upsample_linear1d", "upsample_bilinear2d", "upsample_trilinear3d");
    for (int dims = 1; dims <= 3; dims++) {
      long[] shape = Arrays.copyOf(longs(2, 2, 4, 3, 5), dims + 2);
      for (TensorSpec x : arranged(t(dtype, shape))) {
        for (long[] all :
            List.of(longs(8, 6, 10), longs(3, 2, 4), longs(7, 1, 1), longs(0, 2, 2))) {
          long[] size = Arrays.copyOf(all, dims);
          for (String family : List.of("upsample_nearest", "_upsample_nearest_exact")) {
            s.add(family + dims + "d", x, size);
            s.add(family + dims + "d.vec", x, size, null);
          }
          for (boolean align : new boolean[] {false, true}) {
            s.add(smooth.get(dims - 1), x, size, align);
            s.add(smooth.get(dims - 1) + ".vec", x, size, align, null);
            if (dims == 2) {
              s.add("upsample_bicubic2d", x, size, align);
              s.add("upsample_bicubic2d.vec", x, size, align, null);
            }
          }
        }
        double[] factors = Arrays.copyOf(new double[] {2, 1.5, 0.6}, dims);
        for (String family : List.of("upsample_nearest", "_upsample_nearest_exact")) {
          s.add(family + dims + "d.vec", x, null, factors);
          s.add(family + dims + "d.vec", x, null, null);
        }
        s.add(smooth.get(dims - 1) + ".vec", x, null, false, factors);
        s.add(smooth.get(dims - 1) + ".vec", x, null, true, factors);
        if (dims == 2) {
          s.add("upsample_bicubic2d.vec", x, null, false, factors);
        }
      }
      s.add("upsample_nearest" + dims + "d", f32(3), longs(2));
      s.add(smooth.get(dims - 1), i64(shape), Arrays.copyOf(longs(2, 2, 2), dims), false);
    }
  }

  private static void pooled(Samples s, DType dtype) {
    for (long[] shape : List.of(longs(2, 2, 5, 4, 6), longs(2, 5, 4, 6), longs(0, 2, 5, 4, 6))) {
      for (TensorSpec x : arranged(t(dtype, shape).with(Content.DISTINCT))) {
        for (boolean ceil : new boolean[] {false, true}) {
          for (long[] padding : List.of(longs(0), longs(1, 0, 1))) {
            for (String op : List.of("max_pool3d", "max_pool3d_with_indices")) {
              s.add(op, x, longs(2, 2, 3), longs(), padding, longs(1), ceil);
              s.add(op, x, longs(2), longs(2, 1, 1), padding, longs(1, 2, 1), ceil);
            }
            s.add("avg_pool3d", x, longs(2, 2, 3), longs(), padding, ceil, true);
            s.add("avg_pool3d", x, longs(2), longs(2, 1, 1), padding, ceil, false);
            s.add("avg_pool3d", x, longs(2), longs(1), longs(0), ceil, true, 3L);
          }
        }
        for (long[] size :
            List.of(longs(1, 1, 1), longs(3, 2, 4), longs(5, 4, 6), longs(7, 2, 1))) {
          s.add("adaptive_avg_pool3d", x, size);
          s.add("_adaptive_avg_pool3d", x, size);
          s.add("adaptive_max_pool3d", x, size);
        }
      }
    }
    for (long[] shape : List.of(longs(2, 3, 7, 6), longs(3, 7, 6))) {
      for (TensorSpec x : arranged(t(dtype, shape).with(Content.DISTINCT))) {
        for (long[] size : List.of(longs(1, 1), longs(3, 4), longs(7, 6), longs(9, 2))) {
          s.add("adaptive_max_pool2d", x, size);
        }
        s.add("adaptive_max_pool2d", x, longs(-1, 2));
      }
    }
    for (TensorSpec x : arranged(t(dtype, 2, 3, 7).with(Content.DISTINCT))) {
      for (long size : new long[] {1, 3, 7, 9}) {
        s.add("adaptive_max_pool1d", x, longs(size));
        s.add("adaptive_avg_pool1d", x, longs(size));
      }
      s.add("max_pool1d_with_indices", x, longs(3), longs(2), longs(1));
      s.add("max_pool1d_with_indices", x, longs(2), longs(), longs(0), longs(2), true);
      s.add("max_pool1d", x, longs(3), longs(2), longs(1));
      s.add("avg_pool1d", x, longs(3), longs(2), longs(1));
      s.add("max_pool1d_with_indices", x, longs(9));
    }
    s.add("adaptive_avg_pool1d", t(dtype, 3), longs(2));
    s.add("max_pool3d", t(dtype, 2, 3, 4), longs(2));
    s.add("max_pool3d", t(dtype, 2, 3, 4, 4), longs(2), longs(0));
    s.add("avg_pool3d", t(dtype, 2, 3, 4, 4), longs(5));
    s.add("avg_pool3d", t(dtype, 2, 3, 4, 4), longs(2), longs(), longs(0), false, true, 0L);
    TensorSpec places = index(24, 2, 3, 2, 2).with((Content.Ordered) i -> i * 5 % 24);
    s.add("adaptive_max_pool2d_backward", t(dtype, 2, 3, 2, 2), t(dtype, 2, 3, 4, 6), places);
    s.add("max_unpool2d", t(dtype, 2, 3, 2, 2), places, longs(4, 6));
    s.add("max_unpool2d", t(dtype, 3, 2, 2), index(1, 2, 2), longs(4, 6));
    s.add(
        "max_pool3d_with_indices_backward",
        t(dtype, 1, 2, 2, 2, 2),
        t(dtype, 1, 2, 4, 4, 4),
        longs(2),
        longs(2),
        longs(0),
        longs(1),
        false,
        index(64, 1, 2, 2, 2, 2));
  }

  private static void volumes(Samples s, DType dtype) {
    for (TensorSpec x : arranged(t(dtype, 2, 4, 4, 5, 3))) {
      TensorSpec w = t(dtype, 6, 4, 2, 3, 2).salted(1);
      s.add("conv3d", x, w, t(dtype, 6).salted(2));
      s.add("conv3d", x, w, null, longs(2, 1, 1), longs(1), longs(1, 1, 2));
      s.add(
          "conv3d", x, t(dtype, 6, 2, 2, 3, 2), null, longs(1), longs(0, 1, 1), longs(2, 1, 1), 2L);
      s.add("conv3d.padding", x, w, null, longs(1), "same");
      s.add("conv3d.padding", x, w, null, longs(2), "valid");
      s.add("conv3d.padding", x, w, null, longs(2), "same");
      TensorSpec v = t(dtype, 4, 3, 2, 3, 2).salted(1);
      s.add("conv_transpose3d.input", x, v, t(dtype, 3).salted(2));
      s.add("conv_transpose3d.input", x, v, null, longs(2), longs(1), longs(1));
      s.add("conv_transpose3d.input", x, v, null, longs(2, 1, 2), longs(1, 0, 0), longs(0), 2L);
      s.add("conv_transpose3d.input", x, v, null, longs(1), longs(0), longs(0), 1L, longs(2, 1, 1));
    }
    for (TensorSpec x : arranged(t(dtype, 2, 4, 5))) {
      TensorSpec w = t(dtype, 4, 3, 3).salted(1);
      s.add("conv_transpose1d", x, w, t(dtype, 3).salted(2));
      s.add("conv_transpose1d", x, w, null, longs(2), longs(1), longs(1));
      s.add("conv1d.padding", x, t(dtype, 6, 4, 3), null, longs(1), "same");
    }
    for (TensorSpec x : arranged(t(dtype, 2, 4, 3, 5))) {
      TensorSpec w = t(dtype, 4, 3, 3, 2).salted(1);
      s.add("conv_transpose2d.input", x, w, t(dtype, 3).salted(2));
      s.add("conv_transpose2d.input", x, w, null, longs(2), longs(1), longs(1));
      s.add("conv_transpose2d.input", x, w, null, longs(2), longs(1), longs(1), 2L);
      s.add("conv2d.padding", x, t(dtype, 6, 4, 3, 2), null, longs(1), "same");
      s.add("conv2d.padding", x, t(dtype, 6, 4, 3, 2), null, longs(1), "valid");
      s.add("conv2d.padding", x, t(dtype, 6, 4, 3, 2), null, longs(1), "other");
    }
    s.add("conv3d", t(dtype, 4, 4, 5, 3), t(dtype, 2, 4, 2, 2, 2));
    s.add("conv3d", t(dtype, 4, 4, 5, 3), t(dtype, 2, 3, 2, 2, 2));
    s.add("conv3d", t(dtype, 4, 5, 3), t(dtype, 2, 4, 2, 2, 2));
    s.add("conv3d", t(dtype, 4, 1, 5, 3), t(dtype, 2, 4, 2, 2, 2));
  }

  private static void columns(Samples s, DType dtype) {
    for (long[] shape : List.of(longs(2, 3, 5, 4), longs(3, 5, 4))) {
      for (TensorSpec x : arranged(t(dtype, shape))) {
        s.add("im2col", x, longs(2, 3), longs(1, 1), longs(0, 0), longs(1, 1));
        s.add("im2col", x, longs(2, 2), longs(2, 1), longs(1, 1), longs(2, 1));
        s.add("im2col", x, longs(6, 2), longs(1, 1), longs(0, 0), longs(1, 1));
        s.add("im2col", x, longs(0, 2), longs(1, 1), longs(0, 0), longs(1, 1));
      }
    }
    for (TensorSpec x : arranged(t(dtype, 2, 12, 12))) {
      s.add("col2im", x, longs(5, 4), longs(2, 2), longs(1, 1), longs(0, 0), longs(1, 1));
      s.add("col2im", x, longs(4, 3), longs(2, 1), longs(1, 1), longs(0, 0), longs(1, 1));
      s.add("col2im", x, longs(4, 5), longs(2, 2), longs(2, 1), longs(1, 1), longs(2, 1));
      s.add("col2im", x, longs(3, 3), longs(2, 2), longs(1, 1), longs(0, 0), longs(1, 1));
    }
    s.add(
        "col2im",
        t(dtype, 12, 12),
        longs(5, 4),
        longs(2, 2),
        longs(1, 1),
        longs(0, 0),
        longs(1, 1));
    s.add("im2col", t(dtype, 5, 4), longs(2, 3), longs(1, 1), longs(0, 0), longs(1, 1));
  }
}
