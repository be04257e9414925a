package dev.jcomms.tensor.internal.autograd.formulas;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Derivative.Context;
import dev.jcomms.tensor.autograd.GradMode;

/** Medians without NaN, extremes so far, sums of exponentials so far. */
final class RankFormulas {
  private RankFormulas() {}

  static void into(Book book) {
    book.self("nanmedian.dim", RankFormulas::selected, "indices");
    for (String name : new String[] {"cummax", "cummin"}) {
      book.self(
          name,
          c -> {
            Tensor zeros = Call.zeros(c.grad(), c.shape("self"));
            return c.shape("self").dims() == 0
                ? c.grad()
                : Call.of("scatter_add", zeros, c.integer("dim"), c.tensor("indices"), c.grad());
          },
          "indices");
    }
    book.self("logcumsumexp", RankFormulas::logSums, "self", "result");
    book.none("searchsorted.Tensor", "searchsorted.Scalar", "bucketize.Tensor");
    book.none("bucketize.Scalar", "isin.Tensor_Tensor", "isin.Tensor_Scalar");
    book.none("isin.Scalar_Tensor");
    book.none("histc");
  }

  private static Tensor selected(Context c) {
    if (c.shape("self").dims() == 0) {
      return c.grad();
    }
    long dim = c.integer("dim");
    boolean keep = c.flag("keepdim");
    Tensor indices = keep ? c.tensor("indices") : Call.unsqueeze(c.tensor("indices"), dim);
    Tensor grad = keep ? c.grad() : Call.unsqueeze(c.grad(), dim);
    return Call.of("scatter_add", Call.zeros(grad, c.shape("self")), dim, indices, grad);
  }

  /** Gradients of both signs apart, so that the sums stay sums of exponentials. */
  private static Tensor logSums(Context c) {
    if (c.shape("self").dims() == 0 || c.shape("self").elements() == 0) {
      return c.grad();
    }
    if (GradMode.isEnabled()) { // where nothing lies at infinity, as the logarithms of zero would
      long[] dim = {c.integer("dim")};
      Tensor share = Call.mul(c.grad(), Call.exp(Call.neg(c.tensor("result"))));
      Tensor sums = Call.of("flip", Call.of("cumsum", Call.of("flip", share, dim), dim[0]), dim);
      return Call.mul(sums, Call.exp(c.tensor("self")));
    }
    Tensor rise = part(c, c.grad());
    return Call.sub(rise, part(c, Call.neg(c.grad())));
  }

  private static Tensor part(Context c, Tensor grad) {
    Tensor above = Call.gt(grad, 0.0);
    Tensor safe = Call.of("masked_fill.Scalar", grad, Call.logicalNot(above), 1.0);
    Tensor log =
        Call.of(
            "masked_fill.Scalar",
            Call.of("log", safe),
            Call.logicalNot(above),
            Double.NEGATIVE_INFINITY);
    long[] dim = {c.integer("dim")};
    Tensor back = Call.of("flip", Call.sub(log, c.tensor("result")), dim);
    Tensor sums = Call.of("flip", Call.of("logcumsumexp", back, dim[0]), dim);
    return Call.exp(Call.add(sums, c.tensor("self")));
  }
}
