package dev.jcomms.tensor;

import dev.jcomms.tensor.dispatch.Operator;

/** Of {@link Ops}: functions of one tensor. */
abstract sealed class UnaryMathOps extends MemoryOps permits ArithmeticOps {
  private static final Operator ABS = operator("aten::abs");
  private static final Operator ABS_ = operator("aten::abs_");
  private static final Operator NEG = operator("aten::neg");
  private static final Operator NEG_ = operator("aten::neg_");
  private static final Operator SIGN = operator("aten::sign");
  private static final Operator SIGN_ = operator("aten::sign_");
  private static final Operator FLOOR = operator("aten::floor");
  private static final Operator FLOOR_ = operator("aten::floor_");
  private static final Operator CEIL = operator("aten::ceil");
  private static final Operator CEIL_ = operator("aten::ceil_");
  private static final Operator ROUND = operator("aten::round");
  private static final Operator ROUND_ = operator("aten::round_");
  private static final Operator TRUNC = operator("aten::trunc");
  private static final Operator TRUNC_ = operator("aten::trunc_");
  private static final Operator FRAC = operator("aten::frac");
  private static final Operator FRAC_ = operator("aten::frac_");
  private static final Operator SQRT = operator("aten::sqrt");
  private static final Operator SQRT_ = operator("aten::sqrt_");
  private static final Operator RSQRT = operator("aten::rsqrt");
  private static final Operator RSQRT_ = operator("aten::rsqrt_");
  private static final Operator RECIPROCAL = operator("aten::reciprocal");
  private static final Operator RECIPROCAL_ = operator("aten::reciprocal_");
  private static final Operator EXP = operator("aten::exp");
  private static final Operator EXP_ = operator("aten::exp_");
  private static final Operator EXP2 = operator("aten::exp2");
  private static final Operator EXP2_ = operator("aten::exp2_");
  private static final Operator EXPM1 = operator("aten::expm1");
  private static final Operator EXPM1_ = operator("aten::expm1_");
  private static final Operator LOG = operator("aten::log");
  private static final Operator LOG_ = operator("aten::log_");
  private static final Operator LOG2 = operator("aten::log2");
  private static final Operator LOG2_ = operator("aten::log2_");
  private static final Operator LOG10 = operator("aten::log10");
  private static final Operator LOG10_ = operator("aten::log10_");
  private static final Operator LOG1P = operator("aten::log1p");
  private static final Operator LOG1P_ = operator("aten::log1p_");
  private static final Operator SIN = operator("aten::sin");
  private static final Operator SIN_ = operator("aten::sin_");
  private static final Operator COS = operator("aten::cos");
  private static final Operator COS_ = operator("aten::cos_");
  private static final Operator TAN = operator("aten::tan");
  private static final Operator TAN_ = operator("aten::tan_");
  private static final Operator ASIN = operator("aten::asin");
  private static final Operator ASIN_ = operator("aten::asin_");
  private static final Operator ACOS = operator("aten::acos");
  private static final Operator ACOS_ = operator("aten::acos_");
  private static final Operator ATAN = operator("aten::atan");
  private static final Operator ATAN_ = operator("aten::atan_");
  private static final Operator SINH = operator("aten::sinh");
  private static final Operator SINH_ = operator("aten::sinh_");
  private static final Operator COSH = operator("aten::cosh");
  private static final Operator COSH_ = operator("aten::cosh_");
  private static final Operator TANH = operator("aten::tanh");
  private static final Operator TANH_ = operator("aten::tanh_");
  private static final Operator ASINH = operator("aten::asinh");
  private static final Operator ASINH_ = operator("aten::asinh_");
  private static final Operator ACOSH = operator("aten::acosh");
  private static final Operator ACOSH_ = operator("aten::acosh_");
  private static final Operator ATANH = operator("aten::atanh");
  private static final Operator ATANH_ = operator("aten::atanh_");
  private static final Operator ERF = operator("aten::erf");
  private static final Operator ERF_ = operator("aten::erf_");
  private static final Operator ERFC = operator("aten::erfc");
  private static final Operator ERFC_ = operator("aten::erfc_");
  private static final Operator SIGMOID = operator("aten::sigmoid");
  private static final Operator SIGMOID_ = operator("aten::sigmoid_");
  private static final Operator SQUARE = operator("aten::square");
  private static final Operator SQUARE_ = operator("aten::square_");
  private static final Operator LOGICAL_NOT = operator("aten::logical_not");
  private static final Operator LOGICAL_NOT_ = operator("aten::logical_not_");
  private static final Operator BITWISE_NOT = operator("aten::bitwise_not");
  private static final Operator BITWISE_NOT_ = operator("aten::bitwise_not_");
  private static final Operator ISNAN = operator("aten::isnan");
  private static final Operator ISINF = operator("aten::isinf");
  private static final Operator ISFINITE = operator("aten::isfinite");
  private static final Operator ISPOSINF = operator("aten::isposinf");
  private static final Operator ISNEGINF = operator("aten::isneginf");
  private static final Operator SIGNBIT = operator("aten::signbit");
  private static final Operator NAN_TO_NUM = operator("aten::nan_to_num");
  private static final Operator LOGIT = operator("aten::logit");

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
      return (Tensor) NAN_TO_NUM.kernelFor(self).invokeExact(self, nan, posinf, neginf);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** With {@code eps} not null, the operand is first kept that far from 0 and 1. */
  public static Tensor logit(Tensor self, Double eps) {
    try {
      return (Tensor) LOGIT.kernelFor(self).invokeExact(self, eps);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }
}
