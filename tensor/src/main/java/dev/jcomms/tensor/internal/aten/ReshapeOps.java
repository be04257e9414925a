package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.TensorAccess;
import dev.jcomms.tensor.internal.Views;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.Arrays;
import java.util.List;

/** Views made of the elementary ones, or of a copy where there is no such view. */
final class ReshapeOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();

  private ReshapeOps() {}

  static void define(Definitions d) {
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

  private static void composite(Definitions d, String schema, String method) {
    d.op(schema).composite(LOOKUP, method);
  }

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

  /** A 0-d tensor counts as one of one dimension. */
  private static int wrapNumber(Tensor t, long dim) {
    return TensorAccess.wrap(dim, Math.max(1, t.shape().dims()), TensorAccess.facts(t));
  }

  private static int wrap(Tensor t, long dim) {
    return TensorAccess.wrap(dim, t.shape().dims(), TensorAccess.facts(t));
  }
}
