package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.TensorAccess;
import dev.jcomms.tensor.internal.cpu.Arranging;
import dev.jcomms.tensor.internal.cpu.Sorting;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Joining, splitting, sorting, padding. */
final class ArrangeOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();
  private static final Lookup ARRANGING = CpuKernels.in(Arranging.class);
  private static final Lookup SORTING = CpuKernels.in(Sorting.class);

  private ArrangeOps() {}

  static void define(Definitions d) {
    d.op("cat(Tensor[] tensors, int dim=0) -> Tensor").cpu(LOOKUP, "cat").out("out");
    d.op("concat(Tensor[] tensors, int dim=0) -> Tensor").composite(LOOKUP, "concat").out("out");
    d.op("concatenate(Tensor[] tensors, int dim=0) -> Tensor")
        .composite(LOOKUP, "concat")
        .out("out");
    d.op("stack(Tensor[] tensors, int dim=0) -> Tensor").composite(LOOKUP, "stack").out("out");
    d.op("split.sizes(Tensor(a -> *) self, SymInt[] split_size, int dim=0) -> Tensor(a)[]")
        .composite(LOOKUP, "splitSizes");
    d.op("flip(Tensor self, int[] dims) -> Tensor").cpu(ARRANGING, "flip").exactOut("out");
    d.op("roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor")
        .cpu(ARRANGING, "roll")
        .exactOut("out");
    d.op("tril(Tensor self, SymInt diagonal=0) -> Tensor")
        .cpu(ARRANGING, "tril")
        .inPlace()
        .cpuInPlace(ARRANGING, "trilInPlace")
        .exactOut("out");
    d.op("triu(Tensor self, SymInt diagonal=0) -> Tensor")
        .cpu(ARRANGING, "triu")
        .inPlace()
        .cpuInPlace(ARRANGING, "triuInPlace")
        .exactOut("out");
    d.op(
            "sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) ->"
                + " (Tensor values, Tensor indices)")
        .cpu(LOOKUP, "sortStable")
        .outAs(
            "sort.values_stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False,"
                + " Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!)"
                + " indices)");
    d.op(
            "sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor"
                + " indices)")
        .everywhere(LOOKUP, "sort")
        .outAs(
            "sort.values(Tensor self, int dim=-1, bool descending=False, *, Tensor(a!) values,"
                + " Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)");
    d.op("argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor")
        .composite(LOOKUP, "argsort");
    d.op(
            "argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) ->"
                + " Tensor")
        .composite(LOOKUP, "argsortStable")
        .exactOut("stable_out");
    d.op(
            "topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) ->"
                + " (Tensor values, Tensor indices)")
        .cpu(SORTING, "topk")
        .outAs(
            "topk.values(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True,"
                + " *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!)"
                + " indices)");
    d.op("constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor")
        .everywhere(LOOKUP, "constantPad")
        .exactOut("out");
    d.op("hsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]")
        .composite(LOOKUP, "hsplit");
  }

  /** The dtype is what the tensors' dtypes promote to. */
  static Tensor cat(List<Tensor> tensors, long dim) {
    if (tensors.isEmpty()) {
      throw new IllegalArgumentException("cat: there must be a tensor");
    }
    return Arranging.cat(tensors, dim, Promotion.of(tensors.toArray(Tensor[]::new)));
  }

  static Tensor concat(List<Tensor> tensors, long dim) {
    return Ops.cat(tensors, dim);
  }

  static Tensor stack(List<Tensor> tensors, long dim) {
    if (tensors.isEmpty()) {
      throw new IllegalArgumentException("stack: there must be a tensor");
    }
    Shape shape = tensors.getFirst().shape();
    int d = TensorAccess.wrap(dim, shape.dims() + 1, "the result of stack");
    List<Tensor> raised = new ArrayList<>();
    for (Tensor t : tensors) {
      if (!t.shape().equals(shape)) {
        throw new IllegalArgumentException(
            "stack: all must be of one shape, but one is " + shape + " and another " + t.shape());
      }
      raised.add(Ops.unsqueeze(t, d));
    }
    return Ops.cat(raised, d);
  }

  static List<Tensor> splitSizes(Tensor self, long[] splitSize, long dim) {
    return Ops.splitWithSizes(self, splitSize, dim);
  }

  static List<Tensor> hsplit(Tensor self, long sections) {
    int dims = self.shape().dims();
    int d = dims == 1 ? 0 : 1;
    if (dims == 0 || sections <= 0 || self.shape().size(d) % sections != 0) {
      throw new IllegalArgumentException(
          "hsplit: shape=" + self.shape() + " does not divide into sections=" + sections);
    }
    return Ops.split(self, self.shape().size(d) / sections, d);
  }

  static Tensor[] sortStable(Tensor self, Boolean stable, long dim, boolean descending) {
    return Sorting.sort(self, dim, descending);
  }

  static Tensor[] sort(Tensor self, long dim, boolean descending) {
    return Ops.sort(self, false, dim, descending);
  }

  static Tensor argsort(Tensor self, long dim, boolean descending) {
    return Ops.sort(self, false, dim, descending)[1];
  }

  static Tensor argsortStable(Tensor self, boolean stable, long dim, boolean descending) {
    return Ops.sort(self, stable, dim, descending)[1];
  }

  static Tensor constantPad(Tensor self, long[] pad, Scalar value) {
    int dims = self.shape().dims();
    if (pad.length % 2 != 0 || pad.length / 2 > dims) {
      throw new IllegalArgumentException(
          "constant_pad_nd: pad="
              + Arrays.toString(pad)
              + " must have two numbers for some of the "
              + dims
              + " last dims");
    }
    long[] sizes = self.shape().toArray();
    Tensor inner = self;
    for (int i = 0; i < pad.length / 2; i++) {
      int d = dims - 1 - i;
      long before = pad[2 * i];
      long after = pad[2 * i + 1];
      sizes[d] += before + after;
      if (sizes[d] < 0) {
        throw new IllegalArgumentException(
            "constant_pad_nd: pad=" + Arrays.toString(pad) + " leaves nothing of " + self.shape());
      }
      long first = Math.max(0, -before);
      long last = Math.max(first, self.shape().size(d) - Math.max(0, -after));
      inner = Ops.slice(inner, d, first, last, 1);
    }
    Tensor out = Ops.fill_(Ops.empty(self.dtype(), sizes, self.device()), value);
    Tensor middle = out;
    for (int i = 0; i < pad.length / 2; i++) {
      int d = dims - 1 - i;
      long first = Math.max(0, pad[2 * i]);
      middle = Ops.slice(middle, d, first, first + inner.shape().size(d), 1);
    }
    Ops.copy_(middle, inner);
    return out;
  }
}
