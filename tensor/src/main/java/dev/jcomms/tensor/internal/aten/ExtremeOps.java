package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.cpu.Extremes;
import dev.jcomms.tensor.internal.cpu.Fold;
import dev.jcomms.tensor.internal.cpu.Reductions;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;

/** The largest and the smallest, with indexes or without; whether any or all are true. */
final class ExtremeOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();

  private ExtremeOps() {}

  static void define(Definitions d) {
    for (String name : new String[] {"amax", "amin"}) {
      d.op(name + "(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor")
          .out("out")
          .cpu(LOOKUP, name);
    }
    for (String name : new String[] {"argmax", "argmin"}) {
      d.op(name + "(Tensor self, int? dim=None, bool keepdim=False) -> Tensor")
          .out("out")
          .cpu(LOOKUP, name);
    }
    for (String name : new String[] {"max", "min"}) {
      d.op(name + "(Tensor self) -> Tensor").cpu(LOOKUP, name).out("unary_out");
      d.op(
              name
                  + ".dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor"
                  + " indices)")
          .cpu(LOOKUP, name + "Dim");
      d.op(name + ".other(Tensor self, Tensor other) -> Tensor")
          .out("out")
          .composite(LOOKUP, name + "Other");
    }
    d.op(
            "max.dim_max(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) max, Tensor(b!)"
                + " max_values) -> (Tensor(a!) values, Tensor(b!) indices)")
        .cpu(LOOKUP, "maxDimOut");
    d.op(
            "min.dim_min(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) min, Tensor(b!)"
                + " min_indices) -> (Tensor(a!) values, Tensor(b!) indices)")
        .cpu(LOOKUP, "minDimOut");
    d.op("aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)")
        .composite(LOOKUP, "aminmax");
    for (String name : new String[] {"any", "all"}) {
      d.op(name + "(Tensor self) -> Tensor").out("all_out").cpu(LOOKUP, name);
      d.op(name + ".dim(Tensor self, int dim, bool keepdim=False) -> Tensor")
          .out("out")
          .cpu(LOOKUP, name + "Dim");
      d.op(name + ".dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor")
          .out("dims_out")
          .cpu(LOOKUP, name + "Dims");
    }
  }

  static Tensor amax(Tensor self, long[] dim, boolean keepDim, Tensor out) {
    return extreme("amax", Fold.MAX, self, dim, keepDim, out);
  }

  static Tensor amin(Tensor self, long[] dim, boolean keepDim, Tensor out) {
    return extreme("amin", Fold.MIN, self, dim, keepDim, out);
  }

  static Tensor max(Tensor self) {
    return extreme("max", Fold.MAX, self, null, false, null);
  }

  static Tensor min(Tensor self) {
    return extreme("min", Fold.MIN, self, null, false, null);
  }

  private static Tensor extreme(
      String op, Fold fold, Tensor self, long[] dim, boolean keepDim, Tensor out) {
    requireNumbers(op, self);
    boolean[] marks = Dims.marks(op, self, dim);
    Dims.requireElements(op, self, dim, marks);
    Tensor to = SumOps.result(op, out, self.dtype(), Dims.result(self, marks, keepDim));
    Reductions.run(new Reductions.Recipe(fold), self.dtype(), self, marks, to);
    return to;
  }

  private static void requireNumbers(String op, Tensor self) {
    if (Promotion.isEighth(self.dtype())) {
      throw new IllegalArgumentException("\"" + op + "\" is not implemented for " + self.dtype());
    }
  }

  static Tensor argmax(Tensor self, Long dim, boolean keepDim, Tensor out) {
    return index("argmax", true, self, dim, keepDim, out);
  }

  static Tensor argmin(Tensor self, Long dim, boolean keepDim, Tensor out) {
    return index("argmin", false, self, dim, keepDim, out);
  }

  private static Tensor index(
      String op, boolean largest, Tensor self, Long dim, boolean keepDim, Tensor out) {
    requireNumbers(op, self);
    if (self.dtype() == DType.BOOL) {
      throw new IllegalArgumentException(op + ": is not defined for a boolean tensor");
    }
    long[] dims = dim == null ? null : new long[] {dim};
    boolean[] marks = Dims.marks(op, self, dims);
    Dims.requireElements(op, self, dims, marks);
    Shape shape = Dims.result(self, marks, keepDim);
    Tensor to = SumOps.result(op, out, DType.I64, shape);
    Extremes.run(largest, self, marks, null, to);
    return to;
  }

  static Tensor[] maxDim(Tensor self, long dim, boolean keepDim) {
    return withIndex("max", true, self, dim, keepDim, null, null);
  }

  static Tensor[] minDim(Tensor self, long dim, boolean keepDim) {
    return withIndex("min", false, self, dim, keepDim, null, null);
  }

  static Tensor[] maxDimOut(Tensor self, long dim, boolean keepDim, Tensor values, Tensor indices) {
    return withIndex("max", true, self, dim, keepDim, values, indices);
  }

  static Tensor[] minDimOut(Tensor self, long dim, boolean keepDim, Tensor values, Tensor indices) {
    return withIndex("min", false, self, dim, keepDim, values, indices);
  }

  private static Tensor[] withIndex(
      String op,
      boolean largest,
      Tensor self,
      long dim,
      boolean keepDim,
      Tensor values,
      Tensor indices) {
    requireNumbers(op, self);
    long[] dims = {dim};
    boolean[] marks = Dims.marks(op, self, dims);
    Dims.requireElements(op, self, dims, marks);
    Shape shape = Dims.result(self, marks, keepDim);
    Tensor v = SumOps.result(op, values, self.dtype(), shape);
    Tensor i = SumOps.result(op, indices, DType.I64, shape);
    Extremes.run(largest, self, marks, v, i);
    return new Tensor[] {v, i};
  }

  static Tensor maxOther(Tensor self, Tensor other) {
    return Ops.maximum(self, other);
  }

  static Tensor minOther(Tensor self, Tensor other) {
    return Ops.minimum(self, other);
  }

  static Tensor[] aminmax(Tensor self, Long dim, boolean keepDim) {
    long[] dims = dim == null ? new long[0] : new long[] {dim};
    return new Tensor[] {Ops.amin(self, dims, keepDim), Ops.amax(self, dims, keepDim)};
  }

  static Tensor any(Tensor self, Tensor out) {
    return truth("any", Fold.MAX, self, Dims.marks("any", self, null), false, out);
  }

  static Tensor all(Tensor self, Tensor out) {
    return truth("all", Fold.MIN, self, Dims.marks("all", self, null), false, out);
  }

  static Tensor anyDim(Tensor self, long dim, boolean keepDim, Tensor out) {
    return anyDims(self, new long[] {dim}, keepDim, out);
  }

  static Tensor allDim(Tensor self, long dim, boolean keepDim, Tensor out) {
    return allDims(self, new long[] {dim}, keepDim, out);
  }

  static Tensor anyDims(Tensor self, long[] dim, boolean keepDim, Tensor out) {
    return truth("any", Fold.MAX, self, marks("any", self, dim), keepDim, out);
  }

  static Tensor allDims(Tensor self, long[] dim, boolean keepDim, Tensor out) {
    return truth("all", Fold.MIN, self, marks("all", self, dim), keepDim, out);
  }

  /** Here an empty list takes nothing away. */
  private static boolean[] marks(String op, Tensor self, long[] dim) {
    return dim != null && dim.length == 0 ? Dims.none(self) : Dims.marks(op, self, dim);
  }

  private static Tensor truth(
      String op, Fold fold, Tensor self, boolean[] marks, boolean keepDim, Tensor out) {
    DType dtype =
        out != null && (out.dtype() == DType.U8 || out.dtype() == DType.BOOL)
            ? out.dtype()
            : self.dtype() == DType.U8 ? DType.U8 : DType.BOOL;
    Tensor to = SumOps.result(op, out, dtype, Dims.result(self, marks, keepDim));
    if (Dims.reduced(self, marks) == 0) {
      return to.fill(fold == Fold.MIN ? 1L : 0L);
    }
    SumOps.truths(fold, narrowed(self, out), marks, to);
    return to;
  }

  /** As PyTorch has it, a number is true in an {@code out} of u8 if it is not zero as u8. */
  private static Tensor narrowed(Tensor self, Tensor out) {
    return out != null && out.dtype() == DType.U8 ? self.to(DType.U8) : self;
  }
}
