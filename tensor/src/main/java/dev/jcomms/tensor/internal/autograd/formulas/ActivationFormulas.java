package dev.jcomms.tensor.internal.autograd.formulas;

import static dev.jcomms.tensor.internal.autograd.formulas.Call.add;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.exp;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.mul;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.neg;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.sigmoid;

import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Derivative;
import dev.jcomms.tensor.autograd.Derivative.Context;
import dev.jcomms.tensor.autograd.GradMode;

/** Activations: each calls its backward operator, which has a formula of its own. */
final class ActivationFormulas {
  private ActivationFormulas() {}

  static void into(Book book) {
    book.self("relu", c -> threshold(c.grad(), c.tensor("result"), Scalar.ZERO), "result");
    book.self(
        "threshold", c -> threshold(c.grad(), c.tensor("self"), c.scalar("threshold")), "self");
    book.add(
        "threshold_backward",
        Derivative.of()
            .wrt(
                "grad_output",
                c -> threshold(c.grad(), c.tensor("self"), c.scalar("threshold")),
                "self")
            .wrt("self", c -> Call.zerosLike(c.grad())));
    book.self("sigmoid", c -> Call.of("sigmoid_backward", c.grad(), c.tensor("result")), "result");
    book.add(
        "sigmoid_backward",
        Derivative.of()
            .wrt(
                "grad_output",
                c -> Call.of("sigmoid_backward", c.grad(), c.tensor("output")),
                "output")
            .wrt(
                "output",
                c ->
                    mul(
                        mul(c.grad(), c.tensor("grad_output")),
                        Call.from(1, mul(c.tensor("output"), 2.0))),
                "grad_output",
                "output"));
    book.self("tanh", c -> Call.of("tanh_backward", c.grad(), c.tensor("result")), "result");
    book.add(
        "tanh_backward",
        Derivative.of()
            .wrt(
                "grad_output",
                c -> Call.of("tanh_backward", c.grad(), c.tensor("output")),
                "output")
            .wrt(
                "output",
                c -> mul(mul(c.grad(), c.tensor("grad_output")), mul(c.tensor("output"), -2.0)),
                "grad_output",
                "output"));
    smooth(book);
    pieces(book);
  }

  private static Tensor threshold(Tensor grad, Tensor self, Scalar threshold) {
    return Call.of("threshold_backward", grad, self, threshold);
  }

  private static void smooth(Book book) {
    book.self(
        "gelu",
        c -> Call.of("gelu_backward", c.grad(), c.tensor("self"), c.value("approximate")),
        "self");
    book.add(
        "gelu_backward",
        Derivative.of()
            .wrt(
                "grad_output",
                c -> Call.of("gelu_backward", c.grad(), c.tensor("self"), c.value("approximate")),
                "self")
            .wrt("self", ActivationFormulas::geluCurvature, "grad_output", "self"));
    book.self(
        "silu",
        c ->
            GradMode.isEnabled()
                ? mul(c.grad(), siluSlope(c.tensor("self")))
                : Call.of("silu_backward", c.grad(), c.tensor("self")),
        "self");
    book.self(
        "softplus",
        c ->
            Call.of(
                "softplus_backward",
                c.grad(),
                c.tensor("self"),
                c.scalar("beta"),
                c.scalar("threshold")),
        "self");
    book.add(
        "softplus_backward",
        Derivative.of()
            .wrt(
                "grad_output",
                c ->
                    Call.of(
                        "softplus_backward",
                        c.grad(),
                        c.tensor("self"),
                        c.scalar("beta"),
                        c.scalar("threshold")),
                "self")
            .wrt("self", ActivationFormulas::softplusCurvature, "grad_output", "self"));
    book.self("logit", ActivationFormulas::logit, "self");
    book.self(
        "elu",
        c ->
            Call.of(
                "elu_backward",
                c.grad(),
                c.scalar("alpha"),
                c.scalar("scale"),
                c.scalar("input_scale"),
                false,
                c.tensor("self")),
        "self");
    book.add(
        "elu_backward",
        Derivative.of()
            .wrt(
                "grad_output",
                c ->
                    Call.of(
                        "elu_backward",
                        c.grad(),
                        c.scalar("alpha"),
                        c.scalar("scale"),
                        c.scalar("input_scale"),
                        c.flag("is_result"),
                        c.tensor("self_or_result")),
                "self_or_result")
            .wrt(
                "self_or_result",
                ActivationFormulas::eluCurvature,
                "grad_output",
                "self_or_result"));
  }

  private static Tensor siluSlope(Tensor x) {
    Tensor s = sigmoid(x);
    return mul(s, add(mul(x, Call.from(1, s)), 1.0));
  }

  /** Of {@code x * Phi(x)}: {@code phi(x) (2 - x^2)}; of the tanh form by its own slope. */
  private static Tensor geluCurvature(Context c) {
    Tensor x = c.tensor("self");
    Tensor both = mul(c.grad(), c.tensor("grad_output"));
    if (!"tanh".equals(c.value("approximate"))) {
      Tensor phi = mul(exp(mul(mul(x, x), -0.5)), 1 / Math.sqrt(2 * Math.PI));
      return mul(both, mul(phi, Call.from(2, mul(x, x))));
    }
    double beta = Math.sqrt(2 / Math.PI);
    double kappa = 0.044715;
    Tensor inner = mul(add(mul(mul(mul(x, x), x), kappa), x), beta);
    Tensor t = Call.tanh(inner);
    Tensor first = mul(add(mul(mul(x, x), 3 * kappa), 1.0), beta); // of inner
    Tensor second = mul(x, 6 * kappa * beta);
    Tensor slope = Call.from(1, mul(t, t)); // of tanh
    Tensor bend = mul(mul(t, mul(slope, mul(first, first))), -2.0);
    Tensor curvature = add(mul(slope, first), mul(mul(x, add(bend, mul(slope, second))), 0.5));
    return mul(both, curvature);
  }

  private static Tensor softplusCurvature(Context c) {
    Tensor x = c.tensor("self");
    double beta = c.scalar("beta").toDouble();
    Tensor s = sigmoid(mul(x, beta));
    Tensor curvature = mul(mul(s, Call.from(1, s)), beta);
    Tensor straight = Call.gt(mul(x, beta), c.scalar("threshold"));
    return mul(mul(c.grad(), c.tensor("grad_output")), Call.except(straight, curvature));
  }

  private static Tensor eluCurvature(Context c) {
    Tensor x = c.tensor("self_or_result");
    Tensor both = mul(c.grad(), c.tensor("grad_output"));
    double bend = c.scalar("input_scale").toDouble();
    double height = c.scalar("alpha").toDouble() * c.scalar("scale").toDouble();
    Tensor below = Call.le(x, 0.0);
    Tensor slope =
        c.flag("is_result")
            ? mul(Call.of("ones_like", x), bend)
            : mul(exp(mul(x, bend)), bend * bend * height);
    return Call.only(below, mul(both, slope));
  }

  private static Tensor logit(Context c) {
    Tensor x = c.tensor("self");
    Double eps = (Double) c.value("eps");
    if (!GradMode.isEnabled()) {
      return Call.of("logit_backward", c.grad(), x, eps);
    }
    Tensor slope = Call.div(c.grad(), mul(x, Call.from(1, x)));
    double low = eps == null ? 0 : eps;
    Tensor inside = Call.logicalAnd(Call.ge(x, low), Call.le(x, 1 - low));
    return eps != null
        ? Call.only(inside, slope)
        : Call.where(inside, slope, Call.of("full_like", slope, Double.NaN));
  }

  private static void pieces(Book book) {
    book.self(
        "leaky_relu",
        c -> leaky(c.grad(), c.tensor("self"), c.scalar("negative_slope"), false),
        "self");
    book.add(
        "leaky_relu_backward",
        Derivative.of()
            .wrt(
                "grad_output",
                c ->
                    leaky(
                        c.grad(),
                        c.tensor("self"),
                        c.scalar("negative_slope"),
                        c.flag("self_is_result")),
                "self")
            .wrt("self", c -> Call.zerosLike(c.grad())));
    book.self(
        "hardtanh",
        c ->
            Call.of(
                "hardtanh_backward",
                c.grad(),
                c.tensor("self"),
                c.scalar("min_val"),
                c.scalar("max_val")),
        "self");
    book.add(
        "hardtanh_backward",
        Derivative.of()
            .wrt(
                "grad_output",
                c ->
                    Call.of(
                        "hardtanh_backward",
                        c.grad(),
                        c.tensor("self"),
                        c.scalar("min_val"),
                        c.scalar("max_val")),
                "self")
            .wrt("self", c -> Call.zerosLike(c.grad())));
    book.add(
        "log_sigmoid_forward",
        Derivative.of()
            .wrt("self", c -> mul(c.grad(), sigmoid(neg(c.tensor("self")))), "self")
            .undifferentiable(1));
  }

  private static Tensor leaky(Tensor grad, Tensor self, Scalar slope, boolean isResult) {
    return Call.of("leaky_relu_backward", grad, self, slope, isResult);
  }
}
