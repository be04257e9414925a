package dev.jcomms.tensor.internal.autograd.formulas;

import static dev.jcomms.tensor.internal.autograd.formulas.Call.add;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.mul;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Derivative;
import dev.jcomms.tensor.autograd.Derivative.Context;
import dev.jcomms.tensor.autograd.GradMode;
import java.util.List;

/** Activations that are gates, or made of pieces. */
final class GateFormulas {
  private GateFormulas() {}

  static void into(Book book) {
    for (String name : List.of("hardsigmoid", "hardswish")) {
      String backward = name + "_backward";
      book.self(name, c -> Call.of(backward, c.grad(), c.tensor("self")), "self");
    }
    book.add(
        "hardsigmoid_backward",
        Derivative.of()
            .wrt(
                "grad_output",
                c -> Call.of("hardsigmoid_backward", c.grad(), c.tensor("self")),
                "self")
            .wrt("self", c -> Call.zerosLike(c.grad())));
    book.add(
        "hardswish_backward",
        Derivative.of()
            .wrt(
                "grad_output",
                c -> Call.of("hardswish_backward", c.grad(), c.tensor("self")),
                "self")
            .wrt("self", GateFormulas::hardswishCurvature, "grad_output", "self"));
    for (String name : List.of("hardshrink", "softshrink")) {
      String backward = name + "_backward";
      book.self(
          name, c -> Call.of(backward, c.grad(), c.tensor("self"), c.scalar("lambd")), "self");
      String given = name.equals("hardshrink") ? "grad_out" : "grad_output";
      book.add(
          backward,
          Derivative.of()
              .wrt(
                  given,
                  c -> Call.of(backward, c.grad(), c.tensor("self"), c.scalar("lambd")),
                  "self")
              .wrt("self", c -> Call.zerosLike(c.grad())));
    }
    book.self(
        "mish",
        c ->
            GradMode.isEnabled()
                ? mul(c.grad(), mishSlope(c.tensor("self")))
                : Call.of("mish_backward", c.grad(), c.tensor("self")),
        "self");
    book.add(
        "log_sigmoid_backward",
        Derivative.of()
            .wrt(
                "grad_output",
                c ->
                    Call.of("log_sigmoid_backward", c.grad(), c.tensor("self"), c.tensor("buffer")),
                "self",
                "buffer")
            .wrt(
                "self",
                c -> {
                  Tensor s = Call.sigmoid(c.tensor("self"));
                  Tensor bend = mul(s, Call.from(1, s));
                  return Call.neg(mul(mul(c.grad(), c.tensor("grad_output")), bend));
                },
                "grad_output",
                "self"));
    book.add(
        "_prelu_kernel",
        Derivative.of()
            .joint(
                List.of("self", "weight"),
                c ->
                    Call.several(
                        "_prelu_kernel_backward", c.grad(), c.tensor("self"), c.tensor("weight")),
                "self",
                "weight"));
  }

  private static Tensor hardswishCurvature(Context c) {
    Tensor self = c.tensor("self");
    Tensor within = Call.logicalAnd(Call.gt(self, -3), Call.lt(self, 3));
    return Call.only(within, Call.div(mul(c.grad(), c.tensor("grad_output")), 3.0));
  }

  private static Tensor mishSlope(Tensor x) {
    Tensor t = Call.tanh(Call.of("softplus", x));
    Tensor bend = mul(mul(x, Call.from(1, mul(t, t))), Call.sigmoid(x));
    return add(t, bend);
  }
}
