package dev.jcomms.testkit.operator;

import static dev.jcomms.testkit.operator.Samples.arranged;
import static dev.jcomms.testkit.operator.Samples.f32;
import static dev.jcomms.testkit.operator.Samples.f64;
import static dev.jcomms.testkit.operator.Samples.i64;
import static dev.jcomms.testkit.operator.Samples.longs;
import static dev.jcomms.testkit.operator.Samples.t;

import dev.jcomms.tensor.DType;
import java.util.List;

/** Convolutions and pooling. */
final class ImageSamples {
  private static final boolean[] ALL = {true, true, true};

  private ImageSamples() {}

  static void add(Samples s) {
    for (DType dtype : List.of(DType.F32, DType.F64, DType.BF16)) {
      convolutions(s, dtype);
      pools(s, dtype);
    }
    refused(s);
  }

  private static void convolutions(Samples s, DType dtype) {
    for (TensorSpec x : arranged(t(dtype, 2, 4, 6, 5))) {
      for (long groups : new long[] {1, 2, 4}) {
        for (TensorSpec w : arranged(t(dtype, 8, 4 / groups, 3, 2).salted(1))) {
          for (long stride = 1; stride <= 2; stride++) {
            for (long padding = 0; padding <= 1; padding++) {
              long[] strides = longs(stride, 1);
              long[] pads = longs(padding, padding);
              TensorSpec bias = padding == 0 ? null : t(dtype, 8).salted(2);
              s.add("conv2d", x, w, bias, strides, pads, longs(1, 1), groups);
              s.add(
                  "convolution",
                  x,
                  w,
                  bias,
                  strides,
                  pads,
                  longs(1, 2),
                  false,
                  longs(0, 0),
                  groups);
              long rows = (6 + 2 * padding - 3) / stride + 1;
              long columns = 5 + 2 * padding - 1;
              s.add(
                  "convolution_backward",
                  t(dtype, 2, 8, rows, columns).salted(3),
                  x,
                  w,
                  longs(8),
                  strides,
                  pads,
                  longs(1, 1),
                  false,
                  longs(0, 0),
                  groups,
                  ALL);
            }
          }
        }
      }
    }
    s.add("conv2d", t(dtype, 4, 6, 5), t(dtype, 3, 4, 1, 1));
    s.add("conv2d", t(dtype, 0, 4, 6, 5), t(dtype, 3, 4, 2, 2));
    s.add(
        "conv2d",
        t(dtype, 1, 3, 12, 12),
        t(dtype, 16, 3, 5, 5),
        t(dtype, 16),
        longs(1, 1),
        longs(2, 2));
    for (TensorSpec x : arranged(t(dtype, 2, 4, 9))) {
      s.add("conv1d", x, t(dtype, 6, 4, 3).salted(1), t(dtype, 6).salted(2));
      s.add("conv1d", x, t(dtype, 6, 2, 3).salted(1), null, longs(2), longs(1), longs(2), 2L);
    }
  }

  private static void pools(Samples s, DType dtype) {
    for (long[] shape : List.of(longs(2, 3, 7, 6), longs(3, 7, 6), longs(0, 3, 7, 6))) {
      for (TensorSpec x : arranged(t(dtype, shape).with(Content.DISTINCT))) {
        for (long[] kernel : List.of(longs(2, 2), longs(3, 2))) {
          for (long[] stride : List.of(longs(), longs(2, 1))) {
            for (long[] padding : List.of(longs(0, 0), longs(1, 1))) {
              for (boolean ceil : new boolean[] {false, true}) {
                for (String op : List.of("max_pool2d", "max_pool2d_with_indices")) {
                  s.add(op, x, kernel, stride, padding, longs(1, 1), ceil);
                  s.add(op, x, kernel, stride, padding, longs(2, 1), ceil);
                }
                s.add("avg_pool2d", x, kernel, stride, padding, ceil, true);
                s.add("avg_pool2d", x, kernel, stride, padding, ceil, false, 3L);
                s.add("avg_pool2d", x, kernel, stride, padding, ceil, false);
              }
            }
          }
        }
        for (long[] size : List.of(longs(1, 1), longs(3, 4), longs(7, 6), longs(9, 2))) {
          s.add("adaptive_avg_pool2d", x, size);
          s.add("_adaptive_avg_pool2d", x, size);
        }
      }
    }
    TensorSpec x = t(dtype, 2, 3, 6, 6);
    TensorSpec g = t(dtype, 2, 3, 3, 3).salted(1);
    long[] two = longs(2, 2);
    long[] none = longs(0, 0);
    s.add("avg_pool2d_backward", g, x, two, two, none, false, true, null);
    s.add("avg_pool2d_backward", g, x, two, two, none, false, true, 3L);
    s.add("_adaptive_avg_pool2d_backward", g, x);
    s.add("upsample_nearest2d", x, longs(12, 9));
    s.add("upsample_nearest2d", x, longs(3, 4));
    s.add("constant_pad_nd", x, longs(1, 2, 0, 1), 3);
    s.add("constant_pad_nd", x, longs(-1, -2), 3);
    s.add("pad", x, longs(1, 1), "constant", 2.0);
  }

  private static void refused(Samples s) {
    TensorSpec x = f32(2, 4, 6, 5);
    s.add("conv2d", x, f32(3, 5, 2, 2));
    s.add("conv2d", x, f32(3, 4, 7, 2));
    s.add("conv2d", x, f32(3, 4, 2, 2), f32(4));
    s.add("conv2d", x, f64(3, 4, 2, 2));
    s.add("conv2d", x, f32(3, 2, 2, 2), null, longs(1, 1), longs(0, 0), longs(1, 1), 2L);
    s.add("conv2d", f32(6, 5), f32(3, 4, 2, 2));
    s.add("conv2d", x, f32(3, 4, 2, 2), null, longs(0, 1));
    s.add("conv2d", x, f32(3, 4, 2, 2), null, longs(1, 1), longs(-1, 0));
    for (String op : List.of("max_pool2d", "avg_pool2d")) {
      s.add(op, x, longs(7, 7));
      s.add(op, x, longs(2, 2), longs(0, 1));
      s.add(op, x, longs(2, 2), longs(2, 2), longs(2, 2));
      s.add(op, f32(6), longs(2, 2));
      s.add(op, x, longs(0, 2));
    }
    s.add("max_pool2d", i64(1, 6, 6), longs(2, 2));
    s.add("avg_pool2d", i64(1, 6, 6), longs(2, 2));
    s.add("avg_pool2d", x, longs(2, 2), longs(2, 2), longs(0, 0), false, true, 0L);
    s.add("adaptive_avg_pool2d", f32(6), longs(2, 2));
    s.add("adaptive_avg_pool2d", f32(3, 0, 6), longs(2, 2));
  }
}
