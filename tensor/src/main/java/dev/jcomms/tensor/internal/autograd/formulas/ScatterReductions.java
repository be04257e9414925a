package dev.jcomms.tensor.internal.autograd.formulas;

import static dev.jcomms.tensor.internal.autograd.formulas.Call.div;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.eq;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.mul;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.to;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.where;

import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Derivative;
import dev.jcomms.tensor.autograd.Derivative.Context;

/** What is folded into the places that an index names: sum, mean, product, extremes. */
final class ScatterReductions {
  private ScatterReductions() {}

  static void into(Book book) {
    book.add(
        "scatter_reduce.two",
        Derivative.of()
            .wrt("self", ScatterReductions::bySelf, "self", "index", "src", "result")
            .wrt("src", ScatterReductions::bySource, "self", "index", "src", "result"));
  }

  private static Tensor bySelf(Context c) {
    Tensor grad =
        switch (kind(c)) {
          case "sum" -> c.grad();
          case "mean" -> div(c.grad(), counts(c));
          case "prod" -> {
            // At a zero: the product of the others, which is found with a one in its place.
            Tensor self = c.tensor("self");
            Tensor filled = where(eq(self, 0.0), one(self), self);
            yield div(mul(c.grad(), product(c, filled, c.tensor("src"))), filled);
          }
          default -> mul(isResult(c, c.tensor("self"), c.tensor("result")), shared(c));
        };
    return c.flag("include_self")
        ? grad
        : Call.of("scatter.value", grad, c.integer("dim"), c.tensor("index"), Scalar.ZERO);
  }

  private static Tensor bySource(Context c) {
    Tensor src = c.tensor("src");
    return switch (kind(c)) {
      case "sum" -> gather(c, c.grad());
      case "mean" -> div(gather(c, c.grad()), gather(c, counts(c)));
      case "prod" -> {
        Tensor zero = eq(src, 0.0);
        Tensor zeros = gather(c, added(c, Call.zerosLike(c.tensor("self")), to(zero, src.dtype())));
        Tensor only = Call.logicalAnd(zero, eq(zeros, 1.0));
        Tensor others = product(c, c.tensor("self"), where(only, one(src), src));
        Tensor filled = where(zero, one(src), src);
        yield where(
            only,
            gather(c, mul(c.grad(), others)),
            div(gather(c, mul(c.grad(), c.tensor("result"))), filled));
      }
      default -> mul(isResult(c, src, gather(c, c.tensor("result"))), gather(c, shared(c)));
    };
  }

  private static String kind(Context c) {
    return (String) c.value("reduce");
  }

  /** How many numbers went into each mean; where there was none, 1. */
  private static Tensor counts(Context c) {
    Tensor start = Call.zerosLike(c.grad());
    Tensor own = c.flag("include_self") ? Call.add(start, 1.0) : start;
    Tensor counts = added(c, own, Call.of("ones_like", c.tensor("src")));
    return where(eq(counts, 0.0), one(counts), counts);
  }

  /** The gradient, divided among the numbers that are the extreme. */
  private static Tensor shared(Context c) {
    Tensor result = c.tensor("result");
    Tensor own = isResult(c, c.tensor("self"), result);
    Tensor given = isResult(c, c.tensor("src"), gather(c, result));
    return div(c.grad(), added(c, own, given));
  }

  private static Tensor isResult(Context c, Tensor numbers, Tensor result) {
    return to(eq(numbers, result), c.grad().dtype());
  }

  private static Tensor product(Context c, Tensor self, Tensor src) {
    return Call.of(
        "scatter_reduce.two",
        self,
        c.integer("dim"),
        c.tensor("index"),
        src,
        "prod",
        c.flag("include_self"));
  }

  private static Tensor added(Context c, Tensor to, Tensor numbers) {
    return Call.of("scatter_add", to, c.integer("dim"), c.tensor("index"), numbers);
  }

  private static Tensor gather(Context c, Tensor from) {
    return Call.of("gather", from, c.integer("dim"), c.tensor("index"));
  }

  private static Tensor one(Tensor like) {
    return Call.add(Call.zero(like), 1.0);
  }
}
