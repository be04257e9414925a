package dev.jcomms.tensor.internal.autograd.formulas;

import static dev.jcomms.tensor.internal.autograd.formulas.Call.div;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.mul;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.narrow;

import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Derivative.Context;
import dev.jcomms.tensor.autograd.GradMode;
import dev.jcomms.tensor.internal.TensorAccess;
import java.util.ArrayList;
import java.util.List;

/** Products and running sums. A factor of zero must not spoil the others' gradients. */
final class Products {
  private Products() {}

  static void into(Book book) {
    book.self("cumsum", c -> reversedSum(c.grad(), c.integer("dim")));
    book.self("prod", Products::all, "self", "result");
    book.self("prod.dim_int", Products::along, "self", "result");
    book.self("cumprod", Products::running, "self", "result");
  }

  private static Tensor reversedSum(Tensor t, long dim) {
    if (t.shape().dims() == 0) {
      return t;
    }
    Tensor flipped = Call.of("flip", t, new long[] {dim});
    return Call.of("flip", Call.of("cumsum", flipped, dim, null), new long[] {dim});
  }

  private static Tensor all(Context c) {
    Tensor self = Call.to(c.tensor("self"), c.grad().dtype());
    Tensor flat = Call.reshape(self, Shape.of(self.elements()));
    Tensor others = Call.reshape(others(flat, 0), c.shape("self"));
    return mul(c.grad(), finite(c.tensor("result"), self, others));
  }

  private static Tensor along(Context c) {
    Shape shape = c.shape("self");
    if (shape.dims() == 0) {
      return c.grad();
    }
    Tensor self = Call.to(c.tensor("self"), c.grad().dtype());
    long[] dim = {c.integer("dim")};
    Tensor grad = Reductions.restore(c.grad(), dim, c.flag("keepdim"), shape);
    Tensor result = Reductions.restore(c.tensor("result"), dim, c.flag("keepdim"), shape);
    Tensor others = others(self, TensorAccess.wrap(dim[0], shape.dims(), shape));
    return mul(grad, finite(result, self, others));
  }

  /**
   * What is left of a product that is no number is no number either, but for zeros in it. To be
   * differentiated again, the products of the others stay as they are.
   */
  private static Tensor finite(Tensor result, Tensor self, Tensor others) {
    if (GradMode.isEnabled()) {
      return others;
    }
    Tensor zero = Call.of("any", Call.eq(self, 0.0));
    return Call.where(Call.logicalOr(Call.isFinite(result), zero), others, div(result, self));
  }

  /** For each factor the product of all the others: those before it times those after it. */
  private static Tensor others(Tensor t, int dim) {
    long n = t.shape().size(dim);
    if (n <= 1) {
      return Call.of("ones_like", t);
    }
    Tensor one = Call.of("ones_like", narrow(t, dim, 0, 1));
    Tensor before =
        Call.cat(List.of(one, Call.of("cumprod", narrow(t, dim, 0, n - 1), (long) dim, null)), dim);
    long[] dims = {dim};
    Tensor rest = Call.of("flip", narrow(t, dim, 1, n - 1), dims);
    Tensor after =
        Call.of(
            "flip", Call.cat(List.of(one, Call.of("cumprod", rest, (long) dim, null)), dim), dims);
    return mul(before, after);
  }

  private static Tensor running(Context c) {
    Shape shape = c.shape("self");
    if (shape.dims() == 0 || shape.elements() == 0) {
      return c.grad();
    }
    Tensor self = Call.to(c.tensor("self"), c.grad().dtype());
    int dim = TensorAccess.wrap(c.integer("dim"), shape.dims(), shape);
    boolean zeros = Call.of("any", Call.eq(self, 0.0)).getBoolean();
    if (!zeros && !GradMode.isEnabled()) {
      return div(reversedSum(mul(c.grad(), c.tensor("result")), dim), self);
    }
    return factorByFactor(c.grad(), self, dim);
  }

  /** Exact with zeros, and differentiable: each factor is left out of the products it is in. */
  private static Tensor factorByFactor(Tensor grad, Tensor self, int dim) {
    long n = self.shape().size(dim);
    List<Tensor> parts = new ArrayList<>();
    for (long k = 0; k < n; k++) {
      Tensor before =
          k == 0
              ? Call.of("ones_like", narrow(self, dim, 0, 1))
              : Call.of("prod.dim_int", narrow(self, dim, 0, k), (long) dim, true, null);
      Tensor products = before;
      if (k < n - 1) {
        Tensor after = Call.of("cumprod", narrow(self, dim, k + 1, n - 1 - k), (long) dim, null);
        products = Call.cat(List.of(before, mul(before, after)), dim);
      }
      parts.add(Call.sum(mul(narrow(grad, dim, k, n - k), products), true, dim));
    }
    return Call.cat(parts, dim);
  }
}
