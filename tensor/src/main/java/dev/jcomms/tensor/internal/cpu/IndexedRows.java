package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Refusals.check;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.Elements;
import dev.jcomms.tensor.internal.ScalarRange;
import java.lang.ref.Reference;
import java.util.function.Consumer;

/** Writing whole slices by index: index_add, index_copy, index_fill. In place; they return self. */
public final class IndexedRows {
  private IndexedRows() {}

  public static Tensor indexAdd(Tensor self, long dim, Tensor index, Tensor source, Scalar alpha) {
    int d = checked("index_add", self, dim, index, source);
    DType dtype = self.dtype();
    boolean floating = dtype.isFloating();
    double real = alpha.toDouble();
    long whole = alpha.toLong();
    return slices(
        "index_add",
        self,
        d,
        index,
        source,
        false,
        (to, from, n) -> {
          for (long i = 0; i < n; i++) {
            long at = to + i * dtype.bytes();
            long value = from + i * dtype.bytes();
            if (floating) {
              Deposit.ADD.apply(dtype, at, real * Elements.getDouble(Memory.ALL, dtype, value));
            } else {
              Deposit.ADD.apply(dtype, at, whole * Elements.getLong(Memory.ALL, dtype, value));
            }
          }
        });
  }

  public static Tensor indexCopy(Tensor self, long dim, Tensor index, Tensor source) {
    check(index.dtype() == DType.I64, "index_copy: index must be i64, but is " + index.dtype());
    int d = checked("index_copy", self, dim, index, source);
    int bytes = self.dtype().bytes();
    return slices(
        "index_copy",
        self,
        d,
        index,
        source,
        false,
        (to, from, n) -> Strided.copy(from, to, n * bytes));
  }

  public static Tensor indexFill(Tensor self, long dim, Tensor index, Scalar value) {
    String op = "index_fill";
    int d = Refusals.dim(op, dim, self.shape().dims());
    if (index.dtype() != DType.I64) {
      throw new IndexOutOfBoundsException(op + ": index must be i64, but is " + index.dtype());
    }
    check(index.shape().dims() <= 1, op + ": index must be a vector, but is " + index.shape());
    DType dtype = self.dtype();
    ScalarRange.require(op, dtype, value);
    return slices(
        op,
        self,
        d,
        index,
        null,
        true,
        (to, from, n) -> {
          for (long i = 0; i < n; i++) {
            if (value.isFloating()) {
              Deposit.ASSIGN.apply(dtype, to + i * dtype.bytes(), value.toDouble());
            } else {
              Deposit.ASSIGN.apply(dtype, to + i * dtype.bytes(), value.toLong());
            }
          }
        });
  }

  private static int checked(String op, Tensor self, long dim, Tensor index, Tensor source) {
    int d = Refusals.dim(op, dim, self.shape().dims());
    Refusals.index(op, index);
    check(index.shape().dims() <= 1, op + ": index must be a vector, but is " + index.shape());
    Refusals.same(op, "self", self, "source", source);
    boolean fits =
        source.shape().dims() == self.shape().dims()
            && (source.shape().dims() == 0
                ? index.elements() == 1
                : source.shape().size(d) == index.elements());
    for (int i = 0; fits && i < self.shape().dims(); i++) {
      fits = i == d || source.shape().size(i) == self.shape().size(i);
    }
    check(
        fits,
        op
            + ": source of shape="
            + source.shape()
            + " is not self's "
            + self.shape()
            + " with "
            + index.elements()
            + " along dim="
            + d);
    return d;
  }

  private interface Slice {
    void of(long to, long from, long elements);
  }

  private static Tensor slices(
      String op, Tensor self, int dim, Tensor index, Tensor source, boolean wrap, Slice slice) {
    Tensor at = Strided.indexes(index);
    Tensor from = source == null ? null : Dense.of(source);
    Consumer<Tensor> body =
        work -> {
          if (work.elements() == 0 && op.equals("index_add") && work.shape().dims() > 1) {
            return; // then no index is looked at
          }
          Axis axis = Axis.of(work.shape(), dim);
          int bytes = work.dtype().bytes();
          for (long i = 0; i < at.elements(); i++) {
            long k = Strided.index(Dense.address(at), i);
            if (k < (wrap ? -axis.size() : 0) || k >= axis.size()) {
              throw Refusals.outside(op, k, dim, axis.size());
            }
            long position = k < 0 ? k + axis.size() : k;
            for (long o = 0; o < axis.outer(); o++) {
              slice.of(
                  Dense.address(work) + (o * axis.size() + position) * axis.inner() * bytes,
                  from == null
                      ? 0
                      : Dense.address(from) + (o * at.elements() + i) * axis.inner() * bytes,
                  axis.inner());
            }
          }
          Reference.reachabilityFence(at);
          Reference.reachabilityFence(from);
          Reference.reachabilityFence(work);
        };
    return wrap ? Strided.inPlaceShared(self, body) : Strided.inPlace(self, body);
  }
}
