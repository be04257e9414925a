package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.TensorAccess;
import dev.jcomms.tensor.internal.cpu.Running;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;

/** What has a certain rank among others: medians, quantiles, modes, and extremes so far. */
final class RankOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();
  private static final Lookup RUNNING = CpuKernels.in(Running.class);

  private RankOps() {}

  static void define(Definitions d) {
    d.op(
            "kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False) -> (Tensor values,"
                + " Tensor indices)")
        .everywhere(LOOKUP, "kthvalue")
        .outAs(
            "kthvalue.values(Tensor self, SymInt k, int dim=-1, bool keepdim=False, *, Tensor(a!)"
                + " values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)");
    d.op(
            "median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor"
                + " indices)")
        .everywhere(LOOKUP, "medianDim")
        .outAs(
            "median.dim_values(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) values,"
                + " Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)");
    d.op(
            "nanmedian.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor"
                + " indices)")
        .everywhere(LOOKUP, "nanmedianDim")
        .outAs(
            "nanmedian.dim_values(Tensor self, int dim, bool keepdim=False, *, Tensor(a!)"
                + " values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)");
    d.op("median(Tensor self) -> Tensor").everywhere(LOOKUP, "median").exactOut("out");
    d.op("nanmedian(Tensor self) -> Tensor").everywhere(LOOKUP, "nanmedian").exactOut("out");
    d.op("mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)")
        .cpu(LOOKUP, "mode")
        .outAs(
            "mode.values(Tensor self, int dim=-1, bool keepdim=False, *, Tensor(a!) values,"
                + " Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)");
    d.op("cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)")
        .cpu(RUNNING, "cummax")
        .outAs(
            "cummax.out(Tensor self, int dim, *, Tensor(a!) values, Tensor(b!) indices) ->"
                + " (Tensor(a!) values, Tensor(b!) indices)");
    d.op("cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)")
        .cpu(RUNNING, "cummin")
        .outAs(
            "cummin.out(Tensor self, int dim, *, Tensor(a!) values, Tensor(b!) indices) ->"
                + " (Tensor(a!) values, Tensor(b!) indices)");
    d.op("logcumsumexp(Tensor self, int dim) -> Tensor")
        .cpu(RUNNING, "logcumsumexp")
        .exactOut("out");
    d.op(
            "quantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str"
                + " interpolation=\"linear\") -> Tensor")
        .composite(LOOKUP, "quantile")
        .exactOut("out");
    d.op(
            "quantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str"
                + " interpolation=\"linear\") -> Tensor")
        .composite(LOOKUP, "quantileScalar")
        .exactOut("scalar_out");
    d.op(
            "nanquantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str"
                + " interpolation=\"linear\") -> Tensor")
        .composite(LOOKUP, "nanquantile")
        .exactOut("out");
    d.op(
            "nanquantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str"
                + " interpolation=\"linear\") -> Tensor")
        .composite(LOOKUP, "nanquantileScalar")
        .exactOut("scalar_out");
    d.op(
            "nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType?"
                + " dtype=None) -> Tensor")
        .composite(LOOKUP, "nanmean")
        .out("out");
  }

  static Tensor[] kthvalue(Tensor self, long k, long dim, boolean keepDim) {
    int d = wrapped("kthvalue", self, dim);
    long size = self.shape().dims() == 0 ? 1 : self.shape().size(d);
    requireSome("kthvalue", self, d);
    if (k < 1 || k > size) {
      throw new IllegalArgumentException(
          "kthvalue: k=" + k + " is not within 1 and size=" + size + " of dim=" + d);
    }
    requireNumbers("kthvalue", self);
    Tensor[] sorted = Ops.sort(self, true, d, false);
    if (self.shape().dims() == 0) {
      return sorted;
    }
    Tensor[] found = {
      Ops.clone(Ops.select(sorted[0], d, k - 1)), Ops.clone(Ops.select(sorted[1], d, k - 1))
    };
    return keepDim ? new Tensor[] {Ops.unsqueeze(found[0], d), Ops.unsqueeze(found[1], d)} : found;
  }

  static Tensor[] medianDim(Tensor self, long dim, boolean keepDim) {
    return middle("median", self, dim, keepDim, false);
  }

  static Tensor[] nanmedianDim(Tensor self, long dim, boolean keepDim) {
    return middle("nanmedian", self, dim, keepDim, true);
  }

  /** The lower of the two in the middle; NaN is last in order, and taken where there is one. */
  private static Tensor[] middle(
      String op, Tensor self, long dim, boolean keepDim, boolean skipNan) {
    int d = wrapped(op, self, dim);
    requireSome(op, self, d);
    requireNumbers(op, self);
    Tensor[] sorted = Ops.sort(self, true, d, false);
    if (self.shape().dims() == 0) {
      return sorted;
    }
    long size = self.shape().size(d);
    Tensor place;
    if (self.dtype().isFloating()) {
      Tensor valid = Ops.sum(Ops.logicalNot(Ops.isnan(self)), new long[] {d}, true, DType.I64);
      Tensor half =
          Ops.clampMin(Ops.floorDivide(Ops.add(valid, Scalar.of(-1)), Scalar.of(2)), Scalar.ZERO);
      // Without skipping, the first NaN lies just behind the valid ones.
      place = skipNan ? half : Ops.where(Ops.eq(valid, Scalar.of(size)), half, valid);
    } else {
      long[] sizes = self.shape().toArray();
      sizes[d] = 1;
      place = Ops.fill_(Ops.empty(DType.I64, sizes, self.device()), Scalar.of((size - 1) / 2));
    }
    Tensor values = Ops.gather(sorted[0], d, place);
    Tensor indices = Ops.gather(sorted[1], d, place);
    return keepDim
        ? new Tensor[] {values, indices}
        : new Tensor[] {Ops.squeeze(values, d), Ops.squeeze(indices, d)};
  }

  static Tensor median(Tensor self) {
    return whole("median", self, false);
  }

  static Tensor nanmedian(Tensor self) {
    return whole("nanmedian", self, true);
  }

  private static Tensor whole(String op, Tensor self, boolean skipNan) {
    requireNumbers(op, self);
    if (self.elements() == 0) {
      Scalar none = self.dtype().isFloating() ? Scalar.of(Double.NaN) : Scalar.ZERO;
      return Ops.fill_(Ops.empty(self.dtype(), new long[0], self.device()), none);
    }
    Tensor line = Ops.reshape(self, -1);
    return skipNan ? Ops.nanmedian(line, 0, false)[0] : Ops.median(line, 0, false)[0];
  }

  static Tensor[] mode(Tensor self, long dim, boolean keepDim) {
    int d = wrapped("mode", self, dim);
    requireSome("mode", self, d);
    Tensor[] sorted = Ops.sort(self, true, d, false);
    if (self.shape().dims() == 0) {
      return sorted;
    }
    Tensor[] found = Running.mode(sorted[0], sorted[1], d);
    return keepDim ? found : new Tensor[] {Ops.squeeze(found[0], d), Ops.squeeze(found[1], d)};
  }

  private static int wrapped(String op, Tensor self, long dim) {
    return TensorAccess.wrap(dim, Math.max(1, self.shape().dims()), op + " of " + self.shape());
  }

  private static void requireSome(String op, Tensor self, int dim) {
    if (self.shape().dims() > 0 && self.shape().size(dim) == 0) {
      throw new IndexOutOfBoundsException(
          op + ": expected reduction dim=" + dim + " to have non-zero size");
    }
  }

  private static void requireNumbers(String op, Tensor self) {
    if (self.dtype() == DType.BOOL) {
      throw new IllegalArgumentException("\"" + op + "\" is not implemented for bool");
    }
  }

  // ---- quantiles

  static Tensor quantile(Tensor self, Tensor q, Long dim, boolean keepDim, String interpolation) {
    return quantiles("quantile", self, q, dim, keepDim, interpolation, false);
  }

  static Tensor nanquantile(
      Tensor self, Tensor q, Long dim, boolean keepDim, String interpolation) {
    return quantiles("nanquantile", self, q, dim, keepDim, interpolation, true);
  }

  static Tensor quantileScalar(
      Tensor self, double q, Long dim, boolean keepDim, String interpolation) {
    return quantiles("quantile", self, number(self, q), dim, keepDim, interpolation, false);
  }

  static Tensor nanquantileScalar(
      Tensor self, double q, Long dim, boolean keepDim, String interpolation) {
    return quantiles("nanquantile", self, number(self, q), dim, keepDim, interpolation, true);
  }

  private static Tensor number(Tensor self, double q) {
    if (!(q >= 0 && q <= 1)) {
      throw new IllegalArgumentException("quantile: q=" + q + " is not within 0 and 1");
    }
    return ScalarTensors.of(Scalar.of(q), self.dtype(), self.device());
  }

  private static Tensor quantiles(
      String op,
      Tensor self,
      Tensor q,
      Long dim,
      boolean keepDim,
      String interpolation,
      boolean skipNan) {
    checkQuantiles(op, self, q);
    int dims = self.shape().dims();
    Tensor lines =
        dim == null || dims == 0
            ? Ops.reshape(self, -1)
            : Ops.movedim(self, new long[] {dim}, new long[] {-1});
    long size = lines.shape().size(-1);
    Tensor sorted = Ops.sort(lines, false, -1, false)[0];
    Tensor wanted = Ops.reshape(q, -1);
    Tensor count =
        Ops.sum(Ops.logicalNot(Ops.isnan(sorted.detach())), new long[] {-1}, true, self.dtype());
    Tensor top = Ops.clampMin(Ops.add(count, Scalar.of(-1)), Scalar.ZERO);
    Tensor ranks = Ops.mul(skipNan ? top : Ops.fill_(Ops.clone(top), Scalar.of(size - 1)), wanted);
    if (!skipNan) { // the last is NaN if any is
      Tensor broken = Ops.lt(count, Scalar.of(size));
      ranks = Ops.maskedFill(ranks, broken, Scalar.of(size - 1));
    }
    Tensor below = Ops.floor(ranks);
    Tensor above = Ops.ceil(ranks);
    Tensor out =
        switch (interpolation) {
          case "lower" -> taken(sorted, below);
          case "higher" -> taken(sorted, above);
          case "nearest" -> taken(sorted, Ops.round(ranks));
          case "midpoint" -> Ops.lerp(taken(sorted, below), taken(sorted, above), Scalar.of(0.5));
          case "linear" ->
              Ops.lerp(taken(sorted, below), taken(sorted, above), Ops.sub(ranks, below));
          default ->
              throw new IllegalArgumentException(
                  op
                      + ": interpolation='"
                      + interpolation
                      + "' is none of linear, lower, higher, midpoint, nearest");
        };
    Tensor first = Ops.movedim(out, new long[] {-1}, new long[] {0});
    if (keepDim) {
      long[] sizes = new long[dims + 1];
      java.util.Arrays.fill(sizes, 1);
      sizes[0] = wanted.elements();
      if (dim != null && dims > 0) {
        long[] kept = self.shape().toArray();
        kept[TensorAccess.wrap(dim, dims, op)] = 1;
        System.arraycopy(kept, 0, sizes, 1, dims);
      }
      first = Ops.reshape(first, sizes);
    }
    return q.shape().dims() == 0 ? Ops.squeeze(first, 0) : first;
  }

  private static Tensor taken(Tensor sorted, Tensor ranks) {
    return Ops.gather(sorted, -1, Ops.toCopy(ranks.detach(), DType.I64, null));
  }

  private static void checkQuantiles(String op, Tensor self, Tensor q) {
    if (self.elements() == 0
        || self.dtype() != DType.F32 && self.dtype() != DType.F64
        || q.dtype() != self.dtype()
        || q.shape().dims() > 1) {
      throw new IllegalArgumentException(
          op
              + ": needs elements of f32 or f64, and q a number or a line of the same, but has "
              + self.dtype()
              + self.shape()
              + " and q "
              + q.dtype()
              + q.shape());
    }
    Tensor within = Ops.logicalAnd(Ops.ge(q, Scalar.ZERO), Ops.le(q, Scalar.ONE));
    if (!Ops.localScalarDense(Ops.all(within)).toBoolean()) {
      throw new IllegalArgumentException(op + ": q must be within 0 and 1");
    }
  }

  static Tensor nanmean(Tensor self, long[] dim, boolean keepDim, DType dtype) {
    if (!self.dtype().isFloating()) {
      throw new IllegalArgumentException("nanmean: needs floats, but is " + self.dtype());
    }
    Tensor broken = Ops.isnan(self.detach());
    Tensor count = Ops.sum(Ops.logicalNot(broken), dim, keepDim, DType.I64);
    Tensor sum = Ops.sum(Ops.maskedFill(self, broken, Scalar.ZERO), dim, keepDim, dtype);
    return Ops.div(sum, count);
  }
}
