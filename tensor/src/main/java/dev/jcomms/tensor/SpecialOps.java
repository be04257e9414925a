package dev.jcomms.tensor;

import dev.jcomms.tensor.dispatch.Operator;

/** Of {@link Ops}: special functions, and arithmetic seldom met. */
abstract sealed class SpecialOps extends GateOps permits LossOps {
  private static final Operator LGAMMA = operator("aten::lgamma");
  private static final Operator DIGAMMA = operator("aten::digamma");
  private static final Operator POLYGAMMA = operator("aten::polygamma");
  private static final Operator ERFINV = operator("aten::erfinv");
  private static final Operator I0 = operator("aten::i0");
  private static final Operator SPECIAL_I0E = operator("aten::special_i0e");
  private static final Operator SPECIAL_I1 = operator("aten::special_i1");
  private static final Operator SPECIAL_I1E = operator("aten::special_i1e");
  private static final Operator SPECIAL_ENTR = operator("aten::special_entr");
  private static final Operator SPECIAL_ERFCX = operator("aten::special_erfcx");
  private static final Operator SPECIAL_NDTR = operator("aten::special_ndtr");
  private static final Operator SPECIAL_NDTRI = operator("aten::special_ndtri");
  private static final Operator SPECIAL_LOG_NDTR = operator("aten::special_log_ndtr");
  private static final Operator SINC = operator("aten::sinc");
  private static final Operator DEG2RAD = operator("aten::deg2rad");
  private static final Operator RAD2DEG = operator("aten::rad2deg");
  private static final Operator MVLGAMMA = operator("aten::mvlgamma");
  private static final Operator SPECIAL_ZETA = operator("aten::special_zeta");
  private static final Operator SPECIAL_XLOG1PY = operator("aten::special_xlog1py");
  private static final Operator IGAMMA = operator("aten::igamma");
  private static final Operator IGAMMAC = operator("aten::igammac");
  private static final Operator LOGADDEXP2 = operator("aten::logaddexp2");
  private static final Operator NEXTAFTER = operator("aten::nextafter");
  private static final Operator HEAVISIDE = operator("aten::heaviside");
  private static final Operator GCD = operator("aten::gcd");
  private static final Operator LCM = operator("aten::lcm");
  private static final Operator LDEXP_TENSOR = operator("aten::ldexp.Tensor");
  private static final Operator FLOAT_POWER_TENSOR_TENSOR =
      operator("aten::float_power.Tensor_Tensor");
  private static final Operator FLOAT_POWER_TENSOR_SCALAR =
      operator("aten::float_power.Tensor_Scalar");
  private static final Operator ROUND_DECIMALS = operator("aten::round.decimals");

  SpecialOps() {}

  public static Tensor lgamma(Tensor self) {
    return unary(LGAMMA, self);
  }

  public static Tensor digamma(Tensor self) {
    return unary(DIGAMMA, self);
  }

  public static Tensor polygamma(long n, Tensor self) {
    try {
      return (Tensor) POLYGAMMA.kernelFor(self).invokeExact(n, self);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor erfinv(Tensor self) {
    return unary(ERFINV, self);
  }

  public static Tensor i0(Tensor self) {
    return unary(I0, self);
  }

  public static Tensor specialI0e(Tensor self) {
    return unary(SPECIAL_I0E, self);
  }

  public static Tensor specialI1(Tensor self) {
    return unary(SPECIAL_I1, self);
  }

  public static Tensor specialI1e(Tensor self) {
    return unary(SPECIAL_I1E, self);
  }

  public static Tensor specialEntr(Tensor self) {
    return unary(SPECIAL_ENTR, self);
  }

  public static Tensor specialErfcx(Tensor self) {
    return unary(SPECIAL_ERFCX, self);
  }

  public static Tensor specialNdtr(Tensor self) {
    return unary(SPECIAL_NDTR, self);
  }

  public static Tensor specialNdtri(Tensor self) {
    return unary(SPECIAL_NDTRI, self);
  }

  public static Tensor specialLogNdtr(Tensor self) {
    return unary(SPECIAL_LOG_NDTR, self);
  }

  public static Tensor sinc(Tensor self) {
    return unary(SINC, self);
  }

  public static Tensor deg2rad(Tensor self) {
    return unary(DEG2RAD, self);
  }

  public static Tensor rad2deg(Tensor self) {
    return unary(RAD2DEG, self);
  }

  public static Tensor mvlgamma(Tensor self, long p) {
    return withDim(MVLGAMMA, self, p);
  }

  public static Tensor specialZeta(Tensor self, Tensor other) {
    return binary(SPECIAL_ZETA, self, other);
  }

  public static Tensor specialXlog1py(Tensor self, Tensor other) {
    return binary(SPECIAL_XLOG1PY, self, other);
  }

  public static Tensor igamma(Tensor self, Tensor other) {
    return binary(IGAMMA, self, other);
  }

  public static Tensor igammac(Tensor self, Tensor other) {
    return binary(IGAMMAC, self, other);
  }

  public static Tensor logaddexp2(Tensor self, Tensor other) {
    return binary(LOGADDEXP2, self, other);
  }

  public static Tensor nextafter(Tensor self, Tensor other) {
    return binary(NEXTAFTER, self, other);
  }

  public static Tensor heaviside(Tensor self, Tensor values) {
    return binary(HEAVISIDE, self, values);
  }

  public static Tensor gcd(Tensor self, Tensor other) {
    return binary(GCD, self, other);
  }

  public static Tensor lcm(Tensor self, Tensor other) {
    return binary(LCM, self, other);
  }

  public static Tensor ldexp(Tensor self, Tensor other) {
    return binary(LDEXP_TENSOR, self, other);
  }

  public static Tensor floatPower(Tensor self, Tensor exponent) {
    return binary(FLOAT_POWER_TENSOR_TENSOR, self, exponent);
  }

  public static Tensor floatPower(Tensor self, Scalar exponent) {
    return withScalar(FLOAT_POWER_TENSOR_SCALAR, self, exponent);
  }

  public static Tensor round(Tensor self, long decimals) {
    return withDim(ROUND_DECIMALS, self, decimals);
  }
}
