package dev.jcomms.tensor.internal.autograd.formulas;

import static dev.jcomms.tensor.internal.autograd.formulas.Call.exp;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.mul;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.neg;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.sub;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.sum;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.to;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Derivative;
import dev.jcomms.tensor.autograd.Derivative.Context;
import java.util.List;

/** Softmax and losses. */
final class LossFormulas {
  private static final long MEAN = 1; // as PyTorch counts reductions: none, mean, sum

  private LossFormulas() {}

  static void into(Book book) {
    softmax(book);
    likelihood(book);
    squares(book);
  }

  private static void softmax(Book book) {
    for (String name : List.of("_softmax", "_log_softmax")) {
      book.self(
          name,
          c ->
              Call.of(
                  name + "_backward_data",
                  c.grad(),
                  c.tensor("result"),
                  c.integer("dim"),
                  c.dtype("self")),
          "result");
    }
    book.add(
        "_softmax_backward_data",
        Derivative.of()
            .wrt(
                "grad_output",
                c ->
                    Call.of(
                        "_softmax_backward_data",
                        to(c.grad(), c.dtype("output")),
                        c.tensor("output"),
                        c.integer("dim"),
                        c.value("input_dtype")),
                "output")
            .wrt("output", LossFormulas::softmaxOutput, "grad_output", "output"));
    book.add(
        "_log_softmax_backward_data",
        Derivative.of()
            .wrt(
                "grad_output",
                c -> {
                  Tensor grad = to(c.grad(), c.dtype("output"));
                  Tensor p = exp(c.tensor("output"));
                  return sub(grad, sum(mul(grad, p), true, c.integer("dim")));
                },
                "output")
            .wrt(
                "output",
                c ->
                    neg(
                        mul(
                            mul(
                                sum(c.tensor("grad_output"), true, c.integer("dim")),
                                exp(c.tensor("output"))),
                            to(c.grad(), c.dtype("output")))),
                "grad_output",
                "output"));
  }

  private static Tensor softmaxOutput(Context c) {
    Tensor grad = to(c.grad(), c.dtype("output"));
    Tensor given = c.tensor("grad_output");
    Tensor output = c.tensor("output");
    long dim = c.integer("dim");
    return sub(
        sub(mul(given, grad), mul(sum(mul(output, given), true, dim), grad)),
        mul(given, sum(mul(output, grad), true, dim)));
  }

  private static void likelihood(Book book) {
    for (String name : List.of("nll_loss", "nll_loss2d")) {
      book.add(
          name + "_forward",
          Derivative.of()
              .wrt(
                  "self",
                  c ->
                      Call.of(
                          name + "_backward",
                          c.grad(),
                          c.tensor("self"),
                          c.tensor("target"),
                          c.tensor("weight"),
                          c.integer("reduction"),
                          c.integer("ignore_index"),
                          c.tensor("total_weight")),
                  "self",
                  "target",
                  "weight",
                  "total_weight")
              .undifferentiable(1));
      book.add(
          name + "_backward",
          Derivative.of()
              .wrt(
                  "grad_output",
                  c ->
                      Call.several(
                          name + "_forward",
                          c.grad(),
                          c.tensor("target"),
                          c.tensor("weight"),
                          c.integer("reduction"),
                          c.integer("ignore_index"))[0],
                  "target",
                  "weight")
              .wrt("self", c -> Call.zerosLike(c.grad())));
    }
  }

  private static void squares(Book book) {
    book.add(
        "mse_loss",
        Derivative.of()
            .wrt("self", c -> squareSlope(c, c.grad(), "self", "target"), "self", "target")
            .wrt("target", c -> squareSlope(c, c.grad(), "target", "self"), "self", "target"));
    book.add(
        "mse_loss_backward",
        Derivative.of()
            .wrt("grad_output", c -> squareSlope(c, c.grad(), "self", "target"), "self", "target")
            .wrt("self", c -> curvature(c, 2), "grad_output")
            .wrt("target", c -> curvature(c, -2), "grad_output"));
  }

  private static Tensor squareSlope(Context c, Tensor grad, String mine, String other) {
    return Call.of(
        "mse_loss_backward", grad, c.tensor(mine), c.tensor(other), c.integer("reduction"));
  }

  private static Tensor curvature(Context c, double factor) {
    double each = c.integer("reduction") == MEAN ? factor / c.grad().elements() : factor;
    return mul(mul(c.grad(), c.tensor("grad_output")), each);
  }
}
