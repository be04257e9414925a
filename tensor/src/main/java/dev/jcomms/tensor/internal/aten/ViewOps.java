package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.TensorAccess;
import dev.jcomms.tensor.internal.Views;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Operators that only make another header: they work on every device's memory. */
final class ViewOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();

  private ViewOps() {}

  static void define(Definitions d) {
    view(d, "detach(Tensor(a) self) -> Tensor(a)", "detach");
    view(d, "alias(Tensor(a) self) -> Tensor(a)", "alias");
    view(d, "view(Tensor(a) self, SymInt[] size) -> Tensor(a)", "view");
    view(d, "_unsafe_view(Tensor self, SymInt[] size) -> Tensor", "view");
    view(
        d,
        "as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None)"
            + " -> Tensor(a)",
        "asStrided");
    view(d, "transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)", "transpose");
    view(d, "t(Tensor(a) self) -> Tensor(a)", "t");
    view(d, "permute(Tensor(a) self, int[] dims) -> Tensor(a)", "permute");
    view(d, "expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)", "expand");
    view(d, "squeeze(Tensor(a) self) -> Tensor(a)", "squeeze");
    view(d, "squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)", "squeezeDim");
    view(d, "squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)", "squeezeDims");
    view(d, "unsqueeze(Tensor(a) self, int dim) -> Tensor(a)", "unsqueeze");
    view(d, "select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)", "select");
    view(
        d,
        "slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None,"
            + " SymInt step=1) -> Tensor(a)",
        "slice");
    view(
        d,
        "diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)",
        "diagonal");
    view(d, "unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]", "unbind");
    view(
        d,
        "split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]",
        "split");
    view(
        d,
        "split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]",
        "splitWithSizes");
    view(d, "unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)", "unfold");
  }

  private static void view(Definitions d, String schema, String method) {
    d.op(schema).everywhere(LOOKUP, method);
  }

  static Tensor alias(Tensor self) {
    return TensorAccess.view(self, self.shape(), TensorAccess.strides(self), self.offset());
  }

  static Tensor detach(Tensor self) {
    return TensorAccess.detached(self);
  }

  static Tensor view(Tensor self, long[] size) {
    return Views.view(self, size);
  }

  static Tensor asStrided(Tensor self, long[] size, long[] stride, Long offset) {
    Tensor checked =
        Tensor.over(
            self.storage(),
            self.dtype(),
            dev.jcomms.tensor.Shape.of(size),
            stride,
            offset == null ? self.offset() : offset);
    return TensorAccess.view(
        self, checked.shape(), TensorAccess.strides(checked), checked.offset());
  }

  static Tensor transpose(Tensor self, long dim0, long dim1) {
    return fresh(self, Views.transpose(self, dim0, dim1));
  }

  static Tensor t(Tensor self) {
    return fresh(self, Views.t(self));
  }

  static Tensor permute(Tensor self, long[] dims) {
    return Views.permute(self, Arrays.stream(dims).mapToInt(Math::toIntExact).toArray());
  }

  static Tensor expand(Tensor self, long[] size, boolean implicit) {
    return Views.expand(self, size);
  }

  static Tensor squeeze(Tensor self) {
    return fresh(self, Views.squeeze(self));
  }

  static Tensor squeezeDim(Tensor self, long dim) {
    return fresh(self, Views.squeeze(self, dim));
  }

  static Tensor squeezeDims(Tensor self, long[] dims) {
    int n = Math.max(1, self.shape().dims());
    int[] wrapped =
        Arrays.stream(dims)
            .mapToInt(d -> TensorAccess.wrap(d, n, TensorAccess.facts(self)))
            .sorted()
            .toArray();
    Tensor out = self;
    for (int i = wrapped.length - 1; i >= 0; i--) {
      if (i > 0 && wrapped[i] == wrapped[i - 1]) {
        throw new IllegalArgumentException(
            "squeeze: dim " + wrapped[i] + " appears twice in " + Arrays.toString(dims));
      }
      out = Views.squeeze(out, wrapped[i]);
    }
    return fresh(self, out);
  }

  static Tensor unsqueeze(Tensor self, long dim) {
    return Views.unsqueeze(self, dim);
  }

  static Tensor select(Tensor self, long dim, long index) {
    return Views.select(self, dim, index);
  }

  static Tensor slice(Tensor self, long dim, Long start, Long end, long step) {
    return Views.slice(
        self, dim, start == null ? 0 : start, end == null ? Long.MAX_VALUE : end, step);
  }

  static Tensor diagonal(Tensor self, long offset, long dim1, long dim2) {
    return Views.diagonal(self, offset, dim1, dim2);
  }

  static List<Tensor> unbind(Tensor self, long dim) {
    int d = wrap(self, dim);
    List<Tensor> out = new ArrayList<>();
    for (long i = 0; i < self.shape().size(d); i++) {
      out.add(Views.select(self, d, i));
    }
    return out;
  }

  static List<Tensor> split(Tensor self, long size, long dim) {
    int d = wrap(self, dim);
    long length = self.shape().size(d);
    if (size < 0 || size == 0 && length != 0) {
      throw new IllegalArgumentException(
          "split: split_size=" + size + " cannot divide dim=" + d + " of size=" + length);
    }
    List<Tensor> out = new ArrayList<>();
    for (long at = 0; at == 0 || at < length; at += Math.max(1, size)) {
      out.add(Views.narrow(self, d, at, Math.min(size, length - at)));
    }
    return out;
  }

  static List<Tensor> splitWithSizes(Tensor self, long[] sizes, long dim) {
    int d = wrap(self, dim);
    if (Arrays.stream(sizes).anyMatch(s -> s < 0)
        || Arrays.stream(sizes).sum() != self.shape().size(d)) {
      throw new IllegalArgumentException(
          "split_with_sizes: sizes "
              + Arrays.toString(sizes)
              + " do not sum to "
              + self.shape().size(d)
              + ", the size of dim="
              + d);
    }
    List<Tensor> out = new ArrayList<>();
    long at = 0;
    for (long size : sizes) {
      out.add(Views.narrow(self, d, at, size));
      at += size;
    }
    return out;
  }

  static Tensor unfold(Tensor self, long dim, long size, long step) {
    return Views.unfold(self, dim, size, step);
  }

  /** A view operator gives a tensor of its own even where the header stays the same. */
  private static Tensor fresh(Tensor self, Tensor out) {
    return out == self ? alias(self) : out;
  }

  private static int wrap(Tensor t, long dim) {
    return TensorAccess.wrap(dim, t.shape().dims(), TensorAccess.facts(t));
  }
}
