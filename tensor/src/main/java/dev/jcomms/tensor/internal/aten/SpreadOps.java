package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.Dispatcher;
import dev.jcomms.tensor.internal.cpu.Moments;
import dev.jcomms.tensor.internal.cpu.Norms;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;

/** Variances, deviations and norms. */
final class SpreadOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();

  private SpreadOps() {}

  static void define(Definitions d) {
    for (String name : new String[] {"var", "std"}) {
      d.op(
              name
                  + ".correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool"
                  + " keepdim=False) -> Tensor")
          .out("correction_out")
          .cpu(LOOKUP, name);
      d.op(name + "(Tensor self, bool unbiased=True) -> Tensor").composite(LOOKUP, name + "All");
      d.op(
              name
                  + ".dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) ->"
                  + " Tensor")
          .composite(LOOKUP, name + "Dim");
      d.op(
              name
                  + ".out(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False, *,"
                  + " Tensor(a!) out) -> Tensor(a!)")
          .composite(LOOKUP, name + "Out");
      d.op(
              name
                  + "_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None,"
                  + " bool keepdim=False) -> (Tensor, Tensor)")
          .cpu(LOOKUP, name + "Mean");
      d.op(name + "_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)")
          .composite(LOOKUP, name + "MeanAll");
      d.op(
              name
                  + "_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) ->"
                  + " (Tensor, Tensor)")
          .composite(LOOKUP, name + "MeanDim");
    }
    d.op(
            "linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *,"
                + " ScalarType? dtype=None) -> Tensor")
        .out("out")
        .cpu(LOOKUP, "vectorNorm");
    d.op("norm.Scalar(Tensor self, Scalar p=2) -> Tensor")
        .composite(LOOKUP, "normAll")
        .exactOut("Scalar_out");
    d.op("norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor")
        .composite(LOOKUP, "normDim")
        .exactOut("out");
    d.op(
            "norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, *,"
                + " ScalarType dtype) -> Tensor")
        .composite(LOOKUP, "normDimDType")
        .exactOut("dtype_out");
    d.op("norm.ScalarOpt_dtype(Tensor self, Scalar? p, *, ScalarType dtype) -> Tensor")
        .composite(LOOKUP, "normDType")
        .exactOut("ScalarOpt_dtype_out");
    d.op("dist(Tensor self, Tensor other, Scalar p=2) -> Tensor")
        .composite(LOOKUP, "dist")
        .exactOut("out");
  }

  static Tensor var(Tensor self, long[] dim, Scalar correction, boolean keepDim, Tensor out) {
    return moments("var", false, self, dim, correction, keepDim, out)[0];
  }

  static Tensor std(Tensor self, long[] dim, Scalar correction, boolean keepDim, Tensor out) {
    return moments("std", true, self, dim, correction, keepDim, out)[0];
  }

  static Tensor[] varMean(Tensor self, long[] dim, Scalar correction, boolean keepDim) {
    return moments("var_mean", false, self, dim, correction, keepDim, null);
  }

  static Tensor[] stdMean(Tensor self, long[] dim, Scalar correction, boolean keepDim) {
    return moments("std_mean", true, self, dim, correction, keepDim, null);
  }

  private static Tensor[] moments(
      String op,
      boolean root,
      Tensor self,
      long[] dim,
      Scalar correction,
      boolean keepDim,
      Tensor out) {
    if (!self.dtype().isFloating() || Promotion.isEighth(self.dtype())) {
      throw new IllegalArgumentException(
          op + ": std and var only support floating point dtypes; input is " + self.dtype());
    }
    boolean[] marks = Dims.marks(op, self, dim);
    Shape shape = Dims.result(self, marks, keepDim);
    boolean converts = out != null && out.dtype() != self.dtype();
    if (converts) {
      Forms.requireCast(op, self.dtype(), out.dtype());
      Forms.resize(op, out, shape);
    }
    Tensor to = SumOps.result(op, converts ? null : out, self.dtype(), shape);
    Tensor mean = Tensor.empty(self.dtype(), shape);
    Moments.run(self, marks, correction == null ? 1 : correction.toDouble(), root, to, mean);
    return new Tensor[] {converts ? CopyOps.copyInto(out, to) : to, mean};
  }

  private static Scalar correction(boolean unbiased) {
    return unbiased ? Scalar.ONE : Scalar.ZERO;
  }

  static Tensor varAll(Tensor self, boolean unbiased) {
    return Ops.var(self, null, correction(unbiased), false);
  }

  static Tensor varDim(Tensor self, long[] dim, boolean unbiased, boolean keepDim) {
    return Ops.var(self, dim, correction(unbiased), keepDim);
  }

  static Tensor varOut(Tensor self, long[] dim, boolean unbiased, boolean keepDim, Tensor out) {
    return into("aten::var.correction_out", self, dim, unbiased, keepDim, out);
  }

  static Tensor stdOut(Tensor self, long[] dim, boolean unbiased, boolean keepDim, Tensor out) {
    return into("aten::std.correction_out", self, dim, unbiased, keepDim, out);
  }

  private static Tensor into(
      String op, Tensor self, long[] dim, boolean unbiased, boolean keepDim, Tensor out) {
    return (Tensor) Dispatcher.call(op, self, dim, correction(unbiased), keepDim, out);
  }

  static Tensor stdAll(Tensor self, boolean unbiased) {
    return Ops.std(self, null, correction(unbiased), false);
  }

  static Tensor stdDim(Tensor self, long[] dim, boolean unbiased, boolean keepDim) {
    return Ops.std(self, dim, correction(unbiased), keepDim);
  }

  static Tensor[] varMeanAll(Tensor self, boolean unbiased) {
    return Ops.varMean(self, null, correction(unbiased), false);
  }

  static Tensor[] varMeanDim(Tensor self, long[] dim, boolean unbiased, boolean keepDim) {
    return Ops.varMean(self, dim, correction(unbiased), keepDim);
  }

  static Tensor[] stdMeanAll(Tensor self, boolean unbiased) {
    return Ops.stdMean(self, null, correction(unbiased), false);
  }

  static Tensor[] stdMeanDim(Tensor self, long[] dim, boolean unbiased, boolean keepDim) {
    return Ops.stdMean(self, dim, correction(unbiased), keepDim);
  }

  static Tensor vectorNorm(
      Tensor self, Scalar order, long[] dim, boolean keepDim, DType dtype, Tensor out) {
    if (!self.dtype().isFloating() || Promotion.isEighth(self.dtype())) {
      throw new IllegalArgumentException(
          "linalg.vector_norm: expected a floating point tensor; it is " + self.dtype());
    }
    if (dtype != null && (!dtype.isFloating() || Promotion.promote(self.dtype(), dtype) != dtype)) {
      throw new IllegalArgumentException(
          "linalg.vector_norm: "
              + self.dtype()
              + " is not convertible without narrowing to dtype="
              + dtype);
    }
    boolean[] marks = Dims.marks("linalg.vector_norm", self, dim);
    double p = order.toDouble();
    if (p < 0 || p == Double.POSITIVE_INFINITY) {
      requireIdentity(self, p, dim, marks);
    }
    DType compute = dtype != null ? dtype : self.dtype();
    Tensor to =
        SumOps.result("linalg.vector_norm", out, compute, Dims.result(self, marks, keepDim));
    Norms.run(p, compute, self, marks, to);
    return to;
  }

  private static void requireIdentity(Tensor self, double p, long[] dim, boolean[] marks) {
    boolean empty = dim == null || dim.length == 0 ? self.elements() == 0 : false;
    for (int d = 0; d < marks.length; d++) {
      empty |= dim != null && dim.length > 0 && marks[d] && self.shape().size(d) == 0;
    }
    if (empty) {
      throw new IllegalArgumentException(
          "linalg.vector_norm cannot compute the "
              + p
              + " norm of shape "
              + self.shape()
              + ": there is none of nothing");
    }
  }

  static Tensor normAll(Tensor self, Scalar p) {
    return Ops.vectorNorm(self, p, null, false, null);
  }

  static Tensor normDim(Tensor self, Scalar p, long[] dim, boolean keepDim) {
    return Ops.vectorNorm(self, p == null ? Scalar.of(2) : p, dim, keepDim, null);
  }

  static Tensor normDimDType(Tensor self, Scalar p, long[] dim, boolean keepDim, DType dtype) {
    return Ops.vectorNorm(self, p == null ? Scalar.of(2) : p, dim, keepDim, dtype);
  }

  static Tensor normDType(Tensor self, Scalar p, DType dtype) {
    return Ops.vectorNorm(self, p == null ? Scalar.of(2) : p, null, false, dtype);
  }

  static Tensor dist(Tensor self, Tensor other, Scalar p) {
    return Ops.vectorNorm(Ops.sub(self, other), p, null, false, null);
  }
}
