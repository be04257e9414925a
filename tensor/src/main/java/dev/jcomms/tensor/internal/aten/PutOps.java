package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.TensorAccess;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.Arrays;
import java.util.List;

/** Writing by flat index and by row, and rows held to a length. */
final class PutOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();

  private PutOps() {}

  static void define(Definitions d) {
    d.op("put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor")
        .inPlace()
        .composite(LOOKUP, "put")
        .exactOut("out");
    d.op(
            "index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool"
                + " include_self=True) -> Tensor")
        .inPlace()
        .composite(LOOKUP, "indexReduce")
        .exactOut("out");
    d.op("renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor")
        .composite(LOOKUP, "renorm")
        .exactOut("out");
    d.op("fill_diagonal_(Tensor(a!) self, Scalar fill_value, bool wrap=False) -> Tensor(a!)")
        .composite(LOOKUP, "fillDiagonal");
  }

  static Tensor put(Tensor self, Tensor index, Tensor source, boolean accumulate) {
    if (index.dtype() != DType.I64
        || index.elements() != source.elements()
        || self.dtype() != source.dtype()) {
      throw new IllegalArgumentException(
          "put: index of "
              + index.dtype()
              + index.shape()
              + " must be i64 and have as many elements as source of "
              + source.dtype()
              + source.shape()
              + ", which is of "
              + self.dtype()
              + " as self is");
    }
    if (index.elements() == 0) {
      return Ops.clone(self);
    }
    Tensor flat = Ops.reshape(self, -1);
    Tensor places = Ops.reshape(index, -1);
    Tensor written = Ops.indexPut(flat, List.of(places), Ops.reshape(source, -1), accumulate);
    return Ops.reshape(written, self.shape().toArray());
  }

  static Tensor indexReduce(
      Tensor self, long dim, Tensor index, Tensor source, String reduce, boolean includeSelf) {
    if (!List.of("prod", "mean", "amax", "amin").contains(reduce)) {
      throw new IllegalArgumentException(
          "index_reduce: reduce='" + reduce + "' is none of prod, mean, amax, amin");
    }
    if (self.dtype() == DType.BOOL && !includeSelf) {
      throw new IllegalArgumentException("\"index_reduce\" is not implemented for bool");
    }
    int dims = self.shape().dims();
    int d = TensorAccess.wrap(dim, Math.max(1, dims), "index_reduce of " + self.shape());
    boolean fits =
        source.shape().dims() == dims
            && index.shape().dims() <= 1
            && self.dtype() == source.dtype();
    for (int i = 0; fits && i < dims; i++) {
      fits =
          i == d
              ? source.shape().size(i) == index.elements()
              : source.shape().size(i) == self.shape().size(i);
    }
    if (!fits || dims == 0) {
      throw new IllegalArgumentException(
          "index_reduce: source of "
              + source.dtype()
              + source.shape()
              + " with index of "
              + index.shape()
              + " does not go into dim="
              + d
              + " of "
              + self.dtype()
              + self.shape());
    }
    long[] along = new long[dims];
    Arrays.fill(along, 1);
    along[d] = index.elements();
    Tensor places = index.dtype() == DType.I64 ? index : Ops.toCopy(index, DType.I64, null);
    Tensor wide = Ops.expand(Ops.reshape(places, along), source.shape().toArray());
    return Ops.scatterReduce(self, d, wide, source, reduce, includeSelf);
  }

  static Tensor renorm(Tensor self, Scalar p, long dim, Scalar maxnorm) {
    int dims = self.shape().dims();
    if (dims < 2 || !(p.toDouble() > 0) || !(maxnorm.toDouble() >= 0)) {
      throw new IllegalArgumentException(
          "renorm: needs 2 dims, p above 0 and maxnorm of 0 or more, but has shape="
              + self.shape()
              + ", p="
              + p
              + " and maxnorm="
              + maxnorm);
    }
    int d = TensorAccess.wrap(dim, dims, "renorm of " + self.shape());
    long[] others = new long[dims - 1];
    for (int i = 0, at = 0; i < dims; i++) {
      if (i != d) {
        others[at++] = i;
      }
    }
    Tensor length = Ops.vectorNorm(self, p, others, true, null);
    Tensor factor = Ops.mul(Ops.reciprocal(Ops.add(length, Scalar.of(1e-7))), maxnorm);
    Tensor one = ScalarTensors.of(Scalar.ONE, factor.dtype(), factor.device());
    return Ops.mul(self, Ops.where(Ops.gt(length, maxnorm), factor, one));
  }

  static Tensor fillDiagonal(Tensor self, Scalar value, boolean wrap) {
    int dims = self.shape().dims();
    long least = Arrays.stream(self.shape().toArray()).min().orElse(0);
    long most = Arrays.stream(self.shape().toArray()).max().orElse(0);
    if (dims < 2 || dims > 2 && least != most) {
      throw new IllegalArgumentException(
          "fill_diagonal_: needs a matrix, or dims of one size, but has shape=" + self.shape());
    }
    long rows = self.shape().size(0);
    long columns = self.shape().size(1);
    for (long i = 0; i < least; i++) {
      Tensor at = self;
      for (int d = 0; d < dims; d++) {
        at = Ops.select(at, 0, i);
      }
      Ops.fill_(at, value);
    }
    if (wrap && dims == 2 && rows > columns + 1) {
      for (long row = columns + 1; row < rows; row += columns + 1) {
        Tensor below = Ops.slice(self, 0, row, rows, 1);
        Ops.fill_(Ops.diagonal(below, 0, 0, 1), value);
      }
    }
    return self;
  }
}
