package dev.jcomms.tensor.internal.autograd.formulas;

import static dev.jcomms.tensor.internal.autograd.formulas.Call.bmm;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.mm;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.mul;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.mv;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.t;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.times;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.transpose;

import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Derivative;
import dev.jcomms.tensor.autograd.Derivative.Context;

/** Products of matrices and vectors. */
final class MatrixFormulas {
  private MatrixFormulas() {}

  static void into(Book book) {
    book.add(
        "mm",
        Derivative.of()
            .wrt("self", c -> left(c, "self", "mat2", Scalar.ONE), "mat2")
            .wrt("mat2", c -> right(c, "self", "mat2", Scalar.ONE), "self"));
    book.add(
        "addmm",
        Derivative.of()
            .wrt("self", c -> times(c.grad(), c.scalar("beta")))
            .wrt("mat1", c -> left(c, "mat1", "mat2", c.scalar("alpha")), "mat2")
            .wrt("mat2", c -> right(c, "mat1", "mat2", c.scalar("alpha")), "mat1"));
    book.add(
        "bmm",
        Derivative.of()
            .wrt("self", c -> bmm(c.grad(), transpose(c.tensor("mat2"), 1, 2)), "mat2")
            .wrt("mat2", c -> bmm(transpose(c.tensor("self"), 1, 2), c.grad()), "self"));
    book.add(
        "baddbmm",
        Derivative.of()
            .wrt("self", c -> times(c.grad(), c.scalar("beta")))
            .wrt(
                "batch1",
                c -> times(bmm(c.grad(), transpose(c.tensor("batch2"), 1, 2)), c.scalar("alpha")),
                "batch2")
            .wrt(
                "batch2",
                c -> times(bmm(transpose(c.tensor("batch1"), 1, 2), c.grad()), c.scalar("alpha")),
                "batch1"));
    book.add(
        "mv",
        Derivative.of()
            .wrt("self", c -> outer(c.grad(), c.tensor("vec")), "vec")
            .wrt("vec", c -> mv(t(c.tensor("self")), c.grad()), "self"));
    book.add(
        "addmv",
        Derivative.of()
            .wrt("self", c -> times(c.grad(), c.scalar("beta")))
            .wrt("mat", c -> times(outer(c.grad(), c.tensor("vec")), c.scalar("alpha")), "vec")
            .wrt("vec", c -> times(mv(t(c.tensor("mat")), c.grad()), c.scalar("alpha")), "mat"));
    book.add(
        "addr",
        Derivative.of()
            .wrt("self", c -> times(c.grad(), c.scalar("beta")))
            .wrt("vec1", c -> times(mv(c.grad(), c.tensor("vec2")), c.scalar("alpha")), "vec2")
            .wrt("vec2", c -> times(mv(t(c.grad()), c.tensor("vec1")), c.scalar("alpha")), "vec1"));
    for (String name : new String[] {"dot", "vdot"}) {
      String other = name.equals("dot") ? "tensor" : "other";
      book.add(
          name,
          Derivative.of()
              .wrt("self", c -> mul(c.grad(), c.tensor(other)), other)
              .wrt(other, c -> mul(c.grad(), c.tensor("self")), "self"));
    }
    book.self("trace", MatrixFormulas::trace);
  }

  /**
   * The gradient has the memory order of what it belongs to, so that the one of a transposed weight
   * comes out in the weight's own order and is taken as it is.
   */
  private static Tensor left(Context c, String mine, String other, Scalar alpha) {
    Tensor mat2 = c.tensor(other);
    Tensor product = isColumnMajor(c, mine) ? t(mm(mat2, t(c.grad()))) : mm(c.grad(), t(mat2));
    return times(product, alpha);
  }

  private static Tensor right(Context c, String other, String mine, Scalar alpha) {
    Tensor mat1 = c.tensor(other);
    Tensor product = isColumnMajor(c, mine) ? t(mm(t(c.grad()), mat1)) : mm(t(mat1), c.grad());
    return times(product, alpha);
  }

  private static boolean isColumnMajor(Context c, String name) {
    long[] strides = c.strides(name);
    return strides[0] == 1 && strides[1] == c.shape(name).size(0) && strides[1] != 1;
  }

  private static Tensor outer(Tensor a, Tensor b) {
    return mul(Call.unsqueeze(a, 1), b);
  }

  private static Tensor trace(Context c) {
    Shape shape = c.shape("self");
    long n = Math.min(shape.size(0), shape.size(1));
    return Call.of(
        "diagonal_backward", Call.expand(c.grad(), Shape.of(n)), shape.toArray(), 0L, 0L, 1L);
  }
}
