package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.Ops;
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

    composite(d, "reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)", "reshape");
    composite(
        d,
        "flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)",
        "flatten");
    composite(
        d, "unflatten.int(Tensor(a) self, int dim, SymInt[] sizes) -> Tensor(a)", "unflatten");
    composite(
        d, "narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)", "narrow");
    composite(d, "expand_as(Tensor(a) self, Tensor other) -> Tensor(a)", "expandAs");
    composite(d, "view_as(Tensor(a) self, Tensor other) -> Tensor(a)", "viewAs");
    composite(d, "reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)", "reshapeAs");
    composite(d, "broadcast_to(Tensor(a) self, SymInt[] size) -> Tensor(a)", "broadcastTo");
    composite(d, "ravel(Tensor(a) self) -> Tensor(a)", "ravel");
    composite(d, "numpy_T(Tensor(a) self) -> Tensor(a)", "reversed");
    composite(d, "mT(Tensor(a) self) -> Tensor(a)", "matrixTransposed");
    composite(d, "swapaxes(Tensor(a) self, int axis0, int axis1) -> Tensor(a)", "swapAxes");
    composite(
        d,
        "movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)",
        "moveDims");
    composite(
        d, "movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a)", "moveDim");
    composite(d, "chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]", "chunk");
  }

  private static void view(Definitions d, String schema, String method) {
    d.op(schema).everywhere(LOOKUP, method);
  }

  private static void composite(Definitions d, String schema, String method) {
    d.op(schema).composite(LOOKUP, method);
  }

  // ---- headers

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
    return fresh(self, Views.transpose(self, (int) dim0, (int) dim1));
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
    return fresh(self, Views.squeeze(self, (int) dim));
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
    return Views.unsqueeze(self, (int) dim);
  }

  static Tensor select(Tensor self, long dim, long index) {
    return Views.select(self, (int) dim, index);
  }

  static Tensor slice(Tensor self, long dim, Long start, Long end, long step) {
    return Views.slice(
        self, (int) dim, start == null ? 0 : start, end == null ? Long.MAX_VALUE : end, step);
  }

  static Tensor diagonal(Tensor self, long offset, long dim1, long dim2) {
    return Views.diagonal(self, offset, (int) dim1, (int) dim2);
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
    return Views.unfold(self, (int) dim, size, step);
  }

  // ---- made of the others

  /** A view if the strides allow one, else a view of a copy: both are differentiable. */
  static Tensor reshape(Tensor self, long[] shape) {
    long[] sizes = TensorAccess.sizes(Views.infer("reshape", self, shape));
    return Views.canView(self, sizes) ? Ops.view(self, sizes) : Ops.view(Ops.clone(self), sizes);
  }

  static Tensor flatten(Tensor self, long start, long end) {
    int dims = self.shape().dims();
    int first = wrapNumber(self, start);
    int last = wrapNumber(self, end);
    if (dims == 0) {
      return reshape(self, new long[] {1});
    }
    if (first > last) {
      throw new IllegalArgumentException(
          "flatten: start_dim=" + start + " comes after end_dim=" + end);
    }
    if (first == last) {
      return self;
    }
    long[] sizes = new long[dims - (last - first)];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = self.shape().size(i <= first ? i : i + last - first);
    }
    sizes[first] = 1;
    for (int d = first; d <= last; d++) {
      sizes[first] *= self.shape().size(d);
    }
    return reshape(self, sizes);
  }

  static Tensor unflatten(Tensor self, long dim, long[] sizes) {
    int d = wrap(self, dim);
    if (sizes.length == 0) {
      throw new IllegalArgumentException("unflatten: sizes must not be empty");
    }
    long known = 1;
    int free = -1;
    for (int i = 0; i < sizes.length; i++) {
      if (sizes[i] == -1) {
        free = i;
      } else {
        known *= sizes[i];
      }
    }
    long[] inner = sizes.clone();
    if (free >= 0 && known > 0) {
      inner[free] = self.shape().size(d) / known;
      known *= inner[free];
    }
    if (known != self.shape().size(d)) {
      throw new IllegalArgumentException(
          "unflatten: sizes "
              + Arrays.toString(sizes)
              + " do not multiply to "
              + self.shape().size(d)
              + ", the size of dim="
              + d);
    }
    long[] all = TensorAccess.sizes(self.shape());
    long[] out = new long[all.length - 1 + inner.length];
    System.arraycopy(all, 0, out, 0, d);
    System.arraycopy(inner, 0, out, d, inner.length);
    System.arraycopy(all, d + 1, out, d + inner.length, all.length - d - 1);
    return Ops.view(self, out);
  }

  static Tensor narrow(Tensor self, long dim, long start, long length) {
    int d = wrap(self, dim);
    long size = self.shape().size(d);
    long first = start < 0 ? start + size : start;
    if (first < 0 || length < 0 || first > size - length) {
      throw new IndexOutOfBoundsException(
          "narrow: start="
              + start
              + " length="
              + length
              + " does not fit dim="
              + d
              + " of size="
              + size);
    }
    return Ops.slice(self, d, first, first + length, 1);
  }

  static Tensor expandAs(Tensor self, Tensor other) {
    return Ops.expand(self, TensorAccess.sizes(other.shape()));
  }

  static Tensor viewAs(Tensor self, Tensor other) {
    return Ops.view(self, TensorAccess.sizes(other.shape()));
  }

  static Tensor reshapeAs(Tensor self, Tensor other) {
    return reshape(self, TensorAccess.sizes(other.shape()));
  }

  static Tensor broadcastTo(Tensor self, long[] size) {
    return Ops.expand(self, size);
  }

  static Tensor ravel(Tensor self) {
    return reshape(self, new long[] {-1});
  }

  static Tensor reversed(Tensor self) {
    int n = self.shape().dims();
    long[] order = new long[n];
    Arrays.setAll(order, d -> n - 1 - d);
    return Ops.permute(self, order);
  }

  static Tensor matrixTransposed(Tensor self) {
    if (self.shape().dims() == 0) {
      return Ops.view(self);
    }
    if (self.shape().dims() < 2) {
      throw new IllegalArgumentException(
          "mT: needs a matrix or a batch of matrices; tensor has shape " + self.shape());
    }
    return Ops.transpose(self, -2, -1);
  }

  static Tensor swapAxes(Tensor self, long a, long b) {
    return Ops.transpose(self, a, b);
  }

  static Tensor moveDim(Tensor self, long source, long destination) {
    return moveDims(self, new long[] {source}, new long[] {destination});
  }

  static Tensor moveDims(Tensor self, long[] source, long[] destination) {
    int n = self.shape().dims();
    if (source.length != destination.length) {
      throw new IllegalArgumentException(
          "movedim: source "
              + Arrays.toString(source)
              + " and destination "
              + Arrays.toString(destination)
              + " differ in length");
    }
    long[] order = new long[Math.max(1, n)];
    Arrays.fill(order, -1);
    boolean[] used = new boolean[order.length];
    for (int i = 0; i < source.length; i++) {
      int from = wrapNumber(self, source[i]);
      int to = wrapNumber(self, destination[i]);
      if (used[from] || order[to] != -1) {
        throw new IllegalArgumentException(
            "movedim: a dimension is named twice in "
                + Arrays.toString(source)
                + " or "
                + Arrays.toString(destination));
      }
      used[from] = true;
      order[to] = from;
    }
    int next = 0;
    for (int d = 0; d < n; d++) {
      if (order[d] == -1) {
        while (used[next]) {
          next++;
        }
        order[d] = next++;
      }
    }
    return n == 0 ? Ops.view(self) : Ops.permute(self, order);
  }

  static List<Tensor> chunk(Tensor self, long chunks, long dim) {
    if (chunks <= 0) {
      throw new IllegalArgumentException("chunk: chunks=" + chunks + " must be positive");
    }
    if (self.shape().dims() == 0) {
      throw new IllegalArgumentException("chunk: needs a tensor of at least one dimension");
    }
    int d = wrap(self, dim);
    long size = self.shape().size(d);
    long each = (size + chunks - 1) / chunks;
    if (each == 0) {
      return Ops.splitWithSizes(self, new long[(int) chunks], d);
    }
    return Ops.split(self, each, d);
  }

  /** A view operator gives a tensor of its own even where the header stays the same. */
  private static Tensor fresh(Tensor self, Tensor out) {
    return out == self ? alias(self) : out;
  }

  /** A 0-d tensor counts as one of one dimension. */
  private static int wrapNumber(Tensor t, long dim) {
    return TensorAccess.wrap(dim, Math.max(1, t.shape().dims()), TensorAccess.facts(t));
  }

  private static int wrap(Tensor t, long dim) {
    return TensorAccess.wrap(dim, t.shape().dims(), TensorAccess.facts(t));
  }
}
