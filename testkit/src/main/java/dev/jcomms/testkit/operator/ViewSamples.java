package dev.jcomms.testkit.operator;

import static dev.jcomms.testkit.operator.Samples.arranged;
import static dev.jcomms.testkit.operator.Samples.f32;
import static dev.jcomms.testkit.operator.Samples.longs;
import static dev.jcomms.testkit.operator.Samples.t;

import dev.jcomms.tensor.DType;
import java.util.List;

/** Other headers over the same memory; what is read through them is compared. */
final class ViewSamples {
  private ViewSamples() {}

  static void add(Samples s) {
    for (DType dtype : List.of(DType.F32, DType.I64, DType.BOOL, DType.BF16)) {
      for (long[] shape : Samples.SHAPES) {
        for (TensorSpec x : arranged(t(dtype, shape))) {
          headers(s, x);
          for (long dim = -2; dim <= shape.length; dim++) {
            along(s, x, dim);
          }
        }
      }
      for (TensorSpec x : arranged(t(dtype, 4, 6))) {
        shapes(s, x);
      }
    }
    outOfRange(s);
  }

  private static void headers(Samples s, TensorSpec x) {
    for (String op :
        List.of("detach", "alias", "t", "squeeze", "ravel", "numpy_T", "mT", "contiguous")) {
      s.add(op, x);
    }
    s.add("flatten.using_ints", x);
    s.add("flatten.using_ints", x, 1L);
    s.add("flatten.using_ints", x, 0L, 1L);
    s.add("view", x, longs(-1));
    s.add("reshape", x, longs(-1));
    s.add("reshape", x, longs(-1, 2));
    s.add("reshape", x, longs(3, -1));
    s.add("transpose.int", x, 0L, -1L);
    s.add("swapaxes", x, 0L, 1L);
    s.add("diagonal", x);
    s.add("diagonal", x, 1L, 0L, 1L);
    s.add("diagonal", x, -1L, -1L, 0L);
    s.add("expand_as", x, t(x.dtype(), 2, 3));
    s.add("view_as", x, t(x.dtype(), 6));
    s.add("reshape_as", x, t(x.dtype(), 3, 2));
  }

  private static void along(Samples s, TensorSpec x, long dim) {
    s.add("unsqueeze", x, dim);
    s.add("squeeze.dim", x, dim);
    s.add("squeeze.dims", x, longs(dim));
    s.add("select.int", x, dim, 0L);
    s.add("select.int", x, dim, -1L);
    s.add("select.int", x, dim, 3L);
    s.add("slice.Tensor", x, dim);
    s.add("slice.Tensor", x, dim, 1L, 9L, 2L);
    s.add("slice.Tensor", x, dim, -2L, null, 1L);
    s.add("slice.Tensor", x, dim, 2L, 1L, 1L);
    s.add("narrow", x, dim, 0L, 1L);
    s.add("narrow", x, dim, -1L, 1L);
    s.add("unbind.int", x, dim);
    s.add("split.Tensor", x, 2L, dim);
    s.add("chunk", x, 2L, dim);
    s.add("tensor_split.sections", x, 2L, dim);
    s.add("unfold", x, dim, 2L, 1L);
    s.add("movedim.int", x, dim, 0L);
    s.add("split_with_sizes", x, longs(1, 2), dim);
    s.add("unflatten.int", x, dim, longs(1, -1));
  }

  private static void shapes(Samples s, TensorSpec x) {
    for (long[] sizes :
        List.of(
            longs(24),
            longs(2, 12),
            longs(4, 2, 3),
            longs(-1, 8),
            longs(2, 2, 6),
            longs(5, 5),
            longs(-1, -1),
            longs(4, 6, 1),
            longs(0, -1),
            longs(-2, 12))) {
      s.add("view", x, sizes);
      s.add("_unsafe_view", x, sizes);
      s.add("reshape", x, sizes);
    }
    for (long[] sizes :
        List.of(longs(2, 4, 6), longs(-1, 6), longs(4, 5), longs(6), longs(1, -1, 4, 6))) {
      s.add("expand", x, sizes);
      s.add("broadcast_to", x, sizes);
    }
    for (long[] order : List.of(longs(1, 0), longs(-1, 0), longs(0, 0), longs(0))) {
      s.add("permute", x, order);
    }
    s.add("movedim.intlist", x, longs(0, 1), longs(1, 0));
    s.add("as_strided", x, longs(2, 3), longs(1, 2));
    s.add("as_strided", x, longs(2, 2), longs(1, 1), 1L);
    s.add("slice_scatter", x, t(x.dtype(), 2, 6), 0L, 1L, 3L, 1L);
    s.add("select_scatter", x, t(x.dtype(), 6), 0L, 1L);
    s.add("diagonal_scatter", x, t(x.dtype(), 4));
    s.add("slice_backward", x, longs(9, 6), 0L, 2L, 6L, 1L);
    s.add("select_backward", x, longs(4, 3, 6), 1L, 2L);
    s.add("meshgrid", Samples.list(t(x.dtype(), 2), t(x.dtype(), 3)));
  }

  private static void outOfRange(Samples s) {
    TensorSpec x = f32(2, 3);
    s.add("transpose.int", x, 0L, 2L);
    s.add("split.Tensor", x, -1L);
    s.add("split.Tensor", x, 0L);
    s.add("chunk", x, 0L);
    s.add("slice.Tensor", x, 0L, 0L, 2L, 0L);
    s.add("slice.Tensor", x, 0L, 0L, 2L, -1L);
    s.add("unfold", x, 0L, 3L, 1L);
    s.add("unfold", x, 0L, 1L, 0L);
    s.add("diagonal", x, 0L, 1L, 1L);
    s.add("narrow", x, 0L, 1L, 2L);
    s.add("flatten.using_ints", x, 1L, 0L);
    s.add("expand", x, longs(-1, -1, 3));
    s.add("as_strided", x, longs(2), longs(-1));
  }
}
