package dev.jcomms.tensor.internal.autograd.formulas;

import static dev.jcomms.tensor.internal.autograd.formulas.Call.add;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.div;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.exp;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.mul;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.neg;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.rsqrt;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Derivative.Context;

/** Functions of one number. */
final class FunctionFormulas {
  private static final double TWO_BY_ROOT_PI = 2 / Math.sqrt(Math.PI);

  private FunctionFormulas() {}

  static void into(Book book) {
    book.zero("sign", "floor", "ceil", "round", "round.decimals", "trunc");
    book.self("frac", Context::grad);
    book.self("neg", c -> neg(c.grad()));
    book.self("abs", c -> mul(c.grad(), Call.sign(c.tensor("self"))), "self");
    book.self("square", c -> mul(c.grad(), mul(c.tensor("self"), 2.0)), "self");
    book.self("exp", c -> mul(c.grad(), c.tensor("result")), "result");
    book.self("exp2", c -> mul(c.grad(), mul(c.tensor("result"), Math.log(2))), "result");
    book.self("expm1", c -> mul(c.grad(), add(c.tensor("result"), 1.0)), "result");
    book.self("log", c -> div(c.grad(), c.tensor("self")), "self");
    book.self("log2", c -> div(c.grad(), mul(c.tensor("self"), Math.log(2))), "self");
    book.self("log10", c -> div(c.grad(), mul(c.tensor("self"), Math.log(10))), "self");
    book.self("log1p", c -> div(c.grad(), add(c.tensor("self"), 1.0)), "self");
    book.self("sqrt", c -> div(c.grad(), mul(c.tensor("result"), 2.0)), "result");
    book.self("rsqrt", c -> mul(mul(c.grad(), -0.5), Call.pow(c.tensor("result"), 3.0)), "result");
    book.self(
        "reciprocal",
        c -> mul(neg(c.grad()), mul(c.tensor("result"), c.tensor("result"))),
        "result");
    book.self("sin", c -> mul(c.grad(), Call.cos(c.tensor("self"))), "self");
    book.self("cos", c -> mul(c.grad(), neg(Call.sin(c.tensor("self")))), "self");
    book.self(
        "tan", c -> mul(c.grad(), add(mul(c.tensor("result"), c.tensor("result")), 1.0)), "result");
    book.self("asin", c -> mul(c.grad(), rsqrt(oneMinusSquare(c))), "self");
    book.self("acos", c -> mul(c.grad(), neg(rsqrt(oneMinusSquare(c)))), "self");
    book.self("atan", c -> div(c.grad(), add(square(c), 1.0)), "self");
    book.self("sinh", c -> mul(c.grad(), Call.cosh(c.tensor("self"))), "self");
    book.self("cosh", c -> mul(c.grad(), Call.sinh(c.tensor("self"))), "self");
    book.self("asinh", c -> mul(c.grad(), rsqrt(add(square(c), 1.0))), "self");
    book.self("acosh", c -> mul(c.grad(), rsqrt(add(square(c), -1.0))), "self");
    book.self("atanh", c -> div(c.grad(), oneMinusSquare(c)), "self");
    book.self("erf", c -> mul(c.grad(), mul(exp(neg(square(c))), TWO_BY_ROOT_PI)), "self");
    book.self("erfc", c -> mul(c.grad(), mul(exp(neg(square(c))), -TWO_BY_ROOT_PI)), "self");
    book.self("nan_to_num", c -> Call.only(Call.isFinite(c.tensor("self")), c.grad()), "self");
    book.self("deg2rad", c -> mul(c.grad(), Math.PI / 180));
    book.self("rad2deg", c -> mul(c.grad(), 180 / Math.PI));
  }

  private static Tensor square(Context c) {
    Tensor self = c.tensor("self");
    return mul(self, self);
  }

  private static Tensor oneMinusSquare(Context c) {
    return Call.from(1, square(c));
  }
}
