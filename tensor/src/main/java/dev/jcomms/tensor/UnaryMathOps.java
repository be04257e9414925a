package dev.jcomms.tensor;

import java.lang.invoke.MethodHandle;

/** Of {@link Ops}: functions of one tensor. */
abstract sealed class UnaryMathOps extends MemoryOps permits ArithmeticOps {
  private static final MethodHandle ABS = handle("aten::abs");
  private static final MethodHandle ABS_ = handle("aten::abs_");
  private static final MethodHandle NEG = handle("aten::neg");
  private static final MethodHandle NEG_ = handle("aten::neg_");
  private static final MethodHandle SIGN = handle("aten::sign");
  private static final MethodHandle SIGN_ = handle("aten::sign_");
  private static final MethodHandle FLOOR = handle("aten::floor");
  private static final MethodHandle FLOOR_ = handle("aten::floor_");
  private static final MethodHandle CEIL = handle("aten::ceil");
  private static final MethodHandle CEIL_ = handle("aten::ceil_");
  private static final MethodHandle ROUND = handle("aten::round");
  private static final MethodHandle ROUND_ = handle("aten::round_");
  private static final MethodHandle TRUNC = handle("aten::trunc");
  private static final MethodHandle TRUNC_ = handle("aten::trunc_");
  private static final MethodHandle FRAC = handle("aten::frac");
  private static final MethodHandle FRAC_ = handle("aten::frac_");
  private static final MethodHandle SQRT = handle("aten::sqrt");
  private static final MethodHandle SQRT_ = handle("aten::sqrt_");
  private static final MethodHandle RSQRT = handle("aten::rsqrt");
  private static final MethodHandle RSQRT_ = handle("aten::rsqrt_");
  private static final MethodHandle RECIPROCAL = handle("aten::reciprocal");
  private static final MethodHandle RECIPROCAL_ = handle("aten::reciprocal_");
  private static final MethodHandle EXP = handle("aten::exp");
  private static final MethodHandle EXP_ = handle("aten::exp_");
  private static final MethodHandle EXP2 = handle("aten::exp2");
  private static final MethodHandle EXP2_ = handle("aten::exp2_");
  private static final MethodHandle EXPM1 = handle("aten::expm1");
  private static final MethodHandle EXPM1_ = handle("aten::expm1_");
  private static final MethodHandle LOG = handle("aten::log");
  private static final MethodHandle LOG_ = handle("aten::log_");
  private static final MethodHandle LOG2 = handle("aten::log2");
  private static final MethodHandle LOG2_ = handle("aten::log2_");
  private static final MethodHandle LOG10 = handle("aten::log10");
  private static final MethodHandle LOG10_ = handle("aten::log10_");
  private static final MethodHandle LOG1P = handle("aten::log1p");
  private static final MethodHandle LOG1P_ = handle("aten::log1p_");
  private static final MethodHandle SIN = handle("aten::sin");
  private static final MethodHandle SIN_ = handle("aten::sin_");
  private static final MethodHandle COS = handle("aten::cos");
  private static final MethodHandle COS_ = handle("aten::cos_");
  private static final MethodHandle TAN = handle("aten::tan");
  private static final MethodHandle TAN_ = handle("aten::tan_");
  private static final MethodHandle ASIN = handle("aten::asin");
  private static final MethodHandle ASIN_ = handle("aten::asin_");
  private static final MethodHandle ACOS = handle("aten::acos");
  private static final MethodHandle ACOS_ = handle("aten::acos_");
  private static final MethodHandle ATAN = handle("aten::atan");
  private static final MethodHandle ATAN_ = handle("aten::atan_");
  private static final MethodHandle SINH = handle("aten::sinh");
  private static final MethodHandle SINH_ = handle("aten::sinh_");
  private static final MethodHandle COSH = handle("aten::cosh");
  private static final MethodHandle COSH_ = handle("aten::cosh_");
  private static final MethodHandle TANH = handle("aten::tanh");
  private static final MethodHandle TANH_ = handle("aten::tanh_");
  private static final MethodHandle ASINH = handle("aten::asinh");
  private static final MethodHandle ASINH_ = handle("aten::asinh_");
  private static final MethodHandle ACOSH = handle("aten::acosh");
  private static final MethodHandle ACOSH_ = handle("aten::acosh_");
  private static final MethodHandle ATANH = handle("aten::atanh");
  private static final MethodHandle ATANH_ = handle("aten::atanh_");
  private static final MethodHandle ERF = handle("aten::erf");
  private static final MethodHandle ERF_ = handle("aten::erf_");
  private static final MethodHandle ERFC = handle("aten::erfc");
  private static final MethodHandle ERFC_ = handle("aten::erfc_");
  private static final MethodHandle SIGMOID = handle("aten::sigmoid");
  private static final MethodHandle SIGMOID_ = handle("aten::sigmoid_");
  private static final MethodHandle SQUARE = handle("aten::square");
  private static final MethodHandle SQUARE_ = handle("aten::square_");
  private static final MethodHandle LOGICAL_NOT = handle("aten::logical_not");
  private static final MethodHandle LOGICAL_NOT_ = handle("aten::logical_not_");
  private static final MethodHandle BITWISE_NOT = handle("aten::bitwise_not");
  private static final MethodHandle BITWISE_NOT_ = handle("aten::bitwise_not_");
  private static final MethodHandle ISNAN = handle("aten::isnan");
  private static final MethodHandle ISINF = handle("aten::isinf");
  private static final MethodHandle ISFINITE = handle("aten::isfinite");
  private static final MethodHandle ISPOSINF = handle("aten::isposinf");
  private static final MethodHandle ISNEGINF = handle("aten::isneginf");
  private static final MethodHandle SIGNBIT = handle("aten::signbit");
  private static final MethodHandle NAN_TO_NUM = handle("aten::nan_to_num");
  private static final MethodHandle LOGIT = handle("aten::logit");

  UnaryMathOps() {}

  public static Tensor abs(Tensor self) {
    return unary(ABS, self);
  }

  public static Tensor abs_(Tensor self) {
    return unary(ABS_, self);
  }

  public static Tensor neg(Tensor self) {
    return unary(NEG, self);
  }

  public static Tensor neg_(Tensor self) {
    return unary(NEG_, self);
  }

  public static Tensor sign(Tensor self) {
    return unary(SIGN, self);
  }

  public static Tensor sign_(Tensor self) {
    return unary(SIGN_, self);
  }

  public static Tensor floor(Tensor self) {
    return unary(FLOOR, self);
  }

  public static Tensor floor_(Tensor self) {
    return unary(FLOOR_, self);
  }

  public static Tensor ceil(Tensor self) {
    return unary(CEIL, self);
  }

  public static Tensor ceil_(Tensor self) {
    return unary(CEIL_, self);
  }

  public static Tensor round(Tensor self) {
    return unary(ROUND, self);
  }

  public static Tensor round_(Tensor self) {
    return unary(ROUND_, self);
  }

  public static Tensor trunc(Tensor self) {
    return unary(TRUNC, self);
  }

  public static Tensor trunc_(Tensor self) {
    return unary(TRUNC_, self);
  }

  public static Tensor frac(Tensor self) {
    return unary(FRAC, self);
  }

  public static Tensor frac_(Tensor self) {
    return unary(FRAC_, self);
  }

  public static Tensor sqrt(Tensor self) {
    return unary(SQRT, self);
  }

  public static Tensor sqrt_(Tensor self) {
    return unary(SQRT_, self);
  }

  public static Tensor rsqrt(Tensor self) {
    return unary(RSQRT, self);
  }

  public static Tensor rsqrt_(Tensor self) {
    return unary(RSQRT_, self);
  }

  public static Tensor reciprocal(Tensor self) {
    return unary(RECIPROCAL, self);
  }

  public static Tensor reciprocal_(Tensor self) {
    return unary(RECIPROCAL_, self);
  }

  public static Tensor exp(Tensor self) {
    return unary(EXP, self);
  }

  public static Tensor exp_(Tensor self) {
    return unary(EXP_, self);
  }

  public static Tensor exp2(Tensor self) {
    return unary(EXP2, self);
  }

  public static Tensor exp2_(Tensor self) {
    return unary(EXP2_, self);
  }

  public static Tensor expm1(Tensor self) {
    return unary(EXPM1, self);
  }

  public static Tensor expm1_(Tensor self) {
    return unary(EXPM1_, self);
  }

  public static Tensor log(Tensor self) {
    return unary(LOG, self);
  }

  public static Tensor log_(Tensor self) {
    return unary(LOG_, self);
  }

  public static Tensor log2(Tensor self) {
    return unary(LOG2, self);
  }

  public static Tensor log2_(Tensor self) {
    return unary(LOG2_, self);
  }

  public static Tensor log10(Tensor self) {
    return unary(LOG10, self);
  }

  public static Tensor log10_(Tensor self) {
    return unary(LOG10_, self);
  }

  public static Tensor log1p(Tensor self) {
    return unary(LOG1P, self);
  }

  public static Tensor log1p_(Tensor self) {
    return unary(LOG1P_, self);
  }

  public static Tensor sin(Tensor self) {
    return unary(SIN, self);
  }

  public static Tensor sin_(Tensor self) {
    return unary(SIN_, self);
  }

  public static Tensor cos(Tensor self) {
    return unary(COS, self);
  }

  public static Tensor cos_(Tensor self) {
    return unary(COS_, self);
  }

  public static Tensor tan(Tensor self) {
    return unary(TAN, self);
  }

  public static Tensor tan_(Tensor self) {
    return unary(TAN_, self);
  }

  public static Tensor asin(Tensor self) {
    return unary(ASIN, self);
  }

  public static Tensor asin_(Tensor self) {
    return unary(ASIN_, self);
  }

  public static Tensor acos(Tensor self) {
    return unary(ACOS, self);
  }

  public static Tensor acos_(Tensor self) {
    return unary(ACOS_, self);
  }

  public static Tensor atan(Tensor self) {
    return unary(ATAN, self);
  }

  public static Tensor atan_(Tensor self) {
    return unary(ATAN_, self);
  }

  public static Tensor sinh(Tensor self) {
    return unary(SINH, self);
  }

  public static Tensor sinh_(Tensor self) {
    return unary(SINH_, self);
  }

  public static Tensor cosh(Tensor self) {
    return unary(COSH, self);
  }

  public static Tensor cosh_(Tensor self) {
    return unary(COSH_, self);
  }

  public static Tensor tanh(Tensor self) {
    return unary(TANH, self);
  }

  public static Tensor tanh_(Tensor self) {
    return unary(TANH_, self);
  }

  public static Tensor asinh(Tensor self) {
    return unary(ASINH, self);
  }

  public static Tensor asinh_(Tensor self) {
    return unary(ASINH_, self);
  }

  public static Tensor acosh(Tensor self) {
    return unary(ACOSH, self);
  }

  public static Tensor acosh_(Tensor self) {
    return unary(ACOSH_, self);
  }

  public static Tensor atanh(Tensor self) {
    return unary(ATANH, self);
  }

  public static Tensor atanh_(Tensor self) {
    return unary(ATANH_, self);
  }

  public static Tensor erf(Tensor self) {
    return unary(ERF, self);
  }

  public static Tensor erf_(Tensor self) {
    return unary(ERF_, self);
  }

  public static Tensor erfc(Tensor self) {
    return unary(ERFC, self);
  }

  public static Tensor erfc_(Tensor self) {
    return unary(ERFC_, self);
  }

  public static Tensor sigmoid(Tensor self) {
    return unary(SIGMOID, self);
  }

  public static Tensor sigmoid_(Tensor self) {
    return unary(SIGMOID_, self);
  }

  public static Tensor square(Tensor self) {
    return unary(SQUARE, self);
  }

  public static Tensor square_(Tensor self) {
    return unary(SQUARE_, self);
  }

  public static Tensor logicalNot(Tensor self) {
    return unary(LOGICAL_NOT, self);
  }

  public static Tensor logicalNot_(Tensor self) {
    return unary(LOGICAL_NOT_, self);
  }

  public static Tensor bitwiseNot(Tensor self) {
    return unary(BITWISE_NOT, self);
  }

  public static Tensor bitwiseNot_(Tensor self) {
    return unary(BITWISE_NOT_, self);
  }

  public static Tensor isnan(Tensor self) {
    return unary(ISNAN, self);
  }

  public static Tensor isinf(Tensor self) {
    return unary(ISINF, self);
  }

  public static Tensor isfinite(Tensor self) {
    return unary(ISFINITE, self);
  }

  public static Tensor isposinf(Tensor self) {
    return unary(ISPOSINF, self);
  }

  public static Tensor isneginf(Tensor self) {
    return unary(ISNEGINF, self);
  }

  public static Tensor signbit(Tensor self) {
    return unary(SIGNBIT, self);
  }

  /** Null takes zero for NaN, and the dtype's largest numbers for infinities. */
  public static Tensor nanToNum(Tensor self, Double nan, Double posinf, Double neginf) {
    try {
      return (Tensor) NAN_TO_NUM.invokeExact(self, nan, posinf, neginf);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** With {@code eps} not null, the operand is first kept that far from 0 and 1. */
  public static Tensor logit(Tensor self, Double eps) {
    try {
      return (Tensor) LOGIT.invokeExact(self, eps);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }
}
