package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.TensorAccess;
import dev.jcomms.tensor.internal.Views;
import dev.jcomms.tensor.internal.cpu.LinearAlgebra;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Products of matrices, and what is made of them. */
final class MatrixOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();
  private static final Lookup ALGEBRA = CpuKernels.in(LinearAlgebra.class);

  private MatrixOps() {}

  static void define(Definitions d) {
    d.op("mm(Tensor self, Tensor mat2) -> Tensor").cpu(ALGEBRA, "mm").exactOut("out");
    d.op(
            "addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) ->"
                + " Tensor")
        .cpu(ALGEBRA, "addmm")
        .inPlace()
        .exactOut("out");
    d.op("bmm(Tensor self, Tensor mat2) -> Tensor").cpu(ALGEBRA, "bmm").exactOut("out");
    d.op(
            "baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar"
                + " alpha=1) -> Tensor")
        .cpu(ALGEBRA, "baddbmm")
        .inPlace()
        .exactOut("out");
    d.op("mv(Tensor self, Tensor vec) -> Tensor").cpu(ALGEBRA, "mv").exactOut("out");
    d.op(
            "addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) ->"
                + " Tensor")
        .cpu(ALGEBRA, "addmv")
        .inPlace()
        .exactOut("out");
    d.op("dot(Tensor self, Tensor tensor) -> Tensor").cpu(ALGEBRA, "dot").exactOut("out");
    d.op("vdot(Tensor self, Tensor other) -> Tensor").cpu(ALGEBRA, "dot").exactOut("out");
    d.op("outer(Tensor self, Tensor vec2) -> Tensor").composite(LOOKUP, "outer").out("out");
    d.op("ger(Tensor self, Tensor vec2) -> Tensor").composite(LOOKUP, "outer").out("out");
    d.op("inner(Tensor self, Tensor other) -> Tensor").composite(LOOKUP, "inner").exactOut("out");
    d.op("matmul(Tensor self, Tensor other) -> Tensor").composite(LOOKUP, "matmul").exactOut("out");
    d.op("linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor")
        .composite(LOOKUP, "linear")
        .exactOut("out");
    d.op("tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor")
        .composite(LOOKUP, "tensordot")
        .exactOut("out");
    d.op(
            "addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) ->"
                + " Tensor")
        .everywhere(LOOKUP, "addr")
        .inPlace()
        .out("out");
    d.op("trace(Tensor self) -> Tensor").everywhere(LOOKUP, "trace").exactOut("out");
  }

  static Tensor outer(Tensor self, Tensor vec2) {
    vector("outer", "self", self);
    vector("outer", "vec2", vec2);
    return Ops.mul(Ops.unsqueeze(self, 1), vec2);
  }

  private static void vector(String op, String name, Tensor t) {
    if (t.shape().dims() != 1) {
      throw new IllegalArgumentException(
          op + ": " + name + " must be a vector, but has shape=" + t.shape());
    }
  }

  static Tensor inner(Tensor self, Tensor other) {
    if (self.shape().dims() == 0 || other.shape().dims() == 0) {
      return Ops.mul(self, other);
    }
    if (self.shape().size(-1) != other.shape().size(-1)) {
      throw new IllegalArgumentException(
          "inner: last sizes of shapes " + self.shape() + " and " + other.shape() + " differ");
    }
    if (self.shape().dims() == 1 && other.shape().dims() == 1) {
      return Ops.dot(self, other);
    }
    return tensordot(self, other, new long[] {-1}, new long[] {-1});
  }

  static Tensor matmul(Tensor self, Tensor other) {
    int a = self.shape().dims();
    int b = other.shape().dims();
    if (a == 0 || b == 0) {
      throw new IllegalArgumentException(
          "matmul: both must have at least 1 dim, but shapes are "
              + self.shape()
              + " and "
              + other.shape());
    }
    if (a == 1 && b == 1) {
      return Ops.dot(self, other);
    }
    if (a == 2 && b == 1) {
      return Ops.mv(self, other);
    }
    if (a == 1 && b == 2) {
      return Ops.squeeze(Ops.mm(Ops.unsqueeze(self, 0), other), 0);
    }
    if (a == 2 && b == 2) {
      return Ops.mm(self, other);
    }
    return b <= 2 ? folded(self, other) : batched(self, other);
  }

  /** Many matrices times one, as one tall matrix times it. */
  private static Tensor folded(Tensor self, Tensor other) {
    long[] sizes = self.shape().toArray();
    long inner = sizes[sizes.length - 1];
    long rows = 1;
    for (int d = 0; d < sizes.length - 1; d++) {
      rows *= sizes[d];
    }
    Tensor tall = Ops.reshape(self, rows, inner);
    if (other.shape().dims() == 1) {
      return Ops.view(Ops.mv(tall, other), Arrays.copyOf(sizes, sizes.length - 1));
    }
    sizes[sizes.length - 1] = other.shape().size(1);
    return Ops.view(Ops.mm(tall, other), sizes);
  }

  private static Tensor batched(Tensor self, Tensor other) {
    boolean vector = self.shape().dims() == 1;
    Tensor a = vector ? Ops.unsqueeze(self, 0) : self;
    long rows = a.shape().size(-2);
    long inner = a.shape().size(-1);
    long columns = other.shape().size(-1);
    long[] batch = Views.broadcast("matmul of batches", leading(a), leading(other)).toArray();
    long count = Arrays.stream(batch).reduce(1, (x, y) -> x * y);
    Tensor left = Ops.reshape(Ops.expand(a, with(batch, rows, inner)), count, rows, inner);
    long innerOther = other.shape().size(-2);
    Tensor right =
        Ops.reshape(
            Ops.expand(other, with(batch, innerOther, columns)), count, innerOther, columns);
    Tensor product = Ops.view(Ops.bmm(left, right), with(batch, rows, columns));
    return vector ? Ops.squeeze(product, -2) : product;
  }

  private static Shape leading(Tensor t) {
    return Shape.of(Arrays.copyOf(t.shape().toArray(), t.shape().dims() - 2));
  }

  private static long[] with(long[] batch, long rows, long columns) {
    long[] sizes = Arrays.copyOf(batch, batch.length + 2);
    sizes[batch.length] = rows;
    sizes[batch.length + 1] = columns;
    return sizes;
  }

  /** Input times the transposed weight, plus bias. */
  static Tensor linear(Tensor input, Tensor weight, Tensor bias) {
    int dims = input.shape().dims();
    if (bias != null && dims == 2) {
      return Ops.addmm(bias, input, Ops.t(weight), Scalar.ONE, Scalar.ONE);
    }
    if (bias == null || weight.shape().dims() != 2 || dims == 0) {
      Tensor product = matmul(input, Ops.t(weight));
      Tensor sum = bias == null ? product : Ops.add(product, bias);
      if (!sum.shape().equals(product.shape())) {
        throw new IllegalArgumentException(
            "linear: bias of shape=" + bias.shape() + " does not expand to " + product.shape());
      }
      return sum;
    }
    long[] sizes = input.shape().toArray();
    long rows = 1;
    for (int d = 0; d < dims - 1; d++) {
      rows *= sizes[d];
    }
    Tensor tall = Ops.reshape(input, rows, sizes[dims - 1]);
    Tensor out = Ops.addmm(bias, tall, Ops.t(weight), Scalar.ONE, Scalar.ONE);
    sizes[dims - 1] = weight.shape().size(0);
    return Ops.view(out, sizes);
  }

  static Tensor tensordot(Tensor self, Tensor other, long[] dimsSelf, long[] dimsOther) {
    if (dimsSelf.length != dimsOther.length) {
      throw new IllegalArgumentException(
          "tensordot: " + dimsSelf.length + " dims of self for " + dimsOther.length + " of other");
    }
    Tensor a = self;
    Tensor b = other;
    long inner = 1;
    List<Integer> contractedA = new ArrayList<>();
    List<Integer> contractedB = new ArrayList<>();
    for (int i = 0; i < dimsSelf.length; i++) {
      int x = TensorAccess.wrap(dimsSelf[i], self.shape().dims(), "self of tensordot");
      int y = TensorAccess.wrap(dimsOther[i], other.shape().dims(), "other of tensordot");
      if (contractedA.contains(x) || contractedB.contains(y)) {
        throw new IllegalArgumentException(
            "tensordot: a dimension is named twice in dims_self="
                + Arrays.toString(dimsSelf)
                + " or dims_other="
                + Arrays.toString(dimsOther));
      }
      contractedA.add(x);
      contractedB.add(y);
      long sizeA = a.shape().size(x);
      long sizeB = b.shape().size(y);
      if (sizeA == 1 && sizeB != 1) {
        b = Ops.sum(b, new long[] {y}, true, b.dtype());
      } else if (sizeB == 1 && sizeA != 1) {
        a = Ops.sum(a, new long[] {x}, true, a.dtype());
      } else if (sizeA != sizeB) {
        throw new IllegalArgumentException(
            "tensordot: sizes " + sizeA + " and " + sizeB + " of contracted dims differ");
      } else {
        inner *= sizeA;
      }
    }
    List<Long> sizes = new ArrayList<>();
    List<Integer> orderA = new ArrayList<>();
    List<Integer> orderB = new ArrayList<>(contractedB);
    long rows = free(self, contractedA, orderA, sizes);
    long columns = free(other, contractedB, orderB, sizes);
    orderA.addAll(contractedA);
    Tensor left = Ops.reshape(permuted(a, orderA), rows, inner);
    Tensor right = Ops.reshape(permuted(b, orderB), inner, columns);
    return Ops.reshape(Ops.mm(left, right), sizes.stream().mapToLong(Long::longValue).toArray());
  }

  private static long free(
      Tensor t, List<Integer> contracted, List<Integer> order, List<Long> sizes) {
    long product = 1;
    for (int d = 0; d < t.shape().dims(); d++) {
      if (!contracted.contains(d)) {
        order.add(d);
        sizes.add(t.shape().size(d));
        product *= t.shape().size(d);
      }
    }
    return product;
  }

  private static Tensor permuted(Tensor t, List<Integer> order) {
    return Ops.permute(t, order.stream().mapToLong(Integer::longValue).toArray());
  }

  static Tensor addr(Tensor self, Tensor vec1, Tensor vec2, Scalar beta, Scalar alpha) {
    vector("addr", "vec1", vec1);
    vector("addr", "vec2", vec2);
    Tensor left = Ops.unsqueeze(vec1, 1);
    if (self.dtype() == DType.BOOL) {
      Tensor product = Ops.logicalAnd(left, vec2);
      Tensor kept = alpha.toBoolean() ? product : Ops.logicalXor(product, product);
      return beta.toBoolean() ? Ops.logicalOr(self, kept) : kept;
    }
    return Ops.addmm(self, left, Ops.unsqueeze(vec2, 0), beta, alpha);
  }

  static Tensor trace(Tensor self) {
    if (self.shape().dims() != 2) {
      throw new IllegalArgumentException("trace: needs a matrix, but has shape=" + self.shape());
    }
    if (self.dtype() == DType.BOOL) {
      throw new IllegalArgumentException("trace is not there for dtype=bool");
    }
    return Ops.sum(Ops.diagonal(self, 0, 0, 1));
  }
}
