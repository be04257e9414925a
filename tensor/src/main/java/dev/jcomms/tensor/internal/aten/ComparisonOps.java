package dev.jcomms.tensor.internal.aten;

import static dev.jcomms.tensor.internal.aten.Elementwise.Rule.SAME;
import static dev.jcomms.tensor.internal.aten.Elementwise.Rule.TRUTH;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.Dispatcher;
import dev.jcomms.tensor.internal.cpu.Function;
import dev.jcomms.tensor.internal.cpu.LogicFunctions;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.util.function.Supplier;

/** Comparisons, logic and bits of two tensors. */
final class ComparisonOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();

  private ComparisonOps() {}

  static void define(Definitions d) {
    compare(d, "eq", LogicFunctions.EQ);
    compare(d, "ne", LogicFunctions.NE);
    compare(d, "lt", LogicFunctions.LT);
    compare(d, "le", LogicFunctions.LE);
    compare(d, "gt", LogicFunctions.GT);
    compare(d, "ge", LogicFunctions.GE);
    logic(d, "logical_and", LogicFunctions.LOGICAL_AND);
    logic(d, "logical_or", LogicFunctions.LOGICAL_OR);
    logic(d, "logical_xor", LogicFunctions.LOGICAL_XOR);
    bits(d, "bitwise_and", LogicFunctions.BITWISE_AND);
    bits(d, "bitwise_or", LogicFunctions.BITWISE_OR);
    bits(d, "bitwise_xor", LogicFunctions.BITWISE_XOR);
    shift(d, "bitwise_left_shift", "leftShift");
    shift(d, "bitwise_right_shift", "rightShift");
    String[] all = {"Tensor", "Scalar", "Tensor_out", "Scalar_out"};
    d.alias("not_equal", "ne", all);
    d.alias("less", "lt", all);
    d.alias("less_equal", "le", all);
    d.alias("greater", "gt", all);
    d.alias("greater_equal", "ge", all);
    d.functionalAlias("__and__", "bitwise_and", "Tensor", "Scalar");
    d.functionalAlias("__or__", "bitwise_or", "Tensor", "Scalar");
    d.functionalAlias("__xor__", "bitwise_xor", "Tensor", "Scalar");
    d.op("equal(Tensor self, Tensor other) -> bool").cpu(LOOKUP, "equal");
    d.op(
            "isclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float"
                + " atol=1e-08, bool equal_nan=False) -> Tensor")
        .composite(LOOKUP, "isClose");
    d.op(
            "allclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float"
                + " atol=1e-08, bool equal_nan=False) -> bool")
        .composite(LOOKUP, "allClose");
  }

  private static void compare(Definitions d, String name, Function f) {
    d.op(name + ".Tensor(Tensor self, Tensor other) -> Tensor")
        .inPlace()
        .out("Tensor_out")
        .cpu(Elementwise.binary(TRUTH, f));
    d.op(name + ".Scalar(Tensor self, Scalar other) -> Tensor")
        .inPlace()
        .out("Scalar_out")
        .composite(withScalar(name + ".Tensor"));
  }

  private static void logic(Definitions d, String name, Function f) {
    d.op(name + "(Tensor self, Tensor other) -> Tensor")
        .inPlace()
        .out("out")
        .cpu(Elementwise.binary(TRUTH, f));
  }

  private static void bits(Definitions d, String name, Function f) {
    d.op(name + ".Tensor(Tensor self, Tensor other) -> Tensor")
        .inPlace()
        .out("Tensor_out")
        .cpu(Elementwise.binary(SAME, f));
    d.op(name + ".Scalar(Tensor self, Scalar other) -> Tensor")
        .inPlace()
        .out("Scalar_out")
        .composite(withScalar(name + ".Tensor"));
    d.op(name + ".Scalar_Tensor(Scalar self, Tensor other) -> Tensor")
        .composite(ofScalar(name + ".Tensor"))
        .exactOut("Scalar_Tensor_out");
  }

  private static void shift(Definitions d, String name, String method) {
    d.op(name + ".Tensor(Tensor self, Tensor other) -> Tensor")
        .inPlace()
        .out("Tensor_out")
        .cpu(LOOKUP, method);
    d.op(name + ".Tensor_Scalar(Tensor self, Scalar other) -> Tensor")
        .inPlace()
        .out("Tensor_Scalar_out")
        .composite(withScalar(name + ".Tensor"));
    d.op(name + ".Scalar_Tensor(Scalar self, Tensor other) -> Tensor")
        .composite(ofScalar(name + ".Tensor"))
        .exactOut("Scalar_Tensor_out");
  }

  /** {@code op(self, other)} for a number as {@code other}. */
  private static Supplier<MethodHandle> withScalar(String op) {
    return () -> composite("runWithScalar", op, Tensor.class, Scalar.class);
  }

  /** {@code op(self, other)} for a number as {@code self}. */
  private static Supplier<MethodHandle> ofScalar(String op) {
    return () -> composite("runOfScalar", op, Scalar.class, Tensor.class);
  }

  private static MethodHandle composite(String method, String op, Class<?> self, Class<?> other) {
    try {
      MethodType type = MethodType.methodType(Tensor.class, String.class, self, other);
      MethodHandle run = LOOKUP.findStatic(ComparisonOps.class, method, type);
      String name = "aten::" + op;
      return Origins.note(MethodHandles.insertArguments(run, 0, name), run, name);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static Tensor runWithScalar(String op, Tensor self, Scalar other) {
    return (Tensor) Dispatcher.operator(op).call(self, ScalarTensors.beside(self, other));
  }

  private static Tensor runOfScalar(String op, Scalar self, Tensor other) {
    return (Tensor) Dispatcher.operator(op).call(ScalarTensors.beside(other, self), other);
  }

  static Tensor leftShift(Tensor self, Tensor other, Tensor out) {
    return shift(LogicFunctions.LEFT_SHIFT, self, other, out);
  }

  static Tensor rightShift(Tensor self, Tensor other, Tensor out) {
    return shift(LogicFunctions.RIGHT_SHIFT, self, other, out);
  }

  private static Tensor shift(Function f, Tensor self, Tensor other, Tensor out) {
    DType common = Promotion.of(self, other);
    if (common == DType.BOOL) {
      throw new IllegalArgumentException("shift: needs integers; both tensors are bool");
    }
    Scalar bits = Scalar.of(common.bytes() * 8L);
    return Elementwise.run(f, common, SAME, bits, Scalar.ZERO, out, self, other);
  }

  static boolean equal(Tensor self, Tensor other) {
    return self.equal(other);
  }

  static Tensor isClose(Tensor self, Tensor other, double rtol, double atol, boolean equalNan) {
    if (self.dtype() != other.dtype()) {
      throw new IllegalArgumentException(
          "isclose: dtypes " + self.dtype() + " and " + other.dtype() + " differ");
    }
    if (rtol < 0 || atol < 0) {
      throw new IllegalArgumentException(
          "isclose: rtol=" + rtol + " and atol=" + atol + " must not be negative");
    }
    Tensor close = Ops.eq(self, other);
    boolean floating = self.dtype().isFloating();
    if (equalNan && floating) {
      close = Ops.logicalOr(close, Ops.logicalAnd(Ops.isnan(self), Ops.isnan(other)));
    }
    if (rtol == 0 && atol == 0) {
      return close;
    }
    Tensor a = floating ? self : Ops.toCopy(self, DType.F32, null);
    Tensor b = floating ? other : Ops.toCopy(other, DType.F32, null);
    Tensor allowed = Ops.add(Ops.abs(Ops.mul(b, Scalar.of(rtol))), Scalar.of(atol));
    Tensor distance = Ops.abs(Ops.sub(a, b));
    Tensor near = Ops.logicalAnd(Ops.isfinite(distance), Ops.le(distance, allowed));
    return Ops.logicalOr(close, near);
  }

  static boolean allClose(Tensor self, Tensor other, double rtol, double atol, boolean equalNan) {
    Tensor close = isClose(self, other, rtol, atol, equalNan);
    return Ops.localScalarDense(Ops.all(close)).toBoolean();
  }
}
