package dev.jcomms.tensor.internal.autograd.formulas;

import static dev.jcomms.tensor.internal.autograd.formulas.Call.div;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.eq;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.except;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.mul;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.pow;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.sign;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.to;

import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Derivative.Context;
import java.util.List;

/** Vector norms of any order. Where a norm is zero its gradient is taken as zero. */
final class Norms {
  private Norms() {}

  static void into(Book book) {
    book.self("linalg_vector_norm", c -> norm(c, c.scalar("ord"), true), "self", "result");
    book.self("norm.Scalar", c -> norm(c, c.scalar("p"), false), "self", "result");
    for (String name : List.of("norm.ScalarOpt_dim", "norm.ScalarOpt_dim_dtype")) {
      book.self(name, c -> norm(c, c.scalar("p"), true), "self", "result");
    }
    book.self("norm.ScalarOpt_dtype", c -> norm(c, c.scalar("p"), false), "self", "result");
  }

  private static Tensor norm(Context c, Scalar order, boolean byDim) {
    double p = order == null ? 2 : order.toDouble();
    long[] dims = byDim ? c.integers("dim") : null;
    boolean kept = byDim && c.flag("keepdim");
    Tensor grad = Reductions.restore(c.grad(), dims, kept, c.shape("self"));
    Tensor norm = Reductions.restore(c.tensor("result"), dims, kept, c.shape("self"));
    Tensor self = to(c.tensor("self"), grad.dtype());
    if (p == 0) {
      return null; // a count does not move
    }
    if (p == 1) {
      return mul(grad, sign(self));
    }
    if (p == 2) {
      return mul(grad, except(eq(norm, 0.0), div(self, norm)));
    }
    Tensor size = Call.of("abs", self);
    if (Double.isInfinite(p)) {
      Tensor neither = Call.logicalAnd(Call.isNan(size), Call.isNan(norm));
      Tensor hit = to(Call.logicalOr(eq(size, norm), neither), grad.dtype());
      boolean[] reduced = Reductions.reduced(dims, c.shape("self"));
      long[] over =
          java.util.stream.IntStream.range(0, reduced.length)
              .filter(d -> reduced[d])
              .asLongStream()
              .toArray();
      Tensor count = over.length == 0 ? hit : Call.sum(hit, true, over);
      return mul(mul(sign(self), hit), div(grad, count));
    }
    if (p < 1) {
      Tensor scaled = except(eq(self, 0.0), mul(sign(self), pow(size, p - 1)));
      return mul(scaled, mul(grad, pow(norm, 1 - p)));
    }
    Tensor scaled = p < 2 ? mul(sign(self), pow(size, p - 1)) : mul(self, pow(size, p - 2));
    return mul(scaled, except(eq(norm, 0.0), div(grad, pow(norm, p - 1))));
  }
}
