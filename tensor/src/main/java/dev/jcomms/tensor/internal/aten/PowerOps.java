package dev.jcomms.tensor.internal.aten;

import static dev.jcomms.tensor.internal.aten.Elementwise.Rule.SAME;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.ScalarRange;
import dev.jcomms.tensor.internal.cpu.ArithmeticFunctions;
import dev.jcomms.tensor.internal.cpu.Function;
import dev.jcomms.tensor.internal.cpu.LogicFunctions;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;

/** Powers, and the operators of three operands. */
final class PowerOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();

  private PowerOps() {}

  static void define(Definitions d) {
    d.op("pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor")
        .inPlaceAs("Tensor")
        .out("Tensor_Tensor_out")
        .cpu(Elementwise.binary(SAME, ArithmeticFunctions.POW));
    d.op("pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor")
        .inPlaceAs("Scalar")
        .out("Tensor_Scalar_out")
        .cpu(LOOKUP, "pow");
    d.op("pow.Scalar(Scalar self, Tensor exponent) -> Tensor")
        .out("Scalar_out")
        .cpu(LOOKUP, "powOfScalar");
    d.op("addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) ->" + " Tensor")
        .inPlace()
        .out("out")
        .cpu(LOOKUP, "addcmul");
    d.op("addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) ->" + " Tensor")
        .inPlace()
        .out("out")
        .cpu(LOOKUP, "addcdiv");
    d.op("lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor")
        .inPlace()
        .out("Tensor_out")
        .cpu(LOOKUP, "lerp");
    d.op("lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor")
        .inPlace()
        .out("Scalar_out")
        .cpu(LOOKUP, "lerpScalar");
    d.op("where.self(Tensor condition, Tensor self, Tensor other) -> Tensor")
        .out("self_out")
        .cpu(LOOKUP, "where");
    d.op("where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor")
        .composite(LOOKUP, "whereScalarOther");
    d.op("where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor")
        .composite(LOOKUP, "whereScalarSelf");
    d.op("where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor")
        .composite(LOOKUP, "whereScalars");
  }

  static Tensor pow(Tensor self, Scalar exponent, Tensor out) {
    DType common = Promotion.of(self, exponent);
    double e = exponent.toDouble();
    if (!common.isFloating() && e < 0) {
      throw new IllegalArgumentException(
          "pow: integers to negative integer powers are not allowed; exponent=" + exponent);
    }
    if (common == DType.BOOL) {
      // 0 or 1: all true, or as it was
      Function logic = e == 0 ? LogicFunctions.EQ : LogicFunctions.BITWISE_AND;
      return Elementwise.run(logic, common, SAME, Scalar.ZERO, Scalar.ZERO, out, self, self);
    }
    boolean isPower = e == -0.5 && common == DType.F16; // at -0, where a root would keep the sign
    Function f =
        common.isFloating() && !isPower ? shortcut(e) : e == 2 ? ArithmeticFunctions.SQUARE : null;
    if (f != null) {
      return Elementwise.run(f, common, SAME, Scalar.ZERO, Scalar.ZERO, out, self);
    }
    if (common != DType.F32) {
      ScalarRange.require("pow", common, exponent);
    }
    Tensor power = ScalarTensors.beside(self, exponent);
    return Elementwise.run(
        ArithmeticFunctions.POW, common, SAME, Scalar.ZERO, Scalar.ZERO, out, self, power);
  }

  /** Exponents that need no power function; null for others. */
  private static Function shortcut(double e) {
    return e == 2
        ? ArithmeticFunctions.SQUARE
        : e == 3
            ? ArithmeticFunctions.CUBE
            : e == 0.5
                ? ArithmeticFunctions.SQRT
                : e == -0.5
                    ? ArithmeticFunctions.RSQRT
                    : e == -1 ? ArithmeticFunctions.RECIPROCAL : null;
  }

  /** Every dtype holds the powers of 1, so that they go into any {@code out}. */
  static Tensor powOfScalar(Scalar self, Tensor exponent, Tensor out) {
    if (out != null && self.toDouble() == 1) {
      Forms.resize("pow", out, exponent.shape());
      return Ops.fill_(out, Scalar.ONE);
    }
    Tensor base = ScalarTensors.beside(exponent, self);
    DType common = Promotion.of(exponent, self);
    return Elementwise.run(
        ArithmeticFunctions.POW, common, SAME, Scalar.ZERO, Scalar.ZERO, out, base, exponent);
  }

  static Tensor addcmul(Tensor self, Tensor a, Tensor b, Scalar value, Tensor out) {
    return Elementwise.run(ArithmeticFunctions.ADDCMUL, SAME, value, Scalar.ZERO, out, self, a, b);
  }

  static Tensor addcdiv(Tensor self, Tensor a, Tensor b, Scalar value, Tensor out) {
    if (!a.dtype().isFloating() && !b.dtype().isFloating()) {
      throw new IllegalArgumentException(
          "addcdiv: integers "
              + a.dtype()
              + " and "
              + b.dtype()
              + " are not divided; convert one of them to a float, or use addcmul and div");
    }
    return Elementwise.run(ArithmeticFunctions.ADDCDIV, SAME, value, Scalar.ZERO, out, self, a, b);
  }

  static Tensor lerp(Tensor self, Tensor end, Tensor weight, Tensor out) {
    requireSame("end", self, end);
    requireSame("weight", self, weight);
    if (weight.shape().dims() > 0) {
      Forms.requireSame("lerp", self.dtype(), out);
    }
    return Elementwise.run(
        ArithmeticFunctions.LERP, SAME, Scalar.ZERO, Scalar.ZERO, out, self, end, weight);
  }

  static Tensor lerpScalar(Tensor self, Tensor end, Scalar weight, Tensor out) {
    requireSame("end", self, end);
    Elementwise.requireSupport(ArithmeticFunctions.LERP, self.dtype());
    Tensor w = ScalarTensors.of(weight, wide(self.dtype()), self.device());
    return Elementwise.run(
        ArithmeticFunctions.LERP, self.dtype(), SAME, Scalar.ZERO, Scalar.ZERO, out, self, end, w);
  }

  /** What a half's weight is kept in. */
  private static DType wide(DType dtype) {
    return dtype == DType.F64 ? DType.F64 : DType.F32;
  }

  private static void requireSame(String what, Tensor self, Tensor other) {
    if (self.dtype() != other.dtype()) {
      throw new IllegalArgumentException(
          "lerp: expected dtype " + self.dtype() + " for " + what + "; it is " + other.dtype());
    }
  }

  static Tensor where(Tensor condition, Tensor self, Tensor other, Tensor out) {
    if (condition.dtype() != DType.BOOL && condition.dtype() != DType.U8) {
      throw new IllegalArgumentException(
          "where: condition must be a boolean tensor; it is " + condition.dtype());
    }
    DType common = Promotion.of(self, other);
    Forms.requireSame("where", common, out);
    return Elementwise.run(
        LogicFunctions.WHERE, common, SAME, Scalar.ZERO, Scalar.ZERO, out, condition, self, other);
  }

  static Tensor whereScalarOther(Tensor condition, Tensor self, Scalar other) {
    requireFits(self, other);
    return Ops.where(condition, self, ScalarTensors.beside(self, other));
  }

  static Tensor whereScalarSelf(Tensor condition, Scalar self, Tensor other) {
    requireFits(other, self);
    return Ops.where(condition, ScalarTensors.beside(other, self), other);
  }

  /** Halves take a number through f32, and make infinity of what they do not hold. */
  private static void requireFits(Tensor beside, Scalar value) {
    DType common = Promotion.of(beside, value);
    if (common != DType.F16 && common != DType.BF16) {
      ScalarRange.require("where", common, value);
    }
  }

  static Tensor whereScalars(Tensor condition, Scalar self, Scalar other) {
    DType common = Promotion.promote(Promotion.natural(self), Promotion.natural(other));
    return Ops.where(
        condition,
        ScalarTensors.of(self, common, condition.device()),
        ScalarTensors.of(other, common, condition.device()));
  }
}
