package dev.jcomms.tensor.internal.aten;

import static dev.jcomms.tensor.internal.aten.Elementwise.Rule.FLOAT;
import static dev.jcomms.tensor.internal.aten.Elementwise.Rule.SAME;
import static dev.jcomms.tensor.internal.aten.Elementwise.Rule.TRUTH;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.aten.Elementwise.Rule;
import dev.jcomms.tensor.internal.cpu.ActivationFunctions;
import dev.jcomms.tensor.internal.cpu.ArithmeticFunctions;
import dev.jcomms.tensor.internal.cpu.Function;
import dev.jcomms.tensor.internal.cpu.LogicFunctions;
import dev.jcomms.tensor.internal.cpu.TranscendentalFunctions;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;

/** Operators of one tensor, element by element; those of networks are in {@link ActivationOps}. */
final class UnaryOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();

  private UnaryOps() {}

  static void define(Definitions d) {
    op(d, "abs", SAME, ArithmeticFunctions.ABS);
    op(d, "sign", SAME, ArithmeticFunctions.SIGN);
    op(d, "sgn", SAME, ArithmeticFunctions.SIGN);
    op(d, "floor", SAME, ArithmeticFunctions.FLOOR);
    op(d, "ceil", SAME, ArithmeticFunctions.CEIL);
    op(d, "round", SAME, ArithmeticFunctions.ROUND);
    op(d, "trunc", SAME, ArithmeticFunctions.TRUNC);
    op(d, "frac", SAME, ArithmeticFunctions.FRAC);
    op(d, "sqrt", FLOAT, ArithmeticFunctions.SQRT);
    op(d, "rsqrt", FLOAT, ArithmeticFunctions.RSQRT);
    op(d, "reciprocal", FLOAT, ArithmeticFunctions.RECIPROCAL);
    op(d, "exp", FLOAT, TranscendentalFunctions.EXP);
    op(d, "exp2", FLOAT, TranscendentalFunctions.EXP2);
    op(d, "expm1", FLOAT, TranscendentalFunctions.EXPM1);
    op(d, "log", FLOAT, TranscendentalFunctions.LOG);
    op(d, "log2", FLOAT, TranscendentalFunctions.LOG2);
    op(d, "log10", FLOAT, TranscendentalFunctions.LOG10);
    op(d, "log1p", FLOAT, TranscendentalFunctions.LOG1P);
    op(d, "sin", FLOAT, TranscendentalFunctions.SIN);
    op(d, "cos", FLOAT, TranscendentalFunctions.COS);
    op(d, "tan", FLOAT, TranscendentalFunctions.TAN);
    op(d, "asin", FLOAT, TranscendentalFunctions.ASIN);
    op(d, "acos", FLOAT, TranscendentalFunctions.ACOS);
    op(d, "atan", FLOAT, TranscendentalFunctions.ATAN);
    op(d, "sinh", FLOAT, TranscendentalFunctions.SINH);
    op(d, "cosh", FLOAT, TranscendentalFunctions.COSH);
    op(d, "tanh", FLOAT, TranscendentalFunctions.TANH);
    op(d, "asinh", FLOAT, TranscendentalFunctions.ASINH);
    op(d, "acosh", FLOAT, TranscendentalFunctions.ACOSH);
    op(d, "atanh", FLOAT, TranscendentalFunctions.ATANH);
    op(d, "erf", FLOAT, TranscendentalFunctions.ERF);
    op(d, "erfc", FLOAT, TranscendentalFunctions.ERFC);
    op(d, "sigmoid", FLOAT, ActivationFunctions.SIGMOID);
    op(d, "logical_not", TRUTH, LogicFunctions.LOGICAL_NOT);
    for (String name : new String[] {"isnan", "isinf", "isposinf", "isneginf", "signbit"}) {
      d.op(name + "(Tensor self) -> Tensor").cpu(LOOKUP, name).exactOut("out");
    }
    d.op("isfinite(Tensor self) -> Tensor").cpu(LOOKUP, "isfinite");
    d.op("neg(Tensor self) -> Tensor").inPlace().out("out").cpu(LOOKUP, "neg");
    d.op("bitwise_not(Tensor self) -> Tensor").inPlace().out("out").cpu(LOOKUP, "bitwiseNot");
    d.op("round.decimals(Tensor self, *, int decimals) -> Tensor")
        .inPlace()
        .out("decimals_out")
        .cpu(LOOKUP, "roundDecimals");
    d.op("logit(Tensor self, float? eps=None) -> Tensor").inPlace().out("out").cpu(LOOKUP, "logit");
    d.op(
            "nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) ->"
                + " Tensor")
        .inPlace()
        .out("out")
        .cpu(LOOKUP, "nanToNum");
    d.op("square(Tensor self) -> Tensor").inPlace().out("out").composite(LOOKUP, "square");
    d.op("positive(Tensor(a) self) -> Tensor(a)").composite(LOOKUP, "positive");
    aliases(d);
  }

  private static void aliases(Definitions d) {
    String[] both = {"", "out"};
    d.alias("absolute", "abs", both);
    d.alias("negative", "neg", both);
    d.alias("fix", "trunc", both);
    d.alias("arcsin", "asin", both);
    d.alias("arccos", "acos", both);
    d.alias("arctan", "atan", both);
    d.alias("arcsinh", "asinh", both);
    d.alias("arccosh", "acosh", both);
    d.alias("arctanh", "atanh", both);
    d.functionalAlias("special_expit", "sigmoid", both);
    d.functionalAlias("special_erf", "erf", both);
    d.functionalAlias("special_erfc", "erfc", both);
    d.functionalAlias("special_exp2", "exp2", both);
    d.functionalAlias("special_expm1", "expm1", both);
    d.functionalAlias("special_log1p", "log1p", both);
    d.functionalAlias("special_logit", "logit", both);
  }

  private static void op(Definitions d, String name, Rule rule, Function f) {
    d.op(name + "(Tensor self) -> Tensor").inPlace().out("out").cpu(Elementwise.unary(rule, f));
  }

  static Tensor isnan(Tensor self) {
    return truth(LogicFunctions.ISNAN, Scalar.ZERO, self);
  }

  static Tensor isinf(Tensor self) {
    return truth(LogicFunctions.ISINF, Scalar.ZERO, self);
  }

  static Tensor isposinf(Tensor self) {
    return truth(LogicFunctions.IS_THIS_INFINITY, Scalar.ONE, self);
  }

  static Tensor isneginf(Tensor self) {
    return truth(LogicFunctions.IS_THIS_INFINITY, Scalar.of(-1), self);
  }

  static Tensor signbit(Tensor self) {
    return truth(LogicFunctions.SIGNBIT, Scalar.ZERO, self);
  }

  static Tensor isfinite(Tensor self) {
    return truth(LogicFunctions.ISFINITE, Scalar.ZERO, self);
  }

  private static Tensor truth(Function f, Scalar p, Tensor self) {
    return Elementwise.run(f, TRUTH, p, Scalar.ZERO, null, self);
  }

  static Tensor neg(Tensor self, Tensor out) {
    if (self.dtype() == DType.BOOL) {
      throw new IllegalArgumentException(
          "neg: a boolean tensor has no negative; use logical_not to invert a mask");
    }
    Forms.requireSame("neg", self.dtype(), out);
    return Elementwise.run(ArithmeticFunctions.NEG, SAME, Scalar.ZERO, Scalar.ZERO, out, self);
  }

  static Tensor bitwiseNot(Tensor self, Tensor out) {
    Function f =
        self.dtype() == DType.BOOL ? LogicFunctions.LOGICAL_NOT : LogicFunctions.BITWISE_NOT;
    Forms.requireSame("bitwise_not", self.dtype(), out);
    return Elementwise.run(f, SAME, Scalar.ZERO, Scalar.ZERO, out, self);
  }

  static Tensor roundDecimals(Tensor self, long decimals, Tensor out) {
    if (!self.dtype().isFloating()) {
      throw new IllegalArgumentException(
          "\"round\" with decimals is not implemented for " + self.dtype());
    }
    Forms.requireSame("round", self.dtype(), out);
    Scalar power = Scalar.of(Math.pow(10, Math.abs(decimals)));
    return Elementwise.run(
        ArithmeticFunctions.ROUND_DECIMALS, SAME, power, Scalar.of(decimals < 0), out, self);
  }

  static Tensor logit(Tensor self, Double epsilon, Tensor out) {
    Scalar p = Scalar.of(epsilon == null ? -1 : epsilon);
    return Elementwise.run(ActivationFunctions.LOGIT, FLOAT, p, Scalar.ZERO, out, self);
  }

  static Tensor nanToNum(Tensor self, Double nan, Double high, Double low, Tensor out) {
    Forms.requireSame("nan_to_num", self.dtype(), out);
    if (!self.dtype().isFloating()) {
      return out == null ? Ops.clone(self) : out == self ? self : Ops.copy_(out, self);
    }
    double most = largest(self.dtype());
    Tensor instead =
        ScalarTensors.of(Scalar.of(nan == null ? 0 : nan), self.dtype(), self.device());
    return Elementwise.run(
        LogicFunctions.NAN_TO_NUM,
        SAME,
        Scalar.of(high == null ? most : high),
        Scalar.of(low == null ? -most : low),
        out,
        self,
        instead);
  }

  private static double largest(DType dtype) {
    return switch (dtype) {
      case F64 -> Double.MAX_VALUE;
      case F16 -> 65504;
      case BF16 -> 0x1.fep127;
      default -> Float.MAX_VALUE;
    };
  }

  static Tensor square(Tensor self) {
    return Ops.pow(self, Scalar.of(2));
  }

  static Tensor positive(Tensor self) {
    if (self.dtype() == DType.BOOL) {
      throw new IllegalArgumentException("positive: is not defined for a boolean tensor");
    }
    return self;
  }
}
