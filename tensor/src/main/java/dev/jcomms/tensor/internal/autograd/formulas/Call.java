package dev.jcomms.tensor.internal.autograd.formulas;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.Dispatcher;
import java.util.List;

/**
 * The operators that formulas are made of, called by name when a formula runs: an operator that is
 * missing is missed then, not when formulas are registered.
 */
final class Call {
  private Call() {}

  static Tensor of(String name, Object... args) {
    return (Tensor) Dispatcher.call("aten::" + name, args);
  }

  static Tensor[] several(String name, Object... args) {
    return (Tensor[]) Dispatcher.call("aten::" + name, args);
  }

  static Tensor neg(Tensor a) {
    return of("neg", a);
  }

  static Tensor exp(Tensor a) {
    return of("exp", a);
  }

  static Tensor sin(Tensor a) {
    return of("sin", a);
  }

  static Tensor cos(Tensor a) {
    return of("cos", a);
  }

  static Tensor sinh(Tensor a) {
    return of("sinh", a);
  }

  static Tensor cosh(Tensor a) {
    return of("cosh", a);
  }

  static Tensor sqrt(Tensor a) {
    return of("sqrt", a);
  }

  static Tensor rsqrt(Tensor a) {
    return of("rsqrt", a);
  }

  static Tensor sigmoid(Tensor a) {
    return of("sigmoid", a);
  }

  static Tensor tanh(Tensor a) {
    return of("tanh", a);
  }

  static Tensor isNan(Tensor a) {
    return of("isnan", a);
  }

  static Tensor isFinite(Tensor a) {
    return of("isfinite", a);
  }

  static Tensor zerosLike(Tensor a) {
    return of("zeros_like", a);
  }

  static Tensor sign(Tensor a) {
    return of("sign", a);
  }

  static Tensor erf(Tensor a) {
    return of("erf", a);
  }

  static Tensor logicalNot(Tensor a) {
    return of("logical_not", a);
  }

  static Tensor add(Tensor a, Tensor b) {
    return of("add.Tensor", a, b);
  }

  static Tensor sub(Tensor a, Tensor b) {
    return of("sub.Tensor", a, b);
  }

  static Tensor mul(Tensor a, Tensor b) {
    return of("mul.Tensor", a, b);
  }

  static Tensor div(Tensor a, Tensor b) {
    return of("div.Tensor", a, b);
  }

  static Tensor eq(Tensor a, Tensor b) {
    return of("eq.Tensor", a, b);
  }

  static Tensor lt(Tensor a, Tensor b) {
    return of("lt.Tensor", a, b);
  }

  static Tensor le(Tensor a, Tensor b) {
    return of("le.Tensor", a, b);
  }

  static Tensor gt(Tensor a, Tensor b) {
    return of("gt.Tensor", a, b);
  }

  static Tensor ge(Tensor a, Tensor b) {
    return of("ge.Tensor", a, b);
  }

  static Tensor logicalAnd(Tensor a, Tensor b) {
    return of("logical_and", a, b);
  }

  static Tensor logicalOr(Tensor a, Tensor b) {
    return of("logical_or", a, b);
  }

  static Tensor mm(Tensor a, Tensor b) {
    return of("mm", a, b);
  }

  static Tensor bmm(Tensor a, Tensor b) {
    return of("bmm", a, b);
  }

  static Tensor mv(Tensor a, Tensor b) {
    return of("mv", a, b);
  }

  static Tensor add(Tensor a, Scalar b) {
    return of("add.Scalar", a, b);
  }

  static Tensor add(Tensor a, double b) {
    return of("add.Scalar", a, Scalar.of(b));
  }

  static Tensor mul(Tensor a, Scalar b) {
    return of("mul.Scalar", a, b);
  }

  static Tensor mul(Tensor a, double b) {
    return of("mul.Scalar", a, Scalar.of(b));
  }

  static Tensor div(Tensor a, Scalar b) {
    return of("div.Scalar", a, b);
  }

  static Tensor div(Tensor a, double b) {
    return of("div.Scalar", a, Scalar.of(b));
  }

  static Tensor pow(Tensor a, Scalar b) {
    return of("pow.Tensor_Scalar", a, b);
  }

  static Tensor pow(Tensor a, double b) {
    return of("pow.Tensor_Scalar", a, Scalar.of(b));
  }

  static Tensor eq(Tensor a, Scalar b) {
    return of("eq.Scalar", a, b);
  }

  static Tensor eq(Tensor a, double b) {
    return of("eq.Scalar", a, Scalar.of(b));
  }

  static Tensor lt(Tensor a, Scalar b) {
    return of("lt.Scalar", a, b);
  }

  static Tensor lt(Tensor a, double b) {
    return of("lt.Scalar", a, Scalar.of(b));
  }

  static Tensor le(Tensor a, Scalar b) {
    return of("le.Scalar", a, b);
  }

  static Tensor le(Tensor a, double b) {
    return of("le.Scalar", a, Scalar.of(b));
  }

  static Tensor gt(Tensor a, Scalar b) {
    return of("gt.Scalar", a, b);
  }

  static Tensor gt(Tensor a, double b) {
    return of("gt.Scalar", a, Scalar.of(b));
  }

  static Tensor ge(Tensor a, Scalar b) {
    return of("ge.Scalar", a, b);
  }

  static Tensor ge(Tensor a, double b) {
    return of("ge.Scalar", a, Scalar.of(b));
  }

  /** {@code a * factor}, or {@code a} itself for 1. */
  static Tensor times(Tensor a, Scalar factor) {
    return factor.toDouble() == 1 ? a : mul(a, factor);
  }

  /** {@code from - a}. */
  static Tensor from(double from, Tensor a) {
    return add(neg(a), from);
  }

  static Tensor where(Tensor condition, Tensor a, Tensor b) {
    return of("where.self", condition, a, b);
  }

  /** The tensor where the condition holds, zero elsewhere. */
  static Tensor only(Tensor condition, Tensor a) {
    return of("where.self", condition, a, zero(a));
  }

  /** Zero where the condition holds, the tensor elsewhere. */
  static Tensor except(Tensor condition, Tensor a) {
    return of("where.self", condition, zero(a), a);
  }

  static Tensor zero(Tensor like) {
    return zeros(like, Shape.scalar());
  }

  static Tensor zeros(Tensor like, Shape shape) {
    return of("zeros", shape.toArray(), like.dtype(), null, like.device(), null);
  }

  static Tensor sum(Tensor a) {
    return of("sum", a, (DType) null);
  }

  static Tensor sum(Tensor a, boolean keep, long... dims) {
    return of("sum.dim_IntList", a, dims, keep, null);
  }

  static Tensor to(Tensor a, DType dtype) {
    return a.dtype() == dtype ? a : of("_to_copy", a, dtype);
  }

  static Tensor transpose(Tensor a, long i, long j) {
    return of("transpose.int", a, i, j);
  }

  static Tensor t(Tensor a) {
    return of("t", a);
  }

  static Tensor expand(Tensor a, Shape shape) {
    return of("expand", a, shape.toArray());
  }

  static Tensor reshape(Tensor a, Shape shape) {
    return of("reshape", a, shape.toArray());
  }

  static Tensor unsqueeze(Tensor a, long dim) {
    return of("unsqueeze", a, dim);
  }

  static Tensor narrow(Tensor a, long dim, long start, long length) {
    return of("slice.Tensor", a, dim, start, start + length, 1L);
  }

  static Tensor cat(List<Tensor> tensors, long dim) {
    return of("cat", tensors, dim);
  }
}
