package dev.jcomms.tensor.internal.autograd.formulas;

import static dev.jcomms.tensor.internal.autograd.formulas.Call.add;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.div;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.exp;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.mul;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.neg;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.sub;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Derivative;
import dev.jcomms.tensor.autograd.Derivative.Context;

/** Special functions. */
final class SpecialFormulas {
  private SpecialFormulas() {}

  static void into(Book book) {
    book.self("lgamma", c -> mul(c.grad(), Call.of("digamma", c.tensor("self"))), "self");
    book.self("digamma", c -> mul(c.grad(), Call.of("polygamma", 1L, c.tensor("self"))), "self");
    book.self(
        "polygamma",
        c -> mul(c.grad(), Call.of("polygamma", c.integer("n") + 1, c.tensor("self"))),
        "self");
    book.self(
        "erfinv",
        c -> mul(c.grad(), mul(exp(square(c, "result")), Math.sqrt(Math.PI) / 2)),
        "result");
    book.self("i0", c -> mul(c.grad(), Call.of("special_i1", c.tensor("self"))), "self");
    book.self(
        "special_i0e",
        c -> {
          Tensor self = c.tensor("self");
          Tensor slope =
              sub(Call.of("special_i1e", self), mul(Call.sign(self), c.tensor("result")));
          return mul(c.grad(), slope);
        },
        "self",
        "result");
    book.self("special_i1", c -> firstOrder(c, "i0", false), "self", "result");
    book.self("special_i1e", c -> firstOrder(c, "special_i0e", true), "self", "result");
    book.self(
        "special_entr",
        c -> neg(mul(c.grad(), add(Call.of("log", c.tensor("self")), 1.0))),
        "self");
    book.self(
        "special_erfcx",
        c ->
            mul(
                c.grad(),
                add(mul(mul(c.tensor("self"), 2.0), c.tensor("result")), -2 / Math.sqrt(Math.PI))),
        "self",
        "result");
    book.self(
        "special_ndtr",
        c -> mul(c.grad(), mul(exp(mul(square(c, "self"), -0.5)), 1 / Math.sqrt(2 * Math.PI))),
        "self");
    book.self(
        "special_ndtri",
        c -> mul(c.grad(), mul(exp(mul(square(c, "result"), 0.5)), Math.sqrt(2 * Math.PI))),
        "result");
    book.self(
        "special_log_ndtr",
        c -> {
          Tensor scaled = Call.of("special_erfcx", mul(c.tensor("self"), -Math.sqrt(0.5)));
          return mul(div(c.grad(), scaled), Math.sqrt(2 / Math.PI));
        },
        "self");
    book.self("sinc", SpecialFormulas::sinc, "self");
    pairs(book);
  }

  private static Tensor square(Context c, String of) {
    return mul(c.tensor(of), c.tensor(of));
  }

  /** Of order 1: the slope at zero is one half, where the formula divides by zero. */
  private static Tensor firstOrder(Context c, String zeroth, boolean scaled) {
    Tensor self = c.tensor("self");
    Tensor zero = Call.eq(self, 0.0);
    Tensor safe = Call.of("masked_fill.Scalar", self, zero, 1.0);
    Tensor fall = div(c.tensor("result"), safe);
    if (scaled) {
      fall = add(fall, mul(c.tensor("result"), Call.sign(self)));
    }
    Tensor slope = sub(Call.of(zeroth, self), fall);
    return mul(c.grad(), Call.of("masked_fill.Scalar", slope, zero, 0.5));
  }

  private static Tensor sinc(Context c) {
    Tensor self = c.tensor("self");
    Tensor zero = Call.eq(self, 0.0);
    Tensor safe = Call.of("masked_fill.Scalar", self, zero, 1.0);
    Tensor angle = mul(safe, Math.PI);
    Tensor slope = div(sub(mul(Call.cos(angle), angle), Call.sin(angle)), mul(angle, safe));
    return mul(c.grad(), Call.except(zero, slope));
  }

  private static void pairs(Book book) {
    book.zero("heaviside");
    book.add(
        "nextafter",
        Derivative.of().wrt("self", Context::grad).wrt("other", c -> Call.zerosLike(c.grad())));
    book.add(
        "logaddexp2",
        Derivative.of()
            .wrt("self", c -> share(c, "self", "other"), "self", "other")
            .wrt("other", c -> share(c, "other", "self"), "self", "other"));
    book.add(
        "special_xlog1py",
        Derivative.of()
            .wrt(
                "self",
                c -> {
                  Tensor other = c.tensor("other");
                  Tensor drop =
                      Call.logicalAnd(Call.eq(c.tensor("self"), 0.0), Call.le(other, -1.0));
                  return mul(c.grad(), Call.except(drop, Call.of("log1p", other)));
                },
                "self",
                "other")
            .wrt(
                "other",
                c -> div(mul(c.grad(), c.tensor("self")), add(c.tensor("other"), 1.0)),
                "self",
                "other"));
    for (String name : new String[] {"igamma", "igammac"}) {
      double sign = name.equals("igamma") ? 1 : -1;
      book.add(
          name,
          Derivative.of()
              .wrt(
                  "other",
                  c -> {
                    Tensor self = c.tensor("self");
                    Tensor other = c.tensor("other");
                    Tensor log =
                        sub(
                            sub(mul(add(self, -1.0), Call.of("log", other)), other),
                            Call.of("lgamma", self));
                    return mul(mul(c.grad(), exp(log)), sign);
                  },
                  "self",
                  "other"));
    }
    book.add(
        "special_zeta",
        Derivative.of()
            .wrt(
                "other",
                c -> {
                  Tensor self = c.tensor("self");
                  Tensor next = Call.of("special_zeta", add(self, 1.0), c.tensor("other"));
                  return mul(c.grad(), mul(neg(self), next));
                },
                "self",
                "other"));
  }

  /** How much of the sum of powers is this one's. */
  private static Tensor share(Context c, String of, String beside) {
    Tensor others = Call.of("exp2", sub(c.tensor(beside), c.tensor(of)));
    return div(c.grad(), add(others, 1.0));
  }
}
