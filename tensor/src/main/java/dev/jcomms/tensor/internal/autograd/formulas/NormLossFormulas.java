package dev.jcomms.tensor.internal.autograd.formulas;

import static dev.jcomms.tensor.internal.autograd.formulas.Call.mul;

import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Derivative;
import dev.jcomms.tensor.autograd.Derivative.Context;
import dev.jcomms.tensor.autograd.GradMode;
import java.util.List;

/** Group normalization and binary cross entropy: what is not made of differentiable operators. */
final class NormLossFormulas {
  private static final long MEAN = 1;

  private NormLossFormulas() {}

  static void into(Book book) {
    book.add(
        "native_group_norm",
        Derivative.of()
            .joint(
                List.of("input", "weight", "bias"),
                NormLossFormulas::group,
                "input",
                "weight",
                "result1",
                "result2"));
    book.self(
        "_safe_softmax",
        c ->
            Call.of(
                "_softmax_backward_data",
                c.grad(),
                c.tensor("result"),
                c.integer("dim"),
                c.dtype("self")),
        "result");
    book.add(
        "binary_cross_entropy",
        Derivative.of()
            .wrt(
                "self",
                c ->
                    Call.of(
                        "binary_cross_entropy_backward",
                        c.grad(),
                        c.tensor("self"),
                        c.tensor("target"),
                        c.tensor("weight"),
                        c.integer("reduction")),
                "self",
                "target",
                "weight")
            .wrt("target", NormLossFormulas::target, "self", "weight"));
  }

  /** Mean and deviation depend on the input, too, where the gradient is differentiated again. */
  private static Tensor[] group(Context c) {
    Tensor input = c.tensor("input");
    Tensor mean = c.tensor("result1");
    Tensor rate = c.tensor("result2");
    if (GradMode.isEnabled()) {
      long groups = c.integer("group");
      Shape rows = Shape.of(c.integer("N"), groups, c.integer("C") / groups * c.integer("HxW"));
      Tensor x = Call.reshape(input, rows);
      long[] last = {2};
      Tensor middle = Call.of("mean.dim", x, last, true, null);
      Tensor off = Call.sub(x, middle);
      Tensor spread = Call.of("mean.dim", mul(off, off), last, true, null);
      mean = Call.of("squeeze.dim", middle, 2L);
      rate = Call.of("squeeze.dim", Call.rsqrt(Call.add(spread, c.number("eps"))), 2L);
    }
    Tensor given = c.grad(0) == null ? Call.zerosLike(input) : c.grad(0);
    Tensor[] found =
        Call.several(
            "native_group_norm_backward",
            given,
            input,
            mean,
            rate,
            c.tensor("weight"),
            c.integer("N"),
            c.integer("C"),
            c.integer("HxW"),
            c.integer("group"),
            new boolean[] {c.needs("input"), c.needs("weight"), c.needs("bias")});
    if (c.needs("input") && (c.grad(1) != null || c.grad(2) != null)) {
      found[0] = Call.add(found[0], byStatistics(c, input, mean, rate));
    }
    return found;
  }

  /** Where mean and inverse deviation are used themselves. */
  private static Tensor byStatistics(Context c, Tensor input, Tensor mean, Tensor rate) {
    long groups = c.integer("group");
    long size = c.integer("C") / groups * c.integer("HxW");
    Tensor x = Call.reshape(input, Shape.of(c.integer("N"), groups, size));
    Tensor sum = Call.zerosLike(x);
    if (c.grad(1) != null) {
      sum = Call.add(sum, Call.unsqueeze(c.grad(1), -1));
    }
    if (c.grad(2) != null) {
      Tensor fall = Call.neg(mul(c.grad(2), Call.pow(rate, 3.0)));
      Tensor off = Call.sub(x, Call.unsqueeze(mean, -1));
      sum = Call.add(sum, mul(Call.unsqueeze(fall, -1), off));
    }
    return Call.reshape(Call.div(sum, (double) size), input.shape());
  }

  private static Tensor target(Context c) {
    Tensor self = c.tensor("self");
    Tensor miss = Call.of("clamp_min", Call.of("log1p", Call.neg(self)), -100);
    Tensor hit = Call.of("clamp_min", Call.of("log", self), -100);
    Tensor each = mul(c.grad(), Call.sub(miss, hit));
    if (c.tensor("weight") != null) {
      each = mul(each, c.tensor("weight"));
    }
    return c.integer("reduction") == MEAN ? Call.div(each, (double) self.elements()) : each;
  }
}
