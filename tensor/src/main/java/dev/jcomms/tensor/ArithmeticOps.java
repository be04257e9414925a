package dev.jcomms.tensor;

import java.lang.invoke.MethodHandle;

/** Of {@link Ops}: sums, products, quotients, powers. */
abstract sealed class ArithmeticOps extends UnaryMathOps permits LogicOps {
  private static final MethodHandle ADD = handle("aten::add.Tensor");
  private static final MethodHandle ADD_ = handle("aten::add_.Tensor");
  private static final MethodHandle ADD_SCALAR = handle("aten::add.Scalar");
  private static final MethodHandle ADD_SCALAR_ = handle("aten::add_.Scalar");
  private static final MethodHandle SUB = handle("aten::sub.Tensor");
  private static final MethodHandle SUB_ = handle("aten::sub_.Tensor");
  private static final MethodHandle SUB_SCALAR = handle("aten::sub.Scalar");
  private static final MethodHandle SUB_SCALAR_ = handle("aten::sub_.Scalar");
  private static final MethodHandle MUL = handle("aten::mul.Tensor");
  private static final MethodHandle MUL_SCALAR = handle("aten::mul.Scalar");
  private static final MethodHandle MUL_ = handle("aten::mul_.Tensor");
  private static final MethodHandle MUL_SCALAR_ = handle("aten::mul_.Scalar");
  private static final MethodHandle DIV = handle("aten::div.Tensor");
  private static final MethodHandle DIV_SCALAR = handle("aten::div.Scalar");
  private static final MethodHandle DIV_ = handle("aten::div_.Tensor");
  private static final MethodHandle DIV_SCALAR_ = handle("aten::div_.Scalar");
  private static final MethodHandle DIV_MODE = handle("aten::div.Tensor_mode");
  private static final MethodHandle RSUB = handle("aten::rsub.Tensor");
  private static final MethodHandle RSUB_SCALAR = handle("aten::rsub.Scalar");
  private static final MethodHandle FLOOR_DIVIDE = handle("aten::floor_divide");
  private static final MethodHandle FLOOR_DIVIDE_SCALAR = handle("aten::floor_divide.Scalar");
  private static final MethodHandle REMAINDER = handle("aten::remainder.Tensor");
  private static final MethodHandle REMAINDER_SCALAR = handle("aten::remainder.Scalar");
  private static final MethodHandle FMOD = handle("aten::fmod.Tensor");
  private static final MethodHandle FMOD_SCALAR = handle("aten::fmod.Scalar");
  private static final MethodHandle POW = handle("aten::pow.Tensor_Tensor");
  private static final MethodHandle POW_SCALAR = handle("aten::pow.Tensor_Scalar");
  private static final MethodHandle POW_OF_SCALAR = handle("aten::pow.Scalar");
  private static final MethodHandle POW_ = handle("aten::pow_.Scalar");
  private static final MethodHandle MAXIMUM = handle("aten::maximum");
  private static final MethodHandle MINIMUM = handle("aten::minimum");
  private static final MethodHandle FMAX = handle("aten::fmax");
  private static final MethodHandle FMIN = handle("aten::fmin");
  private static final MethodHandle ATAN2 = handle("aten::atan2");
  private static final MethodHandle HYPOT = handle("aten::hypot");
  private static final MethodHandle LOGADDEXP = handle("aten::logaddexp");
  private static final MethodHandle XLOGY = handle("aten::xlogy.Tensor");
  private static final MethodHandle COPYSIGN = handle("aten::copysign.Tensor");
  private static final MethodHandle ADDCMUL = handle("aten::addcmul");
  private static final MethodHandle ADDCMUL_ = handle("aten::addcmul_");
  private static final MethodHandle ADDCDIV = handle("aten::addcdiv");
  private static final MethodHandle ADDCDIV_ = handle("aten::addcdiv_");
  private static final MethodHandle LERP = handle("aten::lerp.Tensor");
  private static final MethodHandle LERP_SCALAR = handle("aten::lerp.Scalar");
  private static final MethodHandle LERP_SCALAR_ = handle("aten::lerp_.Scalar");

  ArithmeticOps() {}

  public static Tensor add(Tensor self, Tensor other) {
    return add(self, other, Scalar.ONE);
  }

  /** {@code self + alpha * other}. */
  public static Tensor add(Tensor self, Tensor other, Scalar alpha) {
    try {
      return (Tensor) ADD.invokeExact(self, other, alpha);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor add(Tensor self, Scalar other) {
    try {
      return (Tensor) ADD_SCALAR.invokeExact(self, other, Scalar.ONE);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor add_(Tensor self, Tensor other) {
    return add_(self, other, Scalar.ONE);
  }

  /** {@code self + alpha * other}. */
  public static Tensor add_(Tensor self, Tensor other, Scalar alpha) {
    try {
      return (Tensor) ADD_.invokeExact(self, other, alpha);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor add_(Tensor self, Scalar other) {
    try {
      return (Tensor) ADD_SCALAR_.invokeExact(self, other, Scalar.ONE);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor sub(Tensor self, Tensor other) {
    return sub(self, other, Scalar.ONE);
  }

  /** {@code self - alpha * other}. */
  public static Tensor sub(Tensor self, Tensor other, Scalar alpha) {
    try {
      return (Tensor) SUB.invokeExact(self, other, alpha);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor sub(Tensor self, Scalar other) {
    try {
      return (Tensor) SUB_SCALAR.invokeExact(self, other, Scalar.ONE);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor sub_(Tensor self, Tensor other) {
    return sub_(self, other, Scalar.ONE);
  }

  /** {@code self - alpha * other}. */
  public static Tensor sub_(Tensor self, Tensor other, Scalar alpha) {
    try {
      return (Tensor) SUB_.invokeExact(self, other, alpha);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor sub_(Tensor self, Scalar other) {
    try {
      return (Tensor) SUB_SCALAR_.invokeExact(self, other, Scalar.ONE);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor mul(Tensor self, Tensor other) {
    return binary(MUL, self, other);
  }

  public static Tensor mul(Tensor self, Scalar other) {
    return withScalar(MUL_SCALAR, self, other);
  }

  public static Tensor mul_(Tensor self, Tensor other) {
    return binary(MUL_, self, other);
  }

  public static Tensor mul_(Tensor self, Scalar other) {
    return withScalar(MUL_SCALAR_, self, other);
  }

  public static Tensor div(Tensor self, Tensor other) {
    return binary(DIV, self, other);
  }

  public static Tensor div(Tensor self, Scalar other) {
    return withScalar(DIV_SCALAR, self, other);
  }

  public static Tensor div_(Tensor self, Tensor other) {
    return binary(DIV_, self, other);
  }

  public static Tensor div_(Tensor self, Scalar other) {
    return withScalar(DIV_SCALAR_, self, other);
  }

  /** With {@code roundingMode} null, "trunc" or "floor". */
  public static Tensor div(Tensor self, Tensor other, String roundingMode) {
    try {
      return (Tensor) DIV_MODE.invokeExact(self, other, roundingMode);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** {@code other - alpha * self}. */
  public static Tensor rsub(Tensor self, Tensor other, Scalar alpha) {
    try {
      return (Tensor) RSUB.invokeExact(self, other, alpha);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor rsub(Tensor self, Scalar other, Scalar alpha) {
    try {
      return (Tensor) RSUB_SCALAR.invokeExact(self, other, alpha);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor floorDivide(Tensor self, Tensor other) {
    return binary(FLOOR_DIVIDE, self, other);
  }

  public static Tensor floorDivide(Tensor self, Scalar other) {
    return withScalar(FLOOR_DIVIDE_SCALAR, self, other);
  }

  public static Tensor remainder(Tensor self, Tensor other) {
    return binary(REMAINDER, self, other);
  }

  public static Tensor remainder(Tensor self, Scalar other) {
    return withScalar(REMAINDER_SCALAR, self, other);
  }

  public static Tensor fmod(Tensor self, Tensor other) {
    return binary(FMOD, self, other);
  }

  public static Tensor fmod(Tensor self, Scalar other) {
    return withScalar(FMOD_SCALAR, self, other);
  }

  public static Tensor pow(Tensor self, Tensor other) {
    return binary(POW, self, other);
  }

  public static Tensor pow(Tensor self, Scalar other) {
    return withScalar(POW_SCALAR, self, other);
  }

  public static Tensor pow(Scalar self, Tensor exponent) {
    try {
      return (Tensor) POW_OF_SCALAR.invokeExact(self, exponent);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor pow_(Tensor self, Scalar exponent) {
    return withScalar(POW_, self, exponent);
  }

  public static Tensor maximum(Tensor self, Tensor other) {
    return binary(MAXIMUM, self, other);
  }

  public static Tensor minimum(Tensor self, Tensor other) {
    return binary(MINIMUM, self, other);
  }

  public static Tensor fmax(Tensor self, Tensor other) {
    return binary(FMAX, self, other);
  }

  public static Tensor fmin(Tensor self, Tensor other) {
    return binary(FMIN, self, other);
  }

  public static Tensor atan2(Tensor self, Tensor other) {
    return binary(ATAN2, self, other);
  }

  public static Tensor hypot(Tensor self, Tensor other) {
    return binary(HYPOT, self, other);
  }

  public static Tensor logaddexp(Tensor self, Tensor other) {
    return binary(LOGADDEXP, self, other);
  }

  public static Tensor xlogy(Tensor self, Tensor other) {
    return binary(XLOGY, self, other);
  }

  public static Tensor copysign(Tensor self, Tensor other) {
    return binary(COPYSIGN, self, other);
  }

  /** {@code self + value * tensor1 * tensor2}. */
  public static Tensor addcmul(Tensor self, Tensor tensor1, Tensor tensor2, Scalar value) {
    try {
      return (Tensor) ADDCMUL.invokeExact(self, tensor1, tensor2, value);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** {@code self + value * tensor1 * tensor2}. */
  public static Tensor addcmul_(Tensor self, Tensor tensor1, Tensor tensor2, Scalar value) {
    try {
      return (Tensor) ADDCMUL_.invokeExact(self, tensor1, tensor2, value);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** {@code self + value * tensor1 / tensor2}. */
  public static Tensor addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, Scalar value) {
    try {
      return (Tensor) ADDCDIV.invokeExact(self, tensor1, tensor2, value);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** {@code self + value * tensor1 / tensor2}. */
  public static Tensor addcdiv_(Tensor self, Tensor tensor1, Tensor tensor2, Scalar value) {
    try {
      return (Tensor) ADDCDIV_.invokeExact(self, tensor1, tensor2, value);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor lerp(Tensor self, Tensor end, Tensor weight) {
    return ternary(LERP, self, end, weight);
  }

  public static Tensor lerp(Tensor self, Tensor end, Scalar weight) {
    try {
      return (Tensor) LERP_SCALAR.invokeExact(self, end, weight);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor lerp_(Tensor self, Tensor end, Scalar weight) {
    try {
      return (Tensor) LERP_SCALAR_.invokeExact(self, end, weight);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }
}
