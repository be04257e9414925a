package dev.jcomms.tensor.internal.autograd.formulas;

import static dev.jcomms.tensor.internal.autograd.formulas.Call.mul;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.neg;

import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Derivative;
import dev.jcomms.tensor.autograd.Derivative.Context;
import java.util.Arrays;
import java.util.List;

/** Inverses, determinants, equations and roots of square matrices. */
final class FactorFormulas {
  private FactorFormulas() {}

  static void into(Book book) {
    book.add(
        "linalg_inv_ex",
        Derivative.of()
            .wrt(
                "A",
                c -> {
                  Tensor turned = turned(c.tensor("inverse"));
                  return neg(product(turned, product(c.grad(), turned)));
                },
                "inverse"));
    book.add(
        "linalg_det",
        Derivative.of()
            .wrt(
                "A",
                c -> {
                  Tensor size = mul(c.grad(), c.tensor("result"));
                  return mul(raised(size), turned(inverse(c.tensor("A"))));
                },
                "A",
                "result"));
    book.add(
        "linalg_slogdet",
        Derivative.of()
            .wrt(
                "A",
                c ->
                    c.grad(1) == null
                        ? Call.zerosLike(c.tensor("A"))
                        : mul(raised(c.grad(1)), turned(inverse(c.tensor("A")))),
                "A"));
    book.add(
        "linalg_solve_ex",
        Derivative.of().joint(List.of("A", "B"), FactorFormulas::solve, "A", "result"));
    book.self("linalg_cholesky_ex", FactorFormulas::cholesky, "L");
  }

  private static Tensor[] solve(Context c) {
    boolean left = c.flag("left");
    Tensor turned = turned(c.tensor("A"));
    Tensor byB = Call.several("linalg_solve_ex", turned, c.grad(), left, false)[0];
    Tensor x = c.tensor("result");
    Shape rows = c.shape("A");
    long[] sizes = rows.toArray();
    boolean vector =
        c.shape("B").dims() == 1
            || Arrays.equals(c.shape("B").toArray(), Arrays.copyOf(sizes, sizes.length - 1));
    Tensor byA;
    if (vector) {
      byA = neg(product(Call.unsqueeze(byB, -1), Call.unsqueeze(x, -2)));
    } else {
      byA = neg(left ? product(byB, turned(x)) : product(turned(x), byB));
    }
    return new Tensor[] {c.needs("A") ? byA : null, c.needs("B") ? byB : null};
  }

  /** The lower half of {@code L^T g}, half its diagonal, between inverses, made symmetric. */
  private static Tensor cholesky(Context c) {
    boolean upper = c.flag("upper");
    Tensor root = upper ? turned(c.tensor("L")) : c.tensor("L");
    Tensor grad = upper ? turned(c.grad()) : c.grad();
    Tensor lower = Call.of("tril", product(turned(root), grad), 0L);
    Tensor below = Call.of("tril", lower, -1L);
    Tensor half = mul(Call.add(lower, below), 0.5);
    Tensor inverse = inverse(root);
    Tensor inner = product(turned(inverse), product(half, inverse));
    return mul(Call.add(inner, turned(inner)), 0.5);
  }

  private static Tensor inverse(Tensor a) {
    return Call.several("linalg_inv_ex", a, false)[0];
  }

  private static Tensor product(Tensor a, Tensor b) {
    return Call.of("matmul", a, b);
  }

  private static Tensor turned(Tensor a) {
    return Call.transpose(a, -2, -1);
  }

  private static Tensor raised(Tensor a) {
    return Call.unsqueeze(Call.unsqueeze(a, -1), -1);
  }
}
