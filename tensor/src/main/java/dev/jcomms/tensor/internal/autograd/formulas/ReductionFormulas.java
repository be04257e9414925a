package dev.jcomms.tensor.internal.autograd.formulas;

import static dev.jcomms.tensor.internal.autograd.formulas.Call.add;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.div;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.eq;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.exp;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.expand;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.mul;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.sub;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.to;

import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Derivative.Context;
import java.util.List;

/** Reductions: the gradient of one result goes to all that went into it. */
final class ReductionFormulas {
  private ReductionFormulas() {}

  static void into(Book book) {
    book.self("sum", c -> expand(c.grad(), c.shape("self")));
    book.self("sum.dim_IntList", c -> expand(restore(c, c.grad()), c.shape("self")));
    book.self("mean", c -> div(expand(c.grad(), c.shape("self")), c.shape("self").elements()));
    book.self(
        "mean.dim",
        c ->
            div(
                expand(restore(c, c.grad()), c.shape("self")),
                Reductions.count(c.integers("dim"), c.shape("self"))));
    for (String name : List.of("amax", "amin")) {
      book.self(name, ReductionFormulas::evenly, "self", "result");
    }
    for (String name : List.of("max", "min", "median", "nanmedian")) {
      book.self(name, ReductionFormulas::evenlyOverAll, "self", "result");
    }
    for (String name : List.of("max.dim", "min.dim", "median.dim", "kthvalue", "mode")) {
      book.self(name, c -> selected(c, c.flag("keepdim")), "indices");
    }
    for (String name : List.of("topk", "sort", "sort.stable")) {
      book.self(name, c -> selected(c, true), "indices");
    }
    book.self(
        "logsumexp",
        c -> mul(restore(c, c.grad()), exp(sub(c.tensor("self"), restore(c, c.tensor("result"))))),
        "self",
        "result");
    variances(book);
    Products.into(book);
    Norms.into(book);
  }

  private static Tensor restore(Context c, Tensor t) {
    return Reductions.restore(t, c.integers("dim"), c.flag("keepdim"), c.shape("self"));
  }

  /** All elements that are the extreme share its gradient. */
  private static Tensor evenly(Context c) {
    Tensor self = c.tensor("self");
    Tensor hit = to(eq(self, restore(c, c.tensor("result"))), c.grad().dtype());
    long[] dims = c.integers("dim");
    long[] all = new long[c.shape("self").dims()];
    for (int d = 0; d < all.length; d++) {
      all[d] = d;
    }
    Tensor count = Call.sum(hit, true, dims.length == 0 ? all : dims);
    return mul(restore(c, c.grad()), div(hit, count));
  }

  private static Tensor evenlyOverAll(Context c) {
    Tensor self = c.tensor("self");
    Tensor result = c.tensor("result");
    Tensor same =
        Call.logicalOr(eq(self, result), Call.logicalAnd(Call.isNan(self), Call.isNan(result)));
    Tensor hit = to(same, c.grad().dtype());
    return mul(c.grad(), div(hit, Call.sum(hit)));
  }

  /** Results that are elements, whose places are known. */
  private static Tensor selected(Context c, boolean kept) {
    Shape shape = c.shape("self");
    if (shape.dims() == 0) {
      return c.grad();
    }
    long dim = c.integer("dim");
    Tensor grad = kept ? c.grad() : Call.unsqueeze(c.grad(), dim);
    Tensor places = kept ? c.tensor("indices") : Call.unsqueeze(c.tensor("indices"), dim);
    return Call.of("scatter.src", Call.zeros(grad, shape), dim, places, grad);
  }

  private static void variances(Book book) {
    book.self("var.correction", c -> variance(c, c.grad()), "self");
    book.self("std.correction", c -> variance(c, deviation(c, c.grad())), "self", "result");
    book.self(
        "var_mean.correction",
        c -> sum(c.grad(0) == null ? null : variance(c, c.grad(0)), mean(c)),
        "self");
    book.self(
        "std_mean.correction",
        c -> sum(c.grad(0) == null ? null : variance(c, deviation(c, c.grad(0))), mean(c)),
        "self",
        "result0");
  }

  private static Tensor sum(Tensor a, Tensor b) {
    return a == null ? b : b == null ? a : add(a, b);
  }

  private static Tensor mean(Context c) {
    if (c.grad(1) == null) {
      return null;
    }
    long count = Reductions.count(c.integers("dim"), c.shape("self"));
    return div(expand(restore(c, c.grad(1)), c.shape("self")), count);
  }

  /** From the gradient of a standard deviation to that of the variance. */
  private static Tensor deviation(Context c, Tensor grad) {
    Tensor result = c.tensor("result0");
    return Call.except(eq(result, 0.0), div(grad, mul(result, 2.0)));
  }

  private static Tensor variance(Context c, Tensor grad) {
    Tensor self = c.tensor("self");
    Scalar correction = c.scalar("correction");
    long count = Reductions.count(c.integers("dim"), c.shape("self"));
    double free = count - (correction == null ? 1 : correction.toDouble());
    long[] dims = c.integers("dim");
    Tensor mean =
        dims == null || dims.length == 0
            ? Call.of("mean", self, null)
            : Call.of("mean.dim", self, dims, true, null);
    return mul(mul(restore(c, grad), 2 / free), sub(self, mean));
  }
}
