package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Refusals.check;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;

/** The matrix products: mm, bmm, mv, dot and those that add to something. */
public final class LinearAlgebra {
  private LinearAlgebra() {}

  public static Tensor mm(Tensor self, Tensor mat2) {
    check(self.shape().dims() == 2, "mm: self must be a matrix, but has shape=" + self.shape());
    matrices("mm", self, mat2);
    Tensor out = Tensor.empty(self.dtype(), Shape.of(self.shape().size(0), mat2.shape().size(1)));
    Gemm.run(self, mat2, out, Scalar.ONE, Scalar.ZERO);
    return out;
  }

  public static Tensor addmm(Tensor self, Tensor mat1, Tensor mat2, Scalar beta, Scalar alpha) {
    matrices("addmm", mat1, mat2);
    Refusals.same("addmm", "self", self, "mat2", mat2);
    Shape shape = Shape.of(mat1.shape().size(0), mat2.shape().size(1));
    refuseBooleans("addmm", self, shape, beta);
    Tensor out = begin("addmm", self, shape, beta);
    Gemm.run(mat1, mat2, out, alpha, beta);
    return out;
  }

  public static Tensor bmm(Tensor self, Tensor mat2) {
    batches("bmm", self, mat2);
    Tensor out = Tensor.empty(self.dtype(), batchShape(self, mat2));
    multiply(self, mat2, out, Scalar.ONE, Scalar.ZERO);
    return out;
  }

  public static Tensor baddbmm(
      Tensor self, Tensor batch1, Tensor batch2, Scalar beta, Scalar alpha) {
    batches("baddbmm", batch1, batch2);
    Refusals.same("baddbmm", "self", self, "batch1", batch1);
    Shape shape = batchShape(batch1, batch2);
    refuseBooleans("baddbmm", self, shape, beta);
    Tensor out = begin("baddbmm", self, shape, beta);
    multiply(batch1, batch2, out, alpha, beta);
    return out;
  }

  public static Tensor mv(Tensor self, Tensor vec) {
    Shape shape = vectorProduct("mv", self, vec);
    Tensor out = Tensor.empty(self.dtype(), shape);
    Gemm.run(self, vec.unsqueeze(1), out.unsqueeze(1), Scalar.ONE, Scalar.ZERO);
    return out;
  }

  public static Tensor addmv(Tensor self, Tensor mat, Tensor vec, Scalar beta, Scalar alpha) {
    check(self.shape().dims() <= 1, "addmv: self must be a vector, but has shape=" + self.shape());
    Shape shape = vectorProduct("addmv", mat, vec);
    Refusals.same("addmv", "self", self, "mat", mat);
    Tensor out = begin("addmv", self, shape, beta);
    Gemm.run(mat, vec.unsqueeze(1), out.unsqueeze(1), alpha, beta);
    return out;
  }

  public static Tensor dot(Tensor self, Tensor tensor) {
    check(
        self.shape().dims() == 1 && tensor.shape().dims() == 1,
        "dot: needs two vectors, but shapes are " + self.shape() + " and " + tensor.shape());
    Refusals.same("dot", "self", self, "tensor", tensor);
    check(
        self.elements() == tensor.elements(),
        "dot: vectors must be of one length, but have "
            + self.elements()
            + " and "
            + tensor.elements()
            + " elements");
    if (self.dtype() == DType.BOOL) {
      throw Refusals.dtype("dot", self.dtype());
    }
    Tensor out = Tensor.empty(self.dtype(), Shape.scalar());
    Gemm.run(self.unsqueeze(0), tensor.unsqueeze(1), out.view(1, 1), Scalar.ONE, Scalar.ZERO);
    return out;
  }

  private static void multiply(Tensor a, Tensor b, Tensor c, Scalar alpha, Scalar beta) {
    long batches = a.shape().size(0);
    long flops = 2 * c.elements() * Math.max(1, a.shape().size(2));
    long grain = flops == 0 ? batches : Math.max(1, batches * (1L << 20) / flops);
    Parallel.run(
        batches,
        Math.max(1, grain),
        (from, to) -> {
          for (long i = from; i < to; i++) {
            Gemm.run(a.select(0, i), b.select(0, i), c.select(0, i), alpha, beta);
          }
        });
  }

  /** What the product is added to, broadcast; left alone where beta makes it irrelevant. */
  private static Tensor begin(String op, Tensor self, Shape shape, Scalar beta) {
    Tensor out = Tensor.empty(self.dtype(), shape);
    try {
      Tensor expanded = self.expand(shape);
      return beta.toDouble() == 0 ? out : out.copyFrom(expanded);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          op + ": self of shape=" + self.shape() + " does not expand to " + shape, e);
    }
  }

  /** What is added would no longer be a boolean, if there is anything. */
  private static void refuseBooleans(String op, Tensor self, Shape result, Scalar beta) {
    if (self.dtype() == DType.BOOL && beta.toBoolean() && result.elements() > 0) {
      throw Refusals.dtype(op, self.dtype());
    }
  }

  private static void matrices(String op, Tensor a, Tensor b) {
    check(
        a.shape().dims() == 2 && b.shape().dims() == 2,
        op + ": needs two matrices, but shapes are " + a.shape() + " and " + b.shape());
    check(
        a.shape().size(1) == b.shape().size(0),
        op + ": shapes " + a.shape() + " and " + b.shape() + " cannot be multiplied");
    Refusals.same(op, "mat1", a, "mat2", b);
  }

  private static void batches(String op, Tensor a, Tensor b) {
    check(
        a.shape().dims() == 3 && b.shape().dims() == 3,
        op + ": needs two batches of matrices, but shapes are " + a.shape() + " and " + b.shape());
    check(
        a.shape().size(0) == b.shape().size(0) && a.shape().size(2) == b.shape().size(1),
        op + ": shapes " + a.shape() + " and " + b.shape() + " cannot be multiplied");
    Refusals.same(op, "batch1", a, "batch2", b);
  }

  private static Shape batchShape(Tensor a, Tensor b) {
    return Shape.of(a.shape().size(0), a.shape().size(1), b.shape().size(2));
  }

  private static Shape vectorProduct(String op, Tensor mat, Tensor vec) {
    check(
        mat.shape().dims() == 2 && vec.shape().dims() == 1,
        op
            + ": needs a matrix and a vector, but shapes are "
            + mat.shape()
            + " and "
            + vec.shape());
    check(
        mat.shape().size(1) == vec.shape().size(0),
        op + ": shapes " + mat.shape() + " and " + vec.shape() + " cannot be multiplied");
    Refusals.same(op, "mat", mat, "vec", vec);
    return Shape.of(mat.shape().size(0));
  }
}
