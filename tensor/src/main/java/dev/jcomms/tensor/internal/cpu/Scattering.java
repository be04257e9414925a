package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Refusals.check;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.PairWalk;
import dev.jcomms.tensor.internal.ScalarRange;
import java.lang.ref.Reference;

/** Writing by index, element by element: the scatter family. All work in place and return self. */
public final class Scattering {
  private Scattering() {}

  public static Tensor scatter(Tensor self, long dim, Tensor index, Tensor src) {
    return scatter("scatter", self, dim, index, src, Deposit.ASSIGN);
  }

  public static Tensor scatterValue(Tensor self, long dim, Tensor index, Scalar value) {
    return scatter("scatter", self, dim, index, filled(self, index, value), Deposit.ASSIGN);
  }

  public static Tensor scatterReduce(
      Tensor self, long dim, Tensor index, Tensor src, String reduce) {
    return scatter("scatter", self, dim, index, src, fold(reduce));
  }

  public static Tensor scatterValueReduce(
      Tensor self, long dim, Tensor index, Scalar value, String reduce) {
    return scatter("scatter", self, dim, index, filled(self, index, value), fold(reduce));
  }

  public static Tensor scatterAdd(Tensor self, long dim, Tensor index, Tensor src) {
    return scatter("scatter_add", self, dim, index, src, Deposit.ADD);
  }

  /** {@code reduce} is sum, prod, mean, amax or amin. */
  public static Tensor scatterReduceTwo(
      Tensor self, long dim, Tensor index, Tensor src, String reduce, boolean includeSelf) {
    String op = "scatter_reduce";
    Deposit fold =
        switch (reduce) {
          case "sum", "mean", "add" -> Deposit.ADD;
          case "prod", "multiply" -> Deposit.MULTIPLY;
          case "amax", "max", "maximum" -> Deposit.MAX;
          case "amin", "min", "minimum" -> Deposit.MIN;
          default ->
              throw new IllegalArgumentException(
                  op + ": reduce='" + reduce + "' is not one of sum, prod, mean, amax, amin");
        };
    if (index.elements() == 0) {
      return scatter(op, self, dim, index, src, fold);
    }
    checked(op, self, dim, index, src);
    if (self.dtype() == DType.BOOL && reduce.equals("mean")) {
      throw Refusals.dtype(op + " by mean", self.dtype());
    }
    int d = Refusals.dim(op, dim, self.shape().dims());
    return Strided.inPlace(
        self,
        work -> {
          DType dtype = work.dtype();
          if (!includeSelf) {
            walk(op, work, d, index, index, (to, from) -> fold.neutral(dtype, to));
          }
          scatter(op, work, dim, index, src, fold);
          if (reduce.equals("mean")) {
            average(op, work, d, index, includeSelf);
          }
        });
  }

  private static void average(String op, Tensor work, int d, Tensor index, boolean includeSelf) {
    Tensor counts = Tensor.full(DType.I64, work.shape(), includeSelf ? 1L : 0L);
    Tensor ones = Tensor.full(DType.I64, Shape.scalar(), 1L).expand(index.shape());
    scatter(op, counts, d, index, ones, Deposit.ADD);
    DType dtype = work.dtype();
    int bytes = dtype.bytes();
    for (long i = 0; i < work.elements(); i++) {
      long n = Math.max(1, Strided.index(Dense.address(counts), i));
      long at = Dense.address(work) + i * bytes;
      if (dtype.isFloating()) {
        double sum = dev.jcomms.tensor.internal.Elements.getDouble(Memory.ALL, dtype, at);
        Deposit.ASSIGN.apply(dtype, at, sum / n);
      } else {
        long sum = dev.jcomms.tensor.internal.Elements.getLong(Memory.ALL, dtype, at);
        Deposit.ASSIGN.apply(dtype, at, Math.floorDiv(sum, n));
      }
    }
    Reference.reachabilityFence(counts);
    Reference.reachabilityFence(work);
  }

  private static Deposit fold(String reduce) {
    return switch (reduce) {
      case "add" -> Deposit.ADD;
      case "multiply" -> Deposit.MULTIPLY;
      default ->
          throw new IllegalArgumentException(
              "scatter: reduce='" + reduce + "' is neither add nor multiply");
    };
  }

  private static Tensor filled(Tensor self, Tensor index, Scalar value) {
    ScalarRange.require("scatter", self.dtype(), value);
    Tensor one = Tensor.empty(self.dtype(), Shape.scalar());
    if (value.isFloating()) {
      one.fill(value.toDouble());
    } else {
      one.fill(value.toLong());
    }
    return one.expand(index.shape());
  }

  private static void checked(String op, Tensor self, long dim, Tensor index, Tensor src) {
    int d = Refusals.dim(op, dim, self.shape().dims());
    Refusals.same(op, "self", self, "src", src);
    if (index.elements() == 0) {
      return;
    }
    Refusals.index(op, index);
    Gathering.indexShape(op, self, d, index);
    check(
        Math.max(1, src.shape().dims()) == Math.max(1, index.shape().dims()),
        op
            + ": index of shape="
            + index.shape()
            + " and src of "
            + src.shape()
            + " differ in dims");
    for (int i = 0; i < index.shape().dims(); i++) {
      long size = src.shape().dims() == 0 ? 1 : src.shape().size(i);
      check(
          index.shape().size(i) <= size,
          op + ": index of shape=" + index.shape() + " is larger than src of " + src.shape());
    }
  }

  private static Tensor scatter(
      String op, Tensor self, long dim, Tensor index, Tensor src, Deposit fold) {
    checked(op, self, dim, index, src);
    if (index.elements() == 0) {
      return self;
    }
    int d = Refusals.dim(op, dim, self.shape().dims());
    return Strided.inPlace(
        self,
        work -> {
          DType dtype = work.dtype();
          int bytes = dtype.bytes();
          boolean floating = dtype.isFloating();
          walk(
              op,
              work,
              d,
              index,
              src,
              fold == Deposit.ASSIGN
                  ? (to, from) -> Strided.move(bytes, from, to)
                  : (to, from) -> fold.apply(dtype, to, from, floating));
        });
  }

  private interface Meeting {
    void of(long to, long from);
  }

  /** Brings together, for every index, the element of self that it names and that of src. */
  private static void walk(
      String op, Tensor self, int dim, Tensor index, Tensor src, Meeting meeting) {
    Tensor from = Dense.settled(src);
    Tensor at = Strided.indexes(index);
    int bytes = self.dtype().bytes();
    long step = self.shape().dims() == 0 ? 1 : self.strides()[dim];
    long size = self.shape().dims() == 0 ? 1 : self.shape().size(dim);
    long target = Dense.address(self);
    long source = Dense.address(from);
    long indexes = Dense.address(at);
    long[] next = {0};
    long[] fromStrides =
        from.shape().dims() == index.shape().dims()
            ? from.strides()
            : new long[index.shape().dims()];
    PairWalk.walk(
        index.shape().toArray(),
        Gathering.stridesAlong(self, index, dim),
        0,
        fromStrides,
        0,
        (a, aStep, b, bStep, n) -> {
          for (long i = 0; i < n; i++) {
            long k = Strided.index(indexes, next[0]++);
            if (k < 0 || k >= size) {
              throw Refusals.outside(op, k, dim, size);
            }
            meeting.of(
                target + (a + i * aStep + k * step) * bytes, source + (b + i * bStep) * bytes);
          }
          return true;
        });
    Reference.reachabilityFence(from);
    Reference.reachabilityFence(at);
    Reference.reachabilityFence(self);
  }
}
