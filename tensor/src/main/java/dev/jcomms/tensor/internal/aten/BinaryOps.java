package dev.jcomms.tensor.internal.aten;

import static dev.jcomms.tensor.internal.aten.Elementwise.Rule.FLOAT;
import static dev.jcomms.tensor.internal.aten.Elementwise.Rule.SAME;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.aten.Elementwise.Rule;
import dev.jcomms.tensor.internal.cpu.ArithmeticFunctions;
import dev.jcomms.tensor.internal.cpu.Function;
import dev.jcomms.tensor.internal.cpu.LogicFunctions;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;

/** Arithmetic of two tensors. An overload that takes a number is made of the one that does not. */
final class BinaryOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();

  private BinaryOps() {}

  static void define(Definitions d) {
    sums(d);
    quotients(d);
    op(d, "maximum", SAME, LogicFunctions.MAXIMUM, false);
    op(d, "minimum", SAME, LogicFunctions.MINIMUM, false);
    op(d, "fmax", SAME, LogicFunctions.FMAX, false);
    op(d, "fmin", SAME, LogicFunctions.FMIN, false);
    op(d, "atan2", FLOAT, ArithmeticFunctions.ATAN2, true);
    op(d, "hypot", SAME, ArithmeticFunctions.HYPOT, true);
    op(d, "logaddexp", SAME, ArithmeticFunctions.LOGADDEXP, false);
    d.op("xlogy.Tensor(Tensor self, Tensor other) -> Tensor")
        .inPlace()
        .out("OutTensor")
        .cpu(Elementwise.binary(FLOAT, ArithmeticFunctions.XLOGY));
    d.op("copysign.Tensor(Tensor self, Tensor other) -> Tensor")
        .inPlace()
        .out("out")
        .cpu(Elementwise.binary(FLOAT, ArithmeticFunctions.COPYSIGN));
    d.alias("arctan2", "atan2", "", "out");
    d.alias("subtract", "sub", "Tensor", "out", "Scalar");
    d.alias("multiply", "mul", "Tensor", "out", "Scalar");
    d.alias("divide", "div", "Tensor", "Scalar", "Tensor_mode", "Scalar_mode", "out", "out_mode");
    d.alias("true_divide", "div", "Tensor", "Scalar", "out");
  }

  private static void op(Definitions d, String name, Rule rule, Function f, boolean inPlace) {
    Definitions.Entry entry = d.op(name + "(Tensor self, Tensor other) -> Tensor");
    (inPlace ? entry.inPlace() : entry).out("out").cpu(Elementwise.binary(rule, f));
  }

  private static void sums(Definitions d) {
    d.op("add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor")
        .inPlace()
        .out("out")
        .cpu(LOOKUP, "add");
    d.op("add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor")
        .inPlace()
        .composite(LOOKUP, "addScalar", "addScalarInPlace")
        .exactOut("Scalar_out");
    d.op("sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor")
        .inPlace()
        .out("out")
        .cpu(LOOKUP, "sub");
    d.op("sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor")
        .inPlace()
        .composite(LOOKUP, "subScalar", "subScalarInPlace")
        .exactOut("Scalar_out");
    d.op("rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor")
        .composite(LOOKUP, "rsub")
        .exactOut("Tensor_out");
    d.op("rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor")
        .composite(LOOKUP, "rsubScalar")
        .exactOut("Scalar_out");
    d.op("mul.Tensor(Tensor self, Tensor other) -> Tensor")
        .inPlace()
        .out("out")
        .cpu(Elementwise.binary(SAME, ArithmeticFunctions.MUL));
    d.op("mul.Scalar(Tensor self, Scalar other) -> Tensor")
        .inPlace()
        .composite(LOOKUP, "mulScalar", "mulScalarInPlace")
        .exactOut("Scalar_out");
  }

  private static void quotients(Definitions d) {
    d.op("div.Tensor(Tensor self, Tensor other) -> Tensor")
        .inPlace()
        .out("out")
        .cpu(Elementwise.binary(FLOAT, ArithmeticFunctions.DIV));
    d.op("div.Scalar(Tensor self, Scalar other) -> Tensor")
        .inPlace()
        .composite(LOOKUP, "divScalar", "divScalarInPlace")
        .exactOut("Scalar_out");
    d.op("div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor")
        .inPlace()
        .out("out_mode")
        .cpu(LOOKUP, "divMode");
    d.op("div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor")
        .inPlace()
        .composite(LOOKUP, "divScalarMode")
        .exactOut("Scalar_mode_out");
    d.op("floor_divide(Tensor self, Tensor other) -> Tensor")
        .inPlaceAs("Tensor")
        .out("out")
        .cpu(Elementwise.binary(SAME, ArithmeticFunctions.DIV_FLOOR));
    d.op("floor_divide.Scalar(Tensor self, Scalar other) -> Tensor")
        .inPlace()
        .composite(LOOKUP, "floorDivideScalar")
        .exactOut("Scalar_out");
    d.op("remainder.Tensor(Tensor self, Tensor other) -> Tensor")
        .inPlace()
        .out("Tensor_out")
        .cpu(Elementwise.binary(SAME, ArithmeticFunctions.REMAINDER));
    d.op("remainder.Scalar(Tensor self, Scalar other) -> Tensor")
        .inPlace()
        .out("Scalar_out")
        .composite(LOOKUP, "remainderScalar");
    d.op("remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor")
        .everywhere(LOOKUP, "remainderOfScalar")
        .exactOut("Scalar_Tensor_out");
    d.op("fmod.Tensor(Tensor self, Tensor other) -> Tensor")
        .inPlace()
        .out("Tensor_out")
        .cpu(Elementwise.binary(SAME, ArithmeticFunctions.FMOD));
    d.op("fmod.Scalar(Tensor self, Scalar other) -> Tensor")
        .inPlace()
        .out("Scalar_out")
        .composite(LOOKUP, "fmodScalar");
  }

  static Tensor add(Tensor self, Tensor other, Scalar alpha, Tensor out) {
    DType common = Promotion.of(self, other);
    requireAlpha("add", common, alpha);
    return Elementwise.run(
        ArithmeticFunctions.ADD,
        common,
        SAME,
        common == DType.BOOL ? Scalar.of(alpha.toBoolean()) : alpha,
        Scalar.ZERO,
        out,
        self,
        other);
  }

  static Tensor sub(Tensor self, Tensor other, Scalar alpha, Tensor out) {
    requireNoBooleans(self.dtype(), other.dtype());
    DType common = Promotion.of(self, other);
    requireAlpha("sub", common, alpha);
    return Elementwise.run(
        ArithmeticFunctions.ADD, common, SAME, negative(alpha), Scalar.ZERO, out, self, other);
  }

  private static Scalar negative(Scalar alpha) {
    return alpha.isFloating() ? Scalar.of(-alpha.toDouble()) : Scalar.of(-alpha.toLong());
  }

  private static void requireAlpha(String op, DType common, Scalar alpha) {
    if (alpha.isBoolean() && common != DType.BOOL) {
      throw new IllegalArgumentException(
          op + ": a boolean alpha needs a boolean result; it is " + common);
    }
    if (alpha.isFloating() && !common.isFloating()) {
      throw new IllegalArgumentException(
          op + ": alpha=" + alpha + " must be a whole number for a result of " + common);
    }
  }

  private static void requireNoBooleans(DType a, DType b) {
    if (a == DType.BOOL || b == DType.BOOL) {
      throw new IllegalArgumentException(
          "sub: booleans cannot be subtracted ("
              + a
              + " and "
              + b
              + "); use logical_xor, or logical_not to invert a mask");
    }
  }

  static Tensor addScalar(Tensor self, Scalar other, Scalar alpha) {
    return Ops.add(self, ScalarTensors.beside(self, other), alpha);
  }

  static Tensor addScalarInPlace(Tensor self, Scalar other, Scalar alpha) {
    return Ops.add_(self, ScalarTensors.beside(self, other), alpha);
  }

  static Tensor subScalar(Tensor self, Scalar other, Scalar alpha) {
    requireNoBooleans(self.dtype(), Promotion.natural(other));
    return Ops.sub(self, ScalarTensors.beside(self, other), alpha);
  }

  static Tensor subScalarInPlace(Tensor self, Scalar other, Scalar alpha) {
    requireNoBooleans(self.dtype(), Promotion.natural(other));
    return Ops.sub_(self, ScalarTensors.beside(self, other), alpha);
  }

  static Tensor rsub(Tensor self, Tensor other, Scalar alpha) {
    return Ops.sub(other, self, alpha);
  }

  static Tensor rsubScalar(Tensor self, Scalar other, Scalar alpha) {
    requireNoBooleans(self.dtype(), Promotion.natural(other));
    return Ops.sub(ScalarTensors.beside(self, other), self, alpha);
  }

  static Tensor mulScalar(Tensor self, Scalar other) {
    return Ops.mul(self, ScalarTensors.beside(self, other));
  }

  static Tensor mulScalarInPlace(Tensor self, Scalar other) {
    return Ops.mul_(self, ScalarTensors.beside(self, other));
  }

  /** Whole numbers are divided as floats: the divisor need not fit the tensor's dtype. */
  static Tensor divScalar(Tensor self, Scalar other) {
    return Ops.div(
        self,
        self.dtype().isFloating()
            ? ScalarTensors.beside(self, other)
            : ScalarTensors.of(other, DType.F32, self.device()));
  }

  static Tensor divScalarInPlace(Tensor self, Scalar other) {
    return Ops.div_(self, ScalarTensors.beside(self, other));
  }

  static Tensor divMode(Tensor self, Tensor other, String mode, Tensor out) {
    return switch (mode) {
      case null ->
          Elementwise.run(
              ArithmeticFunctions.DIV, FLOAT, Scalar.ZERO, Scalar.ZERO, out, self, other);
      case "floor" ->
          Elementwise.run(
              ArithmeticFunctions.DIV_FLOOR, SAME, Scalar.ZERO, Scalar.ZERO, out, self, other);
      case "trunc" ->
          Elementwise.run(
              ArithmeticFunctions.DIV_TRUNC, SAME, Scalar.ZERO, Scalar.ZERO, out, self, other);
      default ->
          throw new IllegalArgumentException(
              "div: rounding_mode='" + mode + "' is none of None, 'trunc', 'floor'");
    };
  }

  static Tensor divScalarMode(Tensor self, Scalar other, String mode) {
    return Ops.div(self, ScalarTensors.beside(self, other), mode);
  }

  static Tensor floorDivideScalar(Tensor self, Scalar other) {
    return Ops.floorDivide(self, ScalarTensors.beside(self, other));
  }

  static Tensor remainderScalar(Tensor self, Scalar other) {
    return Ops.remainder(self, ScalarTensors.beside(self, other));
  }

  static Tensor remainderOfScalar(Scalar self, Tensor other) {
    return Ops.remainder(ScalarTensors.beside(other, self), other);
  }

  static Tensor fmodScalar(Tensor self, Scalar other) {
    return Ops.fmod(self, ScalarTensors.beside(self, other));
  }
}
