package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.Dispatcher;
import dev.jcomms.tensor.internal.TensorAccess;
import dev.jcomms.tensor.internal.cpu.Fold;
import dev.jcomms.tensor.internal.cpu.Function;
import dev.jcomms.tensor.internal.cpu.LogicFunctions;
import dev.jcomms.tensor.internal.cpu.Reductions;
import dev.jcomms.tensor.internal.cpu.Scans;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.function.DoubleUnaryOperator;

/** Sums, means and products, whole and running. */
final class SumOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();

  private SumOps() {}

  static void define(Definitions d) {
    d.op("sum(Tensor self, *, ScalarType? dtype=None) -> Tensor")
        .cpu(LOOKUP, "sumAll")
        .exactOut("out");
    d.op(
            "sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType?"
                + " dtype=None) -> Tensor")
        .out("IntList_out")
        .cpu(LOOKUP, "sum");
    d.op("mean(Tensor self, *, ScalarType? dtype=None) -> Tensor")
        .out("dtype_out")
        .cpu(LOOKUP, "meanAll");
    d.op(
            "mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) ->"
                + " Tensor")
        .out("out")
        .cpu(LOOKUP, "mean");
    d.op("prod(Tensor self, *, ScalarType? dtype=None) -> Tensor")
        .cpu(LOOKUP, "prodAll")
        .exactOut("out");
    d.op(
            "prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) ->"
                + " Tensor")
        .out("int_out")
        .cpu(LOOKUP, "prod");
    d.op("cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor")
        .inPlace()
        .out("out")
        .cpu(LOOKUP, "cumsum");
    d.op("cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor")
        .inPlace()
        .out("out")
        .cpu(LOOKUP, "cumprod");
    d.op(
            "nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None)"
                + " -> Tensor")
        .composite(LOOKUP, "nansum");
    d.op(
            "nansum.out(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType?"
                + " dtype=None, Tensor(a!) out) -> Tensor(a!)")
        .composite(LOOKUP, "nansumOut");
    d.op("count_nonzero(Tensor self, int? dim=None) -> Tensor")
        .composite(LOOKUP, "countNonzero")
        .exactOut("out");
    d.op("count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor")
        .composite(LOOKUP, "countNonzeroDims")
        .exactOut("dim_IntList_out");
    d.op("sum_to_size(Tensor self, SymInt[] size) -> Tensor").composite(LOOKUP, "sumToSize");
    d.op("logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor")
        .out("out")
        .composite(LOOKUP, "logSumExp");
  }

  static Tensor sumAll(Tensor self, DType dtype) {
    return sum(self, null, false, dtype, null);
  }

  static Tensor sum(Tensor self, long[] dim, boolean keepDim, DType dtype, Tensor out) {
    boolean[] marks = Dims.marks("sum", self, dim);
    return fold("sum", self, marks, keepDim, dtype, out, Fold.SUM, DoubleUnaryOperator.identity());
  }

  static Tensor prodAll(Tensor self, DType dtype) {
    return fold(
        "prod",
        self,
        Dims.marks("prod", self, null),
        false,
        dtype,
        null,
        Fold.PRODUCT,
        DoubleUnaryOperator.identity());
  }

  static Tensor prod(Tensor self, long dim, boolean keepDim, DType dtype, Tensor out) {
    return fold(
        "prod",
        self,
        Dims.marks("prod", self, new long[] {dim}),
        keepDim,
        dtype,
        out,
        Fold.PRODUCT,
        DoubleUnaryOperator.identity());
  }

  static Tensor meanAll(Tensor self, DType dtype, Tensor out) {
    return mean(self, null, false, dtype, out);
  }

  static Tensor mean(Tensor self, long[] dim, boolean keepDim, DType dtype, Tensor out) {
    DType asked = dtype != null ? dtype : self.dtype();
    if (!asked.isFloating()) {
      throw new IllegalArgumentException(
          "mean: could not infer output dtype; "
              + (dtype != null ? "dtype" : "input")
              + " must be a float, it is "
              + asked);
    }
    if (dtype == null && out != null) {
      Forms.requireCast("mean", self.dtype(), out.dtype());
    }
    boolean[] marks = Dims.marks("mean", self, dim);
    long count = Dims.reduced(self, marks);
    return fold("mean", self, marks, keepDim, dtype, out, Fold.SUM, sum -> sum / count);
  }

  private static Tensor fold(
      String op,
      Tensor self,
      boolean[] marks,
      boolean keepDim,
      DType dtype,
      Tensor out,
      Fold fold,
      DoubleUnaryOperator after) {
    DType compute =
        dtype != null
            ? dtype
            : out != null ? out.dtype() : self.dtype().isFloating() ? self.dtype() : DType.I64;
    if (Promotion.isEighth(self.dtype()) && dtype == null || Promotion.isEighth(compute)) {
      throw new IllegalArgumentException("\"" + op + "\" is not implemented for " + self.dtype());
    }
    Shape shape = Dims.result(self, marks, keepDim);
    Tensor to = result(op, out, compute, shape);
    Tensor from = converted(self, compute);
    Reductions.run(new Reductions.Recipe(fold, null, Scalar.ZERO, after), compute, from, marks, to);
    return to;
  }

  /** Elements convert first: a sum in i64 of floats is a sum of whole numbers. */
  private static Tensor converted(Tensor self, DType compute) {
    boolean narrows =
        self.dtype() != compute
            && (compute == DType.F16
                || compute == DType.BF16
                || compute == DType.BOOL
                || self.dtype().isFloating() && !compute.isFloating());
    return narrows ? Ops.toCopy(self, compute, null) : self;
  }

  /** The tensor to write to: a new one, or {@code out}, which has that dtype and shape. */
  static Tensor result(String op, Tensor out, DType dtype, Shape shape) {
    if (out == null) {
      return Tensor.empty(dtype, shape);
    }
    Forms.requireSame(op, dtype, out);
    Forms.resize(op, out, shape);
    return out;
  }

  static Tensor cumsum(Tensor self, long dim, DType dtype, Tensor out) {
    return scan("cumsum", Fold.SUM, self, dim, dtype, out);
  }

  static Tensor cumprod(Tensor self, long dim, DType dtype, Tensor out) {
    return scan("cumprod", Fold.PRODUCT, self, dim, dtype, out);
  }

  private static Tensor scan(String op, Fold fold, Tensor self, long dim, DType dtype, Tensor out) {
    int dims = self.shape().dims();
    int d = TensorAccess.wrap(dim, Math.max(1, dims), op + " of " + self.shape());
    DType compute =
        dtype != null
            ? dtype
            : out != null ? out.dtype() : self.dtype().isFloating() ? self.dtype() : DType.I64;
    if (Promotion.isEighth(compute) || compute == DType.BOOL && dims > 0 && self.elements() > 0) {
      throw new IllegalArgumentException("\"" + op + "\" is not implemented for " + compute);
    }
    Tensor to = result(op, out, compute, self.shape());
    Tensor from = converted(self, compute);
    if (dims == 0) {
      to.copyFrom(from);
    } else {
      Scans.run(fold, compute, from, d, to);
    }
    return to;
  }

  static Tensor nansum(Tensor self, long[] dim, boolean keepDim, DType dtype) {
    if (!self.dtype().isFloating()) {
      return Ops.sum(self, dim, keepDim, dtype);
    }
    Tensor zero = ScalarTensors.beside(self, Scalar.ZERO);
    return Ops.sum(Ops.where(Ops.isnan(self), zero, self), dim, keepDim, dtype);
  }

  /** Whole numbers go where a sum goes; floats, unless there are none, only into floats. */
  static Tensor nansumOut(Tensor self, long[] dim, boolean keepDim, DType dtype, Tensor out) {
    if (!self.dtype().isFloating()) {
      return (Tensor) Dispatcher.call("aten::sum.IntList_out", self, dim, keepDim, dtype, out);
    }
    if (dtype != null) {
      Forms.requireSame("nansum", dtype, out);
    } else if (self.elements() > 0) {
      Forms.requireCast("nansum", self.dtype(), out.dtype());
    }
    Tensor sum = nansum(self, dim, keepDim, out.dtype());
    Forms.resize("nansum", out, sum.shape());
    return CopyOps.copyInto(out, sum);
  }

  static Tensor countNonzero(Tensor self, Long dim) {
    return countNonzeroDims(self, dim == null ? null : new long[] {dim});
  }

  static Tensor countNonzeroDims(Tensor self, long[] dim) {
    return Ops.sum(Ops.ne(self, Scalar.ZERO), dim, false, DType.I64);
  }

  static Tensor sumToSize(Tensor self, long[] size) {
    Shape wanted = Shape.of(size);
    if (size.length == 0) {
      return Ops.sum(self);
    }
    int added = self.shape().dims() - wanted.dims();
    long[] dims = new long[self.shape().dims()];
    int count = 0;
    for (int d = 0; d < self.shape().dims(); d++) {
      long own = self.shape().size(d);
      long left = d < added ? 1 : wanted.size(d - added);
      if (own != left && left != 1) {
        added = -1;
        break;
      }
      if (d < added || own != 1 && left == 1) {
        dims[count++] = d;
      }
    }
    if (added < 0) {
      throw new IllegalArgumentException(
          "sum_to_size: shape " + wanted + " does not expand to " + self.shape());
    }
    if (count == 0) {
      return self;
    }
    Tensor sum = Ops.sum(self, java.util.Arrays.copyOf(dims, count), true, null);
    return added > 0 ? Ops.view(sum, size) : sum;
  }

  /** With the largest taken out first, so that nothing overflows; an infinite one stays in. */
  static Tensor logSumExp(Tensor self, long[] dim, boolean keepDim) {
    Tensor x = self.dtype().isFloating() ? self : Ops.toCopy(self, DType.F32, null);
    if (dim.length == 0 && !keepDim && self.shape().dims() > 0 && self.elements() > 0) {
      throw new IllegalArgumentException(
          "logsumexp: dim=[] with keepdim=False is refused, as in PyTorch; name the dims of shape "
              + self.shape());
    }
    boolean[] marks = Dims.marks("logsumexp", x, dim);
    if (Dims.reduced(x, marks) == 0) {
      return Ops.log(Ops.sum(Ops.exp(x), dim, keepDim, null));
    }
    Tensor most = Ops.detach(Ops.amax(x, dim, true));
    Tensor shift = Ops.where(Ops.isinf(most), ScalarTensors.beside(x, Scalar.ZERO), most);
    Tensor sum = Ops.sum(Ops.exp(Ops.sub(x, shift)), dim, keepDim, null);
    Tensor offset = keepDim ? shift : Ops.view(shift, TensorAccess.sizes(sum.shape()));
    return Ops.add(Ops.log(sum), offset);
  }

  /** For other families: truths folded by their largest or smallest. */
  static void truths(Fold fold, Tensor self, boolean[] marks, Tensor to) {
    Function truth = LogicFunctions.IS_TRUE;
    DType compute = self.dtype();
    Reductions.run(
        new Reductions.Recipe(fold, truth, Scalar.ZERO, DoubleUnaryOperator.identity()),
        compute,
        self,
        marks,
        to);
  }
}
