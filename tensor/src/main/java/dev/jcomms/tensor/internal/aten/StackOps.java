package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.TensorAccess;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;

/** Several tensors into one and one into several, all made of views and {@code cat}. */
final class StackOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();

  private StackOps() {}

  static void define(Definitions d) {
    for (String name : new String[] {"hstack", "vstack", "dstack"}) {
      d.op(name + "(Tensor[] tensors) -> Tensor").composite(LOOKUP, name).out("out");
    }
    d.op("row_stack(Tensor[] tensors) -> Tensor").composite(LOOKUP, "vstack").out("out");
    d.op("column_stack(Tensor[] tensors) -> Tensor").composite(LOOKUP, "columnStack").out("out");
    d.op("block_diag(Tensor[] tensors) -> Tensor").composite(LOOKUP, "blockDiag").exactOut("out");
    d.op("meshgrid(Tensor[] tensors) -> Tensor[]").composite(LOOKUP, "meshgrid");
    d.op("meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]")
        .composite(LOOKUP, "meshgridIndexing");
    d.op("cartesian_prod(Tensor[] tensors) -> Tensor").composite(LOOKUP, "cartesianProd");
    d.op("combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor")
        .composite(LOOKUP, "combinations");
    d.op("broadcast_tensors(Tensor[] tensors) -> Tensor[]").composite(LOOKUP, "broadcastTensors");
    d.op(
            "tensor_split.sections(Tensor(a -> *) self, SymInt sections, int dim=0) ->"
                + " Tensor(a)[]")
        .composite(LOOKUP, "tensorSplitSections");
    d.op(
            "tensor_split.indices(Tensor(a -> *) self, SymInt[] indices, int dim=0) ->"
                + " Tensor(a)[]")
        .composite(LOOKUP, "tensorSplitIndices");
    d.op(
            "tensor_split.tensor_indices_or_sections(Tensor(a -> *) self, Tensor"
                + " tensor_indices_or_sections, int dim=0) -> Tensor(a)[]")
        .composite(LOOKUP, "tensorSplitTensor");
    d.op("hsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]")
        .composite(LOOKUP, "hsplitArray");
    d.op("vsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]")
        .composite(LOOKUP, "vsplit");
    d.op("vsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]")
        .composite(LOOKUP, "vsplitArray");
    d.op("dsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]")
        .composite(LOOKUP, "dsplit");
    d.op("dsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]")
        .composite(LOOKUP, "dsplitArray");
    for (int n = 1; n <= 3; n++) {
      d.op("atleast_" + n + "d(Tensor self) -> Tensor").composite(LOOKUP, "atleast" + n + "d");
      d.op("atleast_" + n + "d.Sequence(Tensor[] tensors) -> Tensor[]")
          .composite(LOOKUP, "allAtleast" + n + "d");
    }
  }

  static Tensor atleast1d(Tensor self) {
    return self.shape().dims() == 0 ? Ops.reshape(self, 1) : self;
  }

  static Tensor atleast2d(Tensor self) {
    return switch (self.shape().dims()) {
      case 0 -> Ops.reshape(self, 1, 1);
      case 1 -> Ops.unsqueeze(self, 0);
      default -> self;
    };
  }

  static Tensor atleast3d(Tensor self) {
    return switch (self.shape().dims()) {
      case 0 -> Ops.reshape(self, 1, 1, 1);
      case 1 -> Ops.unsqueeze(Ops.unsqueeze(self, 0), -1);
      case 2 -> Ops.unsqueeze(self, -1);
      default -> self;
    };
  }

  static List<Tensor> allAtleast1d(List<Tensor> tensors) {
    return each(tensors, StackOps::atleast1d);
  }

  static List<Tensor> allAtleast2d(List<Tensor> tensors) {
    return each(tensors, StackOps::atleast2d);
  }

  static List<Tensor> allAtleast3d(List<Tensor> tensors) {
    return each(tensors, StackOps::atleast3d);
  }

  private static List<Tensor> each(List<Tensor> tensors, UnaryOperator<Tensor> body) {
    return tensors.stream().map(body).toList();
  }

  static Tensor hstack(List<Tensor> tensors) {
    requireSome("hstack", tensors);
    List<Tensor> raised = allAtleast1d(tensors);
    return Ops.cat(raised, raised.getFirst().shape().dims() == 1 ? 0 : 1);
  }

  static Tensor vstack(List<Tensor> tensors) {
    requireSome("vstack", tensors);
    return Ops.cat(allAtleast2d(tensors), 0);
  }

  static Tensor dstack(List<Tensor> tensors) {
    requireSome("dstack", tensors);
    return Ops.cat(allAtleast3d(tensors), 2);
  }

  static Tensor columnStack(List<Tensor> tensors) {
    requireSome("column_stack", tensors);
    return hstack(each(tensors, t -> t.shape().dims() > 1 ? t : Ops.reshape(t, t.elements(), 1)));
  }

  private static void requireSome(String op, List<Tensor> tensors) {
    if (tensors.isEmpty()) {
      throw new IllegalArgumentException(op + ": there must be a tensor");
    }
  }

  static Tensor blockDiag(List<Tensor> tensors) {
    if (tensors.isEmpty()) {
      return Ops.zeros(new long[] {1, 0}, DType.F32, null);
    }
    DType dtype = tensors.getFirst().dtype();
    long columns = 0;
    for (Tensor t : tensors) {
      if (t.shape().dims() > 2) {
        throw new IllegalArgumentException(
            "block_diag: tensors must have at most 2 dims, but one has shape=" + t.shape());
      }
      dtype = Promotion.promote(dtype, t.dtype());
      columns += atleast2d(t).shape().size(1);
    }
    List<Tensor> rows = new ArrayList<>();
    long before = 0;
    for (Tensor t : tensors) {
      Tensor block = atleast2d(t);
      Tensor same = block.dtype() == dtype ? block : Ops.toCopy(block, dtype, null);
      long width = block.shape().size(1);
      rows.add(Ops.constantPadNd(same, new long[] {before, columns - before - width}, Scalar.ZERO));
      before += width;
    }
    return Ops.cat(rows, 0);
  }

  static List<Tensor> meshgrid(List<Tensor> tensors) {
    return meshgridIndexing(tensors, "ij");
  }

  static List<Tensor> meshgridIndexing(List<Tensor> tensors, String indexing) {
    requireSome("meshgrid", tensors);
    if (!indexing.equals("ij") && !indexing.equals("xy")) {
      throw new IllegalArgumentException(
          "meshgrid: indexing='" + indexing + "' is neither 'ij' nor 'xy'");
    }
    List<Tensor> lines = new ArrayList<>(tensors);
    boolean swapped = indexing.equals("xy") && lines.size() > 1;
    if (swapped) {
      Collections.swap(lines, 0, 1);
    }
    long[] sizes = new long[lines.size()];
    for (int i = 0; i < sizes.length; i++) {
      Tensor t = lines.get(i);
      if (t.shape().dims() > 1 || t.dtype() != tensors.getFirst().dtype()) {
        throw new IllegalArgumentException(
            "meshgrid: tensors must be lines of one dtype, but one is " + t.dtype() + t.shape());
      }
      sizes[i] = t.elements();
    }
    List<Tensor> grids = new ArrayList<>();
    for (int i = 0; i < sizes.length; i++) {
      long[] along = new long[sizes.length];
      Arrays.fill(along, 1);
      along[i] = sizes[i];
      grids.add(Ops.expand(Ops.view(lines.get(i), along), sizes));
    }
    if (swapped) {
      Collections.swap(grids, 0, 1);
    }
    return grids;
  }

  static Tensor cartesianProd(List<Tensor> tensors) {
    requireSome("cartesian_prod", tensors);
    for (Tensor t : tensors) {
      if (t.shape().dims() != 1) {
        throw new IllegalArgumentException(
            "cartesian_prod: tensors must be of one dim, but one has shape=" + t.shape());
      }
    }
    return tensors.size() == 1
        ? tensors.getFirst()
        : Ops.stack(each(meshgrid(tensors), t -> Ops.reshape(t, -1)), 1);
  }

  static Tensor combinations(Tensor self, long r, boolean withReplacement) {
    if (self.shape().dims() != 1 || r < 0) {
      throw new IllegalArgumentException(
          "combinations: needs a line and r of 0 or more, but has shape="
              + self.shape()
              + " and r="
              + r);
    }
    if (r == 0) {
      return Ops.empty(self.dtype(), new long[] {0}, self.device());
    }
    int n = Math.toIntExact(self.elements());
    List<long[]> chosen = new ArrayList<>();
    choose(new long[Math.toIntExact(r)], 0, 0, n, withReplacement, chosen);
    long[] flat = chosen.stream().flatMapToLong(Arrays::stream).toArray();
    Tensor index = Tensor.of(flat);
    Tensor here = self.device().equals(index.device()) ? index : index.to(self.device());
    return Ops.view(Ops.indexSelect(self, 0, here), chosen.size(), r);
  }

  private static void choose(
      long[] places, int at, int from, int n, boolean again, List<long[]> into) {
    if (at == places.length) {
      into.add(places.clone());
      return;
    }
    for (int i = from; i < n; i++) {
      places[at] = i;
      choose(places, at + 1, again ? i : i + 1, n, again, into);
    }
  }

  static List<Tensor> broadcastTensors(List<Tensor> tensors) {
    Shape shape = Shape.scalar();
    for (Tensor t : tensors) {
      shape = Shapes.broadcast("broadcast_tensors", shape, t.shape());
    }
    long[] sizes = shape.toArray();
    return each(tensors, t -> Ops.expand(t, sizes));
  }

  // ---- one into several

  static List<Tensor> tensorSplitSections(Tensor self, long sections, long dim) {
    if (self.shape().dims() == 0 || sections <= 0) {
      throw new IllegalArgumentException(
          "tensor_split: needs a dim and sections, but has shape="
              + self.shape()
              + " and sections="
              + sections);
    }
    int d = TensorAccess.wrap(dim, self.shape().dims(), "tensor_split of " + self.shape());
    long size = self.shape().size(d);
    List<Tensor> parts = new ArrayList<>();
    long start = 0;
    for (long i = 0; i < sections; i++) {
      long end = start + size / sections + (i < size % sections ? 1 : 0);
      parts.add(Ops.slice(self, d, start, end, 1));
      start = end;
    }
    return parts;
  }

  static List<Tensor> tensorSplitIndices(Tensor self, long[] indices, long dim) {
    if (self.shape().dims() == 0) {
      throw new IllegalArgumentException("tensor_split: a 0-d tensor cannot be split");
    }
    int d = TensorAccess.wrap(dim, self.shape().dims(), "tensor_split of " + self.shape());
    List<Tensor> parts = new ArrayList<>();
    long start = 0;
    for (long end : indices) {
      parts.add(Ops.slice(self, d, start, end, 1));
      start = end;
    }
    parts.add(Ops.slice(self, d, start, self.shape().size(d), 1));
    return parts;
  }

  static List<Tensor> tensorSplitTensor(Tensor self, Tensor by, long dim) {
    if (by.dtype() != DType.I64 || by.shape().dims() > 1) {
      throw new IllegalArgumentException(
          "tensor_split: indices must be a number or a line of i64, but are "
              + by.dtype()
              + by.shape());
    }
    long[] numbers = by.cpu().toLongArray();
    return by.shape().dims() == 0
        ? tensorSplitSections(self, numbers[0], dim)
        : tensorSplitIndices(self, numbers, dim);
  }

  static List<Tensor> hsplitArray(Tensor self, long[] indices) {
    requireDims("hsplit", self, 1);
    return tensorSplitIndices(self, indices, self.shape().dims() == 1 ? 0 : 1);
  }

  static List<Tensor> vsplit(Tensor self, long sections) {
    return evenly("vsplit", self, 2, 0, sections);
  }

  static List<Tensor> vsplitArray(Tensor self, long[] indices) {
    requireDims("vsplit", self, 2);
    return tensorSplitIndices(self, indices, 0);
  }

  static List<Tensor> dsplit(Tensor self, long sections) {
    return evenly("dsplit", self, 3, 2, sections);
  }

  static List<Tensor> dsplitArray(Tensor self, long[] indices) {
    requireDims("dsplit", self, 3);
    return tensorSplitIndices(self, indices, 2);
  }

  private static List<Tensor> evenly(String op, Tensor self, int dims, int dim, long sections) {
    requireDims(op, self, dims);
    if (sections <= 0 || self.shape().size(dim) % sections != 0) {
      throw new IllegalArgumentException(
          op + ": shape=" + self.shape() + " does not divide into sections=" + sections);
    }
    return tensorSplitSections(self, sections, dim);
  }

  private static void requireDims(String op, Tensor self, int dims) {
    if (self.shape().dims() < dims) {
      throw new IllegalArgumentException(
          op + ": needs at least " + dims + " dims, but has shape=" + self.shape());
    }
  }
}
