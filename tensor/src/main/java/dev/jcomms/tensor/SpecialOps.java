package dev.jcomms.tensor;

import java.lang.invoke.MethodHandle;

/** Of {@link Ops}: special functions, and arithmetic seldom met. */
abstract sealed class SpecialOps extends GateOps permits LossOps {
  private static final MethodHandle LGAMMA = handle("aten::lgamma");
  private static final MethodHandle DIGAMMA = handle("aten::digamma");
  private static final MethodHandle POLYGAMMA = handle("aten::polygamma");
  private static final MethodHandle ERFINV = handle("aten::erfinv");
  private static final MethodHandle I0 = handle("aten::i0");
  private static final MethodHandle SPECIAL_I0E = handle("aten::special_i0e");
  private static final MethodHandle SPECIAL_I1 = handle("aten::special_i1");
  private static final MethodHandle SPECIAL_I1E = handle("aten::special_i1e");
  private static final MethodHandle SPECIAL_ENTR = handle("aten::special_entr");
  private static final MethodHandle SPECIAL_ERFCX = handle("aten::special_erfcx");
  private static final MethodHandle SPECIAL_NDTR = handle("aten::special_ndtr");
  private static final MethodHandle SPECIAL_NDTRI = handle("aten::special_ndtri");
  private static final MethodHandle SPECIAL_LOG_NDTR = handle("aten::special_log_ndtr");
  private static final MethodHandle SINC = handle("aten::sinc");
  private static final MethodHandle DEG2RAD = handle("aten::deg2rad");
  private static final MethodHandle RAD2DEG = handle("aten::rad2deg");
  private static final MethodHandle MVLGAMMA = handle("aten::mvlgamma");
  private static final MethodHandle SPECIAL_ZETA = handle("aten::special_zeta");
  private static final MethodHandle SPECIAL_XLOG1PY = handle("aten::special_xlog1py");
  private static final MethodHandle IGAMMA = handle("aten::igamma");
  private static final MethodHandle IGAMMAC = handle("aten::igammac");
  private static final MethodHandle LOGADDEXP2 = handle("aten::logaddexp2");
  private static final MethodHandle NEXTAFTER = handle("aten::nextafter");
  private static final MethodHandle HEAVISIDE = handle("aten::heaviside");
  private static final MethodHandle GCD = handle("aten::gcd");
  private static final MethodHandle LCM = handle("aten::lcm");
  private static final MethodHandle LDEXP_TENSOR = handle("aten::ldexp.Tensor");
  private static final MethodHandle FLOAT_POWER_TENSOR_TENSOR =
      handle("aten::float_power.Tensor_Tensor");
  private static final MethodHandle FLOAT_POWER_TENSOR_SCALAR =
      handle("aten::float_power.Tensor_Scalar");
  private static final MethodHandle ROUND_DECIMALS = handle("aten::round.decimals");

  SpecialOps() {}

  public static Tensor lgamma(Tensor self) {
    return unary(LGAMMA, self);
  }

  public static Tensor digamma(Tensor self) {
    return unary(DIGAMMA, self);
  }

  public static Tensor polygamma(long n, Tensor self) {
    try {
      return (Tensor) POLYGAMMA.invokeExact(n, self);
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
