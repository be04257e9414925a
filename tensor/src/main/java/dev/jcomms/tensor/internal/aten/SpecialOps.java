package dev.jcomms.tensor.internal.aten;

import static dev.jcomms.tensor.internal.aten.Elementwise.Rule.FLOAT;
import static dev.jcomms.tensor.internal.aten.Elementwise.Rule.SAME;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.cpu.Function;
import dev.jcomms.tensor.internal.cpu.SpecialFunctions;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;

/** Special functions, and arithmetic seldom met. */
final class SpecialOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();

  private SpecialOps() {}

  static void define(Definitions d) {
    inPlaceToo(d, "lgamma", SpecialFunctions.LGAMMA);
    inPlaceToo(d, "digamma", SpecialFunctions.DIGAMMA);
    inPlaceToo(d, "erfinv", SpecialFunctions.ERFINV);
    inPlaceToo(d, "i0", SpecialFunctions.I0);
    inPlaceToo(d, "sinc", SpecialFunctions.SINC);
    inPlaceToo(d, "deg2rad", SpecialFunctions.DEG2RAD);
    inPlaceToo(d, "rad2deg", SpecialFunctions.RAD2DEG);
    special(d, "special_i0e", SpecialFunctions.I0E);
    special(d, "special_i1", SpecialFunctions.I1);
    special(d, "special_i1e", SpecialFunctions.I1E);
    special(d, "special_entr", SpecialFunctions.ENTR);
    special(d, "special_erfcx", SpecialFunctions.ERFCX);
    special(d, "special_ndtr", SpecialFunctions.NDTR);
    special(d, "special_ndtri", SpecialFunctions.NDTRI);
    special(d, "special_log_ndtr", SpecialFunctions.LOG_NDTR);
    d.op("polygamma(int n, Tensor self) -> Tensor").out("out").cpu(LOOKUP, "polygamma");
    d.op("special_polygamma(int n, Tensor self) -> Tensor")
        .composite(LOOKUP, "specialPolygamma")
        .out("out");
    d.op("mvlgamma(Tensor self, int p) -> Tensor").composite(LOOKUP, "mvlgamma").out("out");
    d.op("special_multigammaln(Tensor self, int p) -> Tensor")
        .composite(LOOKUP, "mvlgamma")
        .out("out");
    d.op("special_round(Tensor self, *, int decimals=0) -> Tensor")
        .composite(LOOKUP, "specialRound")
        .exactOut("out");
    d.op("special_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor")
        .composite(LOOKUP, "softmax");
    d.op("special_log_softmax(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor")
        .composite(LOOKUP, "logSoftmax");
    d.op("special_logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor")
        .composite(LOOKUP, "logsumexp")
        .out("out");
    pairs(d);
    String[] both = {"", "out"};
    d.functionalAlias("special_gammaln", "lgamma", both);
    d.functionalAlias("special_digamma", "digamma", both);
    d.functionalAlias("special_psi", "digamma", both);
    d.functionalAlias("special_erfinv", "erfinv", both);
    d.functionalAlias("special_i0", "i0", both);
    d.functionalAlias("special_sinc", "sinc", both);
    d.functionalAlias("special_gammainc", "igamma", both);
    d.functionalAlias("special_gammaincc", "igammac", both);
  }

  private static void inPlaceToo(Definitions d, String name, Function f) {
    d.op(name + "(Tensor self) -> Tensor").inPlace().out("out").cpu(Elementwise.unary(FLOAT, f));
  }

  private static void special(Definitions d, String name, Function f) {
    d.op(name + "(Tensor self) -> Tensor").out("out").cpu(Elementwise.unary(FLOAT, f));
  }

  private static void pairs(Definitions d) {
    d.op("special_zeta(Tensor self, Tensor other) -> Tensor")
        .out("out")
        .cpu(Elementwise.binary(FLOAT, SpecialFunctions.ZETA));
    d.op("special_zeta.self_scalar(Scalar self, Tensor other) -> Tensor")
        .composite(LOOKUP, "zetaOfScalar")
        .out("self_scalar_out");
    d.op("special_zeta.other_scalar(Tensor self, Scalar other) -> Tensor")
        .composite(LOOKUP, "zetaScalar")
        .out("other_scalar_out");
    d.op("special_xlog1py(Tensor self, Tensor other) -> Tensor")
        .out("out")
        .cpu(Elementwise.binary(FLOAT, SpecialFunctions.XLOG1PY));
    d.op("special_xlog1py.self_scalar(Scalar self, Tensor other) -> Tensor")
        .composite(LOOKUP, "xlog1pyOfScalar")
        .out("self_scalar_out");
    d.op("special_xlog1py.other_scalar(Tensor self, Scalar other) -> Tensor")
        .composite(LOOKUP, "xlog1pyScalar")
        .out("other_scalar_out");
    d.op("igamma(Tensor self, Tensor other) -> Tensor").out("out").cpu(LOOKUP, "igamma");
    d.op("igammac(Tensor self, Tensor other) -> Tensor").out("out").cpu(LOOKUP, "igammac");
    d.op("logaddexp2(Tensor self, Tensor other) -> Tensor")
        .out("out")
        .cpu(Elementwise.binary(SAME, SpecialFunctions.LOGADDEXP2));
    d.op("nextafter(Tensor self, Tensor other) -> Tensor")
        .inPlace()
        .out("out")
        .cpu(LOOKUP, "nextafter");
    d.op("heaviside(Tensor self, Tensor values) -> Tensor")
        .inPlace()
        .out("out")
        .cpu(LOOKUP, "heaviside");
    d.op("gcd(Tensor self, Tensor other) -> Tensor")
        .inPlace()
        .out("out")
        .cpu(Elementwise.binary(SAME, SpecialFunctions.GCD));
    d.op("lcm(Tensor self, Tensor other) -> Tensor")
        .inPlace()
        .out("out")
        .cpu(Elementwise.binary(SAME, SpecialFunctions.LCM));
    d.op("ldexp.Tensor(Tensor self, Tensor other) -> Tensor").composite(LOOKUP, "ldexp").out("out");
    d.op("ldexp_(Tensor(a!) self, Tensor other) -> Tensor(a!)").composite(LOOKUP, "ldexpInPlace");
    d.op("float_power.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor")
        .composite(LOOKUP, "floatPower")
        .exactOut("Tensor_Tensor_out");
    d.op("float_power.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor")
        .composite(LOOKUP, "floatPowerScalar")
        .exactOut("Tensor_Scalar_out");
    d.op("float_power.Scalar(Scalar self, Tensor exponent) -> Tensor")
        .composite(LOOKUP, "floatPowerOfScalar")
        .exactOut("Scalar_out");
    d.op("xlogy.Scalar_Self(Scalar self, Tensor other) -> Tensor")
        .composite(LOOKUP, "xlogyOfScalar")
        .out("OutScalar_Self");
    d.op("xlogy.Scalar_Other(Tensor self, Scalar other) -> Tensor")
        .composite(LOOKUP, "xlogyScalar")
        .out("OutScalar_Other");
    d.op("special_xlogy(Tensor self, Tensor other) -> Tensor")
        .composite(LOOKUP, "xlogy")
        .out("out");
    d.op("copysign.Scalar(Tensor self, Scalar other) -> Tensor")
        .composite(LOOKUP, "copysignScalar")
        .out("Scalar_out");
  }

  static Tensor polygamma(long n, Tensor self, Tensor out) {
    if (n < 0) {
      throw new IllegalArgumentException("polygamma: n=" + n + " must not be negative");
    }
    return Elementwise.run(SpecialFunctions.POLYGAMMA, FLOAT, Scalar.of(n), Scalar.ZERO, out, self);
  }

  static Tensor specialPolygamma(long n, Tensor self) {
    return Ops.polygamma(n, self);
  }

  static Tensor mvlgamma(Tensor self, long p) {
    if (p < 1 || self.dtype() == DType.BOOL) {
      throw new IllegalArgumentException(
          "mvlgamma: p=" + p + " must be above 0, and self no boolean, but is " + self.dtype());
    }
    Tensor x = self.dtype().isFloating() ? self : Ops.toCopy(self, DType.F32, null);
    Tensor sum = null;
    for (long j = 0; j < p; j++) {
      Tensor part = Ops.lgamma(Ops.add(x, Scalar.of(-0.5 * j)));
      sum = sum == null ? part : Ops.add(sum, part);
    }
    return Ops.add(sum, Scalar.of(p * (p - 1) / 4.0 * Math.log(Math.PI)));
  }

  static Tensor specialRound(Tensor self, long decimals) {
    return Ops.round(self, decimals);
  }

  static Tensor softmax(Tensor self, long dim, DType dtype) {
    return Ops.softmax(self, dim, dtype);
  }

  static Tensor logSoftmax(Tensor self, long dim, DType dtype) {
    return Ops.logSoftmax(self, dim, dtype);
  }

  static Tensor logsumexp(Tensor self, long[] dim, boolean keepDim) {
    return Ops.logsumexp(self, dim, keepDim);
  }

  static Tensor igamma(Tensor self, Tensor other, Tensor out) {
    requireFloats("igamma", self, other);
    return Elementwise.run(
        SpecialFunctions.IGAMMA, SAME, Scalar.ZERO, Scalar.ZERO, out, self, other);
  }

  static Tensor igammac(Tensor self, Tensor other, Tensor out) {
    requireFloats("igammac", self, other);
    return Elementwise.run(
        SpecialFunctions.IGAMMAC, SAME, Scalar.ZERO, Scalar.ZERO, out, self, other);
  }

  static Tensor nextafter(Tensor self, Tensor other, Tensor out) {
    DType common = Promotion.of(self, other);
    if (common != DType.F32 && common != DType.F64) {
      throw new IllegalArgumentException("\"nextafter\" is not implemented for " + common);
    }
    return Elementwise.run(
        SpecialFunctions.NEXTAFTER, SAME, Scalar.ZERO, Scalar.ZERO, out, self, other);
  }

  private static void requireFloats(String op, Tensor self, Tensor other) {
    DType common = Promotion.of(self, other);
    if (!common.isFloating()) {
      throw new IllegalArgumentException("\"" + op + "\" is not implemented for " + common);
    }
  }

  static Tensor heaviside(Tensor self, Tensor values, Tensor out) {
    if (self.dtype() != values.dtype() || out != null && out.dtype() != self.dtype()) {
      throw new IllegalArgumentException(
          "heaviside: self and values must be of one dtype, but are "
              + self.dtype()
              + " and "
              + values.dtype());
    }
    return Elementwise.run(
        SpecialFunctions.HEAVISIDE, SAME, Scalar.ZERO, Scalar.ZERO, out, self, values);
  }

  // ---- numbers beside a tensor

  static Tensor zetaOfScalar(Scalar self, Tensor other) {
    return Ops.specialZeta(ScalarTensors.beside(other, self), other);
  }

  static Tensor zetaScalar(Tensor self, Scalar other) {
    return Ops.specialZeta(self, ScalarTensors.beside(self, other));
  }

  static Tensor xlog1pyOfScalar(Scalar self, Tensor other) {
    return Ops.specialXlog1py(ScalarTensors.beside(other, self), other);
  }

  static Tensor xlog1pyScalar(Tensor self, Scalar other) {
    return Ops.specialXlog1py(self, ScalarTensors.beside(self, other));
  }

  static Tensor xlogyOfScalar(Scalar self, Tensor other) {
    return Ops.xlogy(ScalarTensors.beside(other, self), other);
  }

  static Tensor xlogyScalar(Tensor self, Scalar other) {
    return Ops.xlogy(self, ScalarTensors.beside(self, other));
  }

  static Tensor xlogy(Tensor self, Tensor other) {
    return Ops.xlogy(self, other);
  }

  static Tensor copysignScalar(Tensor self, Scalar other) {
    // as a float, so that the sign stays where self has none
    return Ops.copysign(self, ScalarTensors.beside(self, Scalar.of(other.toDouble())));
  }

  static Tensor ldexp(Tensor self, Tensor other) {
    if (!self.dtype().isFloating() || other.dtype().isFloating()) {
      return Ops.mul(self, Ops.pow(Scalar.of(2.0), other));
    }
    // Whole exponents do not widen what they scale; but their powers may exceed a half.
    DType exact = self.dtype() == DType.F64 ? DType.F64 : DType.F32;
    return Ops.mul(self, Ops.pow(Scalar.of(2.0), other.to(exact))).to(self.dtype());
  }

  static Tensor ldexpInPlace(Tensor self, Tensor other) {
    return Ops.mul_(self, Ops.pow(Scalar.of(2.0), other));
  }

  static Tensor floatPower(Tensor self, Tensor exponent) {
    return Ops.pow(wide(self), wide(exponent));
  }

  static Tensor floatPowerScalar(Tensor self, Scalar exponent) {
    return Ops.pow(wide(self), Scalar.of(exponent.toDouble()));
  }

  static Tensor floatPowerOfScalar(Scalar self, Tensor exponent) {
    return Ops.pow(Scalar.of(self.toDouble()), wide(exponent));
  }

  private static Tensor wide(Tensor t) {
    return t.dtype() == DType.F64 ? t : Ops.toCopy(t, DType.F64, null);
  }
}
