package dev.jcomms.tensor.internal.autograd.formulas;

import static dev.jcomms.tensor.internal.autograd.formulas.Call.add;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.div;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.eq;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.except;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.ge;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.gt;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.isNan;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.le;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.logicalAnd;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.logicalOr;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.lt;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.mul;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.neg;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.only;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.sub;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.times;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.where;

import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Derivative;
import dev.jcomms.tensor.autograd.Derivative.Context;
import java.util.List;

/** Operators of two or three numbers. */
final class ArithmeticFormulas {
  private ArithmeticFormulas() {}

  static void into(Book book) {
    sums(book);
    products(book);
    powers(book);
    logarithms(book);
    choices(book);
  }

  private static void sums(Book book) {
    book.add(
        "add.Tensor",
        Derivative.of()
            .wrt("self", Context::grad)
            .wrt("other", c -> times(c.grad(), c.scalar("alpha"))));
    book.self("add.Scalar", Context::grad);
    book.add(
        "sub.Tensor",
        Derivative.of()
            .wrt("self", Context::grad)
            .wrt("other", c -> mul(c.grad(), -c.scalar("alpha").toDouble())));
    book.self("sub.Scalar", Context::grad);
    book.add(
        "rsub.Tensor",
        Derivative.of()
            .wrt("self", c -> mul(c.grad(), -c.scalar("alpha").toDouble()))
            .wrt("other", Context::grad));
    book.self("rsub.Scalar", c -> mul(c.grad(), -c.scalar("alpha").toDouble()));
    book.add(
        "lerp.Scalar",
        Derivative.of()
            .wrt("self", c -> mul(c.grad(), 1 - c.scalar("weight").toDouble()))
            .wrt("end", c -> mul(c.grad(), c.scalar("weight"))));
    book.add(
        "lerp.Tensor",
        Derivative.of()
            .wrt("self", c -> mul(c.grad(), Call.from(1, c.tensor("weight"))), "weight")
            .wrt("end", c -> mul(c.grad(), c.tensor("weight")), "weight")
            .wrt(
                "weight",
                c -> mul(c.grad(), sub(c.tensor("end"), c.tensor("self"))),
                "self",
                "end"));
  }

  private static void products(Book book) {
    book.add(
        "mul.Tensor",
        Derivative.of()
            .wrt("self", c -> mul(c.grad(), c.tensor("other")), "other")
            .wrt("other", c -> mul(c.grad(), c.tensor("self")), "self"));
    book.self("mul.Scalar", c -> mul(c.grad(), c.scalar("other")));
    book.add(
        "div.Tensor",
        Derivative.of()
            .wrt("self", c -> div(c.grad(), c.tensor("other")), "other")
            .wrt("other", ArithmeticFormulas::divisor, "self", "other"));
    book.self("div.Scalar", c -> div(c.grad(), c.scalar("other")));
    book.add(
        "div.Tensor_mode",
        Derivative.of()
            .wrt(
                "self",
                c -> isRounded(c) ? Call.zerosLike(c.grad()) : div(c.grad(), c.tensor("other")),
                "other")
            .wrt(
                "other",
                c -> isRounded(c) ? Call.zerosLike(c.grad()) : divisor(c),
                "self",
                "other"));
    book.self(
        "div.Scalar_mode",
        c -> isRounded(c) ? Call.zerosLike(c.grad()) : div(c.grad(), c.scalar("other")));
    book.self("fmod.Scalar", Context::grad);
    book.self("remainder.Scalar", Context::grad);
    for (String name : List.of("fmod.Tensor", "remainder.Tensor")) {
      String rounding = name.startsWith("fmod") ? "trunc" : "floor";
      book.add(
          name,
          Derivative.of()
              .wrt("self", Context::grad)
              .wrt(
                  "other",
                  c ->
                      neg(
                          mul(
                              c.grad(),
                              Call.of(
                                  "div.Tensor_mode",
                                  c.tensor("self"),
                                  c.tensor("other"),
                                  rounding))),
                  "self",
                  "other"));
    }
    book.add(
        "addcmul",
        Derivative.of()
            .wrt("self", Context::grad)
            .wrt(
                "tensor1",
                c -> times(mul(c.grad(), c.tensor("tensor2")), c.scalar("value")),
                "tensor2")
            .wrt(
                "tensor2",
                c -> times(mul(c.grad(), c.tensor("tensor1")), c.scalar("value")),
                "tensor1"));
    book.add(
        "addcdiv",
        Derivative.of()
            .wrt("self", Context::grad)
            .wrt(
                "tensor1",
                c -> times(div(c.grad(), c.tensor("tensor2")), c.scalar("value")),
                "tensor2")
            .wrt(
                "tensor2",
                c ->
                    mul(
                        mul(c.grad(), -c.scalar("value").toDouble()),
                        div(c.tensor("tensor1"), mul(c.tensor("tensor2"), c.tensor("tensor2")))),
                "tensor1",
                "tensor2"));
  }

  private static boolean isRounded(Context c) {
    return c.value("rounding_mode") != null;
  }

  private static Tensor divisor(Context c) {
    Tensor other = c.tensor("other");
    return mul(neg(c.grad()), div(div(c.tensor("self"), other), other));
  }

  private static void powers(Book book) {
    book.self("pow.Tensor_Scalar", ArithmeticFormulas::power, "self");
    book.add(
        "pow.Tensor_Tensor",
        Derivative.of()
            .wrt("self", ArithmeticFormulas::base, "self", "exponent")
            .wrt("exponent", ArithmeticFormulas::exponent, "self", "exponent", "result"));
    book.add(
        "pow.Scalar",
        Derivative.of().wrt("exponent", ArithmeticFormulas::scalarBase, "exponent", "result"));
    book.add(
        "atan2",
        Derivative.of()
            .wrt("self", c -> mul(c.grad(), div(c.tensor("other"), squares(c))), "self", "other")
            .wrt(
                "other",
                c -> mul(c.grad(), div(neg(c.tensor("self")), squares(c))),
                "self",
                "other"));
    book.add(
        "hypot",
        Derivative.of()
            .wrt(
                "self",
                c -> mul(c.grad(), div(c.tensor("self"), c.tensor("result"))),
                "self",
                "result")
            .wrt(
                "other",
                c -> mul(c.grad(), div(c.tensor("other"), c.tensor("result"))),
                "other",
                "result"));
  }

  private static void logarithms(Book book) {
    book.add(
        "logaddexp",
        Derivative.of()
            .wrt("self", c -> mul(c.grad(), share(c, "self", "other")), "self", "other")
            .wrt("other", c -> mul(c.grad(), share(c, "other", "self")), "self", "other"));
    book.add(
        "xlogy.Tensor",
        Derivative.of()
            .wrt(
                "self",
                c -> {
                  Tensor y = c.tensor("other");
                  Tensor flat = logicalAnd(eq(c.tensor("self"), 0.0), le(y, 0.0));
                  return except(flat, Call.of("xlogy.Tensor", c.grad(), y));
                },
                "self",
                "other")
            .wrt(
                "other",
                c -> mul(c.grad(), div(c.tensor("self"), c.tensor("other"))),
                "self",
                "other"));
    book.add(
        "copysign.Tensor",
        Derivative.of()
            .wrt(
                "self",
                c -> {
                  Tensor self = c.tensor("self");
                  return except(eq(self, 0.0), mul(c.grad(), div(c.tensor("result"), self)));
                },
                "self",
                "result")
            .wrt("other", c -> Call.zeros(c.grad(), c.shape("other"))));
  }

  private static Tensor share(Context c, String mine, String other) {
    return Call.sigmoid(sub(c.tensor(mine), c.tensor(other)));
  }

  /** Infinite at the origin, where an angle has no slope: what is divided by it is zero. */
  private static Tensor squares(Context c) {
    Tensor y = c.tensor("self");
    Tensor x = c.tensor("other");
    Tensor sum = add(mul(y, y), mul(x, x));
    return Call.of("masked_fill.Scalar", sum, eq(sum, 0.0), Double.POSITIVE_INFINITY);
  }

  private static Tensor power(Context c) {
    double exponent = c.scalar("exponent").toDouble();
    if (exponent == 0) {
      return Call.zerosLike(c.grad());
    }
    Tensor self = c.tensor("self");
    if (exponent == 1) {
      return c.grad();
    }
    Tensor slope = exponent == 2 ? self : Call.pow(self, exponent - 1);
    return mul(c.grad(), mul(slope, exponent));
  }

  /** Zero where the exponent is zero, also at a base of zero. */
  private static Tensor base(Context c) {
    Tensor exponent = c.tensor("exponent");
    Tensor slope =
        mul(exponent, Call.of("pow.Tensor_Tensor", c.tensor("self"), add(exponent, -1.0)));
    return except(eq(exponent, 0.0), mul(c.grad(), slope));
  }

  /** Zero where the base is zero and the exponent is not negative. */
  private static Tensor exponent(Context c) {
    Tensor self = c.tensor("self");
    Tensor result = c.tensor("result");
    Tensor flat = logicalAnd(eq(self, 0.0), ge(c.tensor("exponent"), 0.0));
    Tensor slope = except(flat, mul(result, Call.of("log", self)));
    return mul(c.grad(), slope);
  }

  private static Tensor scalarBase(Context c) {
    double base = c.scalar("self").toDouble();
    if (base == 0) { // falls from infinity to zero at once, and stays there
      Tensor exponent = c.tensor("exponent");
      Tensor slope = Call.of("full_like", c.grad(), Double.NEGATIVE_INFINITY);
      Tensor known = mul(c.grad(), only(lt(exponent, 0.0), slope));
      return where(isNan(exponent), exponent, known);
    }
    return mul(c.grad(), mul(c.tensor("result"), Math.log(base)));
  }

  private static void choices(Book book) {
    for (String name : List.of("maximum", "minimum")) {
      boolean max = name.equals("maximum");
      book.add(
          name,
          Derivative.of()
              .wrt("self", c -> larger(c, "self", "other", max), "self", "other")
              .wrt("other", c -> larger(c, "other", "self", max), "self", "other"));
    }
    for (String name : List.of("fmax", "fmin")) {
      boolean max = name.equals("fmax");
      book.add(
          name,
          Derivative.of()
              .wrt("self", c -> only(chosen(c, max), c.grad()), "self", "other")
              .wrt("other", c -> except(chosen(c, max), c.grad()), "self", "other"));
    }
    book.add(
        "where.self",
        Derivative.of()
            .wrt("self", c -> only(c.tensor("condition"), c.grad()), "condition")
            .wrt("other", c -> except(c.tensor("condition"), c.grad()), "condition"));
    book.self("clamp", ArithmeticFormulas::clamp, "self");
    book.add(
        "clamp.Tensor",
        Derivative.of()
            .wrt("self", ArithmeticFormulas::clampTensor, "self", "min", "max")
            .wrt("min", ArithmeticFormulas::clampMin, "self", "min", "max")
            .wrt("max", ArithmeticFormulas::clampMax, "self", "min", "max"));
    book.self("clamp_min", c -> only(ge(c.tensor("self"), c.scalar("min")), c.grad()), "self");
    book.self("clamp_max", c -> only(le(c.tensor("self"), c.scalar("max")), c.grad()), "self");
    book.add(
        "clamp_min.Tensor",
        Derivative.of()
            .wrt("self", c -> only(ge(c.tensor("self"), c.tensor("min")), c.grad()), "self", "min")
            .wrt("min", c -> only(lt(c.tensor("self"), c.tensor("min")), c.grad()), "self", "min"));
    book.add(
        "clamp_max.Tensor",
        Derivative.of()
            .wrt("self", c -> only(le(c.tensor("self"), c.tensor("max")), c.grad()), "self", "max")
            .wrt("max", c -> only(gt(c.tensor("self"), c.tensor("max")), c.grad()), "self", "max"));
  }

  /** The gradient goes to the one that was taken; equal ones share it. */
  private static Tensor larger(Context c, String mine, String other, boolean max) {
    Tensor a = c.tensor(mine);
    Tensor b = c.tensor(other);
    Tensor shared = where(eq(a, b), div(c.grad(), 2.0), c.grad());
    return except(max ? lt(a, b) : gt(a, b), shared);
  }

  private static Tensor chosen(Context c, boolean max) {
    Tensor a = c.tensor("self");
    Tensor b = c.tensor("other");
    return logicalOr(max ? ge(a, b) : le(a, b), isNan(b));
  }

  private static Tensor clamp(Context c) {
    Scalar min = c.scalar("min");
    Scalar max = c.scalar("max");
    Tensor self = c.tensor("self");
    Tensor inside = min == null ? null : ge(self, min);
    Tensor below = max == null ? null : le(self, max);
    return inside == null && below == null
        ? c.grad()
        : only(
            inside == null ? below : below == null ? inside : logicalAnd(inside, below), c.grad());
  }

  private static Tensor clampTensor(Context c) {
    Tensor min = c.tensor("min");
    Tensor max = c.tensor("max");
    Tensor self = c.tensor("self");
    Tensor inside = min == null ? null : ge(self, min);
    Tensor below = max == null ? null : le(self, max);
    return only(
        inside == null ? below : below == null ? inside : logicalAnd(inside, below), c.grad());
  }

  private static Tensor clampMin(Context c) {
    Tensor min = c.tensor("min");
    Tensor max = c.tensor("max");
    Tensor taken = lt(c.tensor("self"), min);
    return only(max == null ? taken : logicalAnd(taken, lt(min, max)), c.grad());
  }

  private static Tensor clampMax(Context c) {
    Tensor min = c.tensor("min");
    Tensor max = c.tensor("max");
    Tensor taken = gt(c.tensor("self"), max);
    return only(min == null ? taken : logicalOr(taken, lt(max, min)), c.grad());
  }
}
