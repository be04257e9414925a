package dev.jcomms.testkit.operator;

import static dev.jcomms.testkit.operator.Samples.arranged;
import static dev.jcomms.testkit.operator.Samples.bool;
import static dev.jcomms.testkit.operator.Samples.f32;
import static dev.jcomms.testkit.operator.Samples.f64;
import static dev.jcomms.testkit.operator.Samples.i64;
import static dev.jcomms.testkit.operator.Samples.index;
import static dev.jcomms.testkit.operator.Samples.list;
import static dev.jcomms.testkit.operator.Samples.longs;
import static dev.jcomms.testkit.operator.Samples.t;

import dev.jcomms.tensor.DType;
import java.util.List;

/** Repeating, stacking, splitting, turning, shuffling; and tensors that follow from a rule. */
final class ArrangeSamples {
  private static final List<DType> SOME = List.of(DType.F32, DType.F64, DType.I64, DType.BOOL);

  private ArrangeSamples() {}

  static void add(Samples s) {
    for (DType dtype : SOME) {
      for (long[] shape : Samples.SHAPES) {
        for (TensorSpec x : arranged(t(dtype, shape))) {
          repeated(s, x, shape.length);
          turned(s, x, shape.length);
          split(s, x);
        }
      }
      for (TensorSpec x : arranged(t(dtype, 2, 8, 3, 4))) {
        shuffled(s, x);
      }
    }
    scattered(s);
    stacked(s);
    rules(s);
  }

  private static void repeated(Samples s, TensorSpec x, int dims) {
    s.add("repeat", x, longs(2, 1, 3));
    s.add("repeat", x, longs(2, 0, 1));
    s.add("repeat", x, longs(2));
    s.add("repeat", x, longs(1, -1, 1, 1));
    s.add("tile", x, longs(2));
    s.add("tile", x, longs(3, 1, 2, 1));
    s.add("repeat_interleave.self_int", x, 2L);
    s.add("repeat_interleave.self_int", x, 0L);
    s.add("repeat_interleave.self_int", x, 3L, -1L);
    s.add("repeat_interleave.self_int", x, -1L);
    s.add("repeat_interleave.self_int", x, 2L, 0L, 7L);
    s.add("repeat_interleave.self_Tensor", x, i64(1).with(Content.index(2, 4)), 0L);
    if (dims > 0) {
      long last = x.sizes()[dims - 1];
      s.add("repeat_interleave.self_Tensor", x, index(4, last), (long) dims - 1);
    }
    s.add("diag", x);
    s.add("diag", x, -1L);
    s.add("diagflat", x, 1L);
    s.add("diag_embed", x);
    s.add("diag_embed", x, 1L, 0L, -1L);
    s.add("diag_embed", x, -2L, 0L, 0L);
  }

  private static void turned(Samples s, TensorSpec x, int dims) {
    for (long k = -1; k <= 4; k++) {
      s.add("rot90", x, k);
    }
    s.add("rot90", x, 1L, longs(1, -1));
    s.add("rot90", x, 1L, longs(0, 0));
    s.add("fliplr", x);
    s.add("flipud", x);
    s.add("swapdims", x, 0L, -1L);
    s.add("moveaxis.int", x, 0L, -1L);
    s.add("moveaxis.intlist", x, longs(0, 1), longs(1, 0));
    s.add("adjoint", x);
    s.add("narrow_copy", x, 0L, 0L, 1L);
    s.add("narrow_copy", x, -1L, -1L, 1L);
    s.add("narrow_copy", x, 0L, 1L, 9L);
    s.add("diff", x);
    s.add("diff", x, 2L, 0L);
    s.add("diff", x, 0L);
    s.add("diff", x, 40L);
    s.add("diff", x, 1L, -1L, x.with(Arrangement.PLAIN).salted(3), null);
    s.add("argwhere", x);
    s.add("nonzero_numpy", x);
    s.add("msort", x.with(Content.DISTINCT));
    s.add("type_as", x, f64(2));
    s.add("is_same_size", x, f32(2, 3));
    for (int n = 1; n <= 3; n++) {
      s.add("atleast_" + n + "d", x);
      s.add("atleast_" + n + "d.Sequence", list(x, f32(), f32(2)));
    }
    s.add("new_zeros", x, longs(2, 3));
    s.add("new_ones", x, longs(), DType.F64);
    s.add("new_full", x, longs(2), 1, null);
    s.addHeader("new_empty", x, longs(2, 0));
  }

  private static void split(Samples s, TensorSpec x) {
    for (long sections : new long[] {0, 1, 2, 3, 7}) {
      s.add("tensor_split.sections", x, sections);
      s.add("tensor_split.sections", x, sections, -1L);
      s.add("vsplit.int", x, sections);
      s.add("dsplit.int", x, sections);
    }
    s.add("tensor_split.indices", x, longs(1, 2), 0L);
    s.add("tensor_split.indices", x, longs(3, 1, -1, 50), -1L);
    s.add("tensor_split.indices", x, longs());
    s.add("tensor_split.tensor_indices_or_sections", x, i64().with(Content.index(2, 3)));
    s.add("tensor_split.tensor_indices_or_sections", x, i64(2).with(Content.index(0, 3)));
    for (String op : List.of("hsplit.array", "vsplit.array", "dsplit.array")) {
      s.add(op, x, longs(1, 2));
    }
  }

  private static void shuffled(Samples s, TensorSpec x) {
    for (long factor : new long[] {0, 1, 2, 3}) {
      s.add("pixel_shuffle", x, factor);
      s.add("pixel_unshuffle", x, factor);
      s.add("channel_shuffle", x, factor);
    }
    s.add("channel_shuffle", x, 4L);
    s.add("native_channel_shuffle", x, 4L);
    TensorSpec even = t(x.dtype(), 8, 4, 6).with(x.arrangement());
    s.add("pixel_shuffle", even, 2L);
    s.add("pixel_unshuffle", even, 2L);
    s.add("pixel_shuffle", t(x.dtype(), 4, 4), 2L);
  }

  private static void scattered(Samples s) {
    for (DType dtype : SOME) {
      for (TensorSpec x : arranged(t(dtype, 3, 4))) {
        for (TensorSpec y : arranged(t(dtype, 4).salted(1))) {
          s.add("select_scatter", x, y, 0L, 1L);
          s.add("select_scatter", x, y, 0L, -1L);
          s.add("select_scatter", x, y, 0L, 3L);
          s.add("select_scatter", x, y, 1L, 0L);
        }
        for (TensorSpec y : arranged(t(dtype, 3, 2).salted(1))) {
          s.add("slice_scatter", x, y, 1L, 1L, 3L);
          s.add("slice_scatter", x, y, 1L, null, null, 2L);
          s.add("slice_scatter", x, y, -1L, -2L);
          s.add("slice_scatter", x, y, 0L, 0L, 2L);
        }
        for (TensorSpec y : arranged(t(dtype, 3).salted(1))) {
          s.add("diagonal_scatter", x, y);
          s.add("diagonal_scatter", x, y, 1L);
          s.add("diagonal_scatter", x, y, -1L);
          s.add("diagonal_scatter", x, y, 0L, 1L, 0L);
        }
      }
    }
    s.add("repeat_interleave.Tensor", index(4, 6));
    s.add("repeat_interleave.Tensor", index(4, 0));
    s.add("repeat_interleave.Tensor", index(4, 6).with(DType.I32));
    s.add("repeat_interleave.Tensor", i64(3).with(Content.index(-4, 0)));
    s.add("repeat_interleave.Tensor", index(4, 2, 2));
    s.add("repeat_interleave.Tensor", f32(3));
  }

  private static void stacked(Samples s) {
    for (String op : List.of("hstack", "vstack", "dstack", "row_stack", "column_stack")) {
      for (TensorSpec x : arranged(f32(2, 3))) {
        s.add(op, list(x, f32(2, 3).salted(1)));
        s.add(op, list(x, i64(2, 3)));
        s.add(op, list(x));
      }
      s.add(op, list(f32(3), f32(3).salted(1)));
      s.add(op, list(f32(), f64()));
      s.add(op, list(f32(3), f32(2)));
      s.add(op, list(f32(2, 0), f32(2, 2)));
      s.add(op, list(f32(2, 3, 2), f32(2, 3, 2)));
      s.add(op, list());
    }
    for (TensorSpec x : arranged(f32(2, 3))) {
      s.add("block_diag", list(x, f32(1, 2), f32(3), f32()));
      s.add("block_diag", list(x, i64(2, 2)));
      s.add("broadcast_tensors", list(x, f32(3), f32(4, 1, 1), i64()));
    }
    s.add("block_diag", list(bool(2, 2), i64(1, 1)));
    s.add("block_diag", list(f32(2, 2, 2)));
    s.add("block_diag", list(f32(0, 2), f32(2, 0)));
    s.add("broadcast_tensors", list(f32(2), f32(3)));
    List<Object> lines = list(f32(2), f32(3).salted(1), f32().salted(2));
    s.add("meshgrid", lines);
    for (String indexing : List.of("ij", "xy", "yx")) {
      s.add("meshgrid.indexing", lines, indexing);
      s.add("meshgrid.indexing", list(i64(4)), indexing);
      s.add("meshgrid.indexing", list(i64(2), i64(0)), indexing);
    }
    s.add("meshgrid", list(f32(2), f64(2)));
    s.add("meshgrid", list(f32(2, 2)));
    s.add("cartesian_prod", list(f32(2), f32(3)));
    s.add("cartesian_prod", list(i64(2), i64(3), i64(2)));
    s.add("cartesian_prod", list(i64(2)));
    s.add("cartesian_prod", list(i64(2, 2), i64(2)));
    for (long r = -1; r <= 4; r++) {
      for (TensorSpec x : arranged(f32(4))) {
        s.add("combinations", x, r);
        s.add("combinations", x, r, true);
      }
    }
    s.add("combinations", f32(2, 2));
  }

  private static void rules(Samples s) {
    for (DType dtype : new DType[] {null, DType.F64, DType.F32, DType.I64, DType.I32, DType.BF16}) {
      s.add("arange", 5, dtype, null, Case.HERE);
      s.add("arange", 4.5, dtype, null, Case.HERE);
      s.add("arange", 0, dtype, null, Case.HERE);
      s.add("arange.start", -3, 4, dtype, null, Case.HERE);
      s.add("arange.start", 3, 2, dtype, null, Case.HERE);
      s.add("arange.start_step", 1, 10, 3, dtype, null, Case.HERE);
      s.add("arange.start_step", 5.5, 0, -1.25, dtype, null, Case.HERE);
      s.add("arange.start_step", 0, 5, 0, dtype, null, Case.HERE);
      for (long steps : new long[] {0, 1, 2, 5, 10}) {
        s.add("linspace", -2, 7, steps, dtype, null, Case.HERE);
        s.add("linspace", 1.5, 0.25, steps, dtype, null, Case.HERE);
        s.add("logspace", 0, 3, steps, 2.0, dtype, null, Case.HERE);
      }
      s.add("linspace", 0, 1, -1L, dtype, null, Case.HERE);
      s.add("eye", 3L, dtype, null, Case.HERE);
      s.add("eye", 0L, dtype, null, Case.HERE);
      s.add("eye", -1L, dtype, null, Case.HERE);
      s.add("eye.m", 2L, 4L, dtype, null, Case.HERE);
      s.add("eye.m", 3L, 0L, dtype, null, Case.HERE);
      for (String op : List.of("tril_indices", "triu_indices")) {
        for (long offset = -2; offset <= 3; offset++) {
          s.add(op, 3L, 4L, offset, dtype, null, Case.HERE);
          s.add(op, 4L, 2L, offset, dtype, null, Case.HERE);
        }
        s.add(op, 0L, 2L, 0L, null, null, Case.HERE);
        s.add(op, -1L, 2L);
      }
      for (String op : List.of("hann", "hamming", "blackman", "bartlett")) {
        for (long length : new long[] {-1, 0, 1, 2, 7, 8}) {
          s.add(op + "_window", length, dtype, null, Case.HERE);
          s.add(op + "_window.periodic", length, false, dtype, null, Case.HERE);
        }
      }
    }
  }
}
