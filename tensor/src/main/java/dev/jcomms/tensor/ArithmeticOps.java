package dev.jcomms.tensor;

import dev.jcomms.tensor.dispatch.Operator;

/** Of {@link Ops}: sums, products, quotients, powers. */
abstract sealed class ArithmeticOps extends UnaryMathOps permits LogicOps {
  private static final Operator ADD = operator("aten::add.Tensor");
  private static final Operator ADD_ = operator("aten::add_.Tensor");
  private static final Operator ADD_SCALAR = operator("aten::add.Scalar");
  private static final Operator ADD_SCALAR_ = operator("aten::add_.Scalar");
  private static final Operator SUB = operator("aten::sub.Tensor");
  private static final Operator SUB_ = operator("aten::sub_.Tensor");
  private static final Operator SUB_SCALAR = operator("aten::sub.Scalar");
  private static final Operator SUB_SCALAR_ = operator("aten::sub_.Scalar");
  private static final Operator MUL = operator("aten::mul.Tensor");
  private static final Operator MUL_SCALAR = operator("aten::mul.Scalar");
  private static final Operator MUL_ = operator("aten::mul_.Tensor");
  private static final Operator MUL_SCALAR_ = operator("aten::mul_.Scalar");
  private static final Operator DIV = operator("aten::div.Tensor");
  private static final Operator DIV_SCALAR = operator("aten::div.Scalar");
  private static final Operator DIV_ = operator("aten::div_.Tensor");
  private static final Operator DIV_SCALAR_ = operator("aten::div_.Scalar");
  private static final Operator DIV_MODE = operator("aten::div.Tensor_mode");
  private static final Operator RSUB = operator("aten::rsub.Tensor");
  private static final Operator RSUB_SCALAR = operator("aten::rsub.Scalar");
  private static final Operator FLOOR_DIVIDE = operator("aten::floor_divide");
  private static final Operator FLOOR_DIVIDE_SCALAR = operator("aten::floor_divide.Scalar");
  private static final Operator REMAINDER = operator("aten::remainder.Tensor");
  private static final Operator REMAINDER_SCALAR = operator("aten::remainder.Scalar");
  private static final Operator FMOD = operator("aten::fmod.Tensor");
  private static final Operator FMOD_SCALAR = operator("aten::fmod.Scalar");
  private static final Operator POW = operator("aten::pow.Tensor_Tensor");
  private static final Operator POW_SCALAR = operator("aten::pow.Tensor_Scalar");
  private static final Operator POW_OF_SCALAR = operator("aten::pow.Scalar");
  private static final Operator POW_ = operator("aten::pow_.Scalar");
  private static final Operator MAXIMUM = operator("aten::maximum");
  private static final Operator MINIMUM = operator("aten::minimum");
  private static final Operator FMAX = operator("aten::fmax");
  private static final Operator FMIN = operator("aten::fmin");
  private static final Operator ATAN2 = operator("aten::atan2");
  private static final Operator HYPOT = operator("aten::hypot");
  private static final Operator LOGADDEXP = operator("aten::logaddexp");
  private static final Operator XLOGY = operator("aten::xlogy.Tensor");
  private static final Operator COPYSIGN = operator("aten::copysign.Tensor");
  private static final Operator ADDCMUL = operator("aten::addcmul");
  private static final Operator ADDCMUL_ = operator("aten::addcmul_");
  private static final Operator ADDCDIV = operator("aten::addcdiv");
  private static final Operator ADDCDIV_ = operator("aten::addcdiv_");
  private static final Operator LERP = operator("aten::lerp.Tensor");
  private static final Operator LERP_SCALAR = operator("aten::lerp.Scalar");
  private static final Operator LERP_SCALAR_ = operator("aten::lerp_.Scalar");

  ArithmeticOps() {}

  public static Tensor add(Tensor self, Tensor other) {
    return add(self, other, Scalar.ONE);
  }

  /** {@code self + alpha * other}. */
  public static Tensor add(Tensor self, Tensor other, Scalar alpha) {
    try {
      return (Tensor) ADD.kernelFor(self, other).invokeExact(self, other, alpha);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor add(Tensor self, Scalar other) {
    try {
      return (Tensor) ADD_SCALAR.kernelFor(self).invokeExact(self, other, Scalar.ONE);
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
      return (Tensor) ADD_.kernelFor(self, other).invokeExact(self, other, alpha);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor add_(Tensor self, Scalar other) {
    try {
      return (Tensor) ADD_SCALAR_.kernelFor(self).invokeExact(self, other, Scalar.ONE);
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
      return (Tensor) SUB.kernelFor(self, other).invokeExact(self, other, alpha);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor sub(Tensor self, Scalar other) {
    try {
      return (Tensor) SUB_SCALAR.kernelFor(self).invokeExact(self, other, Scalar.ONE);
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
      return (Tensor) SUB_.kernelFor(self, other).invokeExact(self, other, alpha);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor sub_(Tensor self, Scalar other) {
    try {
      return (Tensor) SUB_SCALAR_.kernelFor(self).invokeExact(self, other, Scalar.ONE);
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
      return (Tensor) DIV_MODE.kernelFor(self, other).invokeExact(self, other, roundingMode);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** {@code other - alpha * self}. */
  public static Tensor rsub(Tensor self, Tensor other, Scalar alpha) {
    try {
      return (Tensor) RSUB.kernelFor(self, other).invokeExact(self, other, alpha);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor rsub(Tensor self, Scalar other, Scalar alpha) {
    try {
      return (Tensor) RSUB_SCALAR.kernelFor(self).invokeExact(self, other, alpha);
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
      return (Tensor) POW_OF_SCALAR.kernelFor(exponent).invokeExact(self, exponent);
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
      return (Tensor)
          ADDCMUL.kernelFor(self, tensor1, tensor2).invokeExact(self, tensor1, tensor2, value);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** {@code self + value * tensor1 * tensor2}. */
  public static Tensor addcmul_(Tensor self, Tensor tensor1, Tensor tensor2, Scalar value) {
    try {
      return (Tensor)
          ADDCMUL_.kernelFor(self, tensor1, tensor2).invokeExact(self, tensor1, tensor2, value);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** {@code self + value * tensor1 / tensor2}. */
  public static Tensor addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, Scalar value) {
    try {
      return (Tensor)
          ADDCDIV.kernelFor(self, tensor1, tensor2).invokeExact(self, tensor1, tensor2, value);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** {@code self + value * tensor1 / tensor2}. */
  public static Tensor addcdiv_(Tensor self, Tensor tensor1, Tensor tensor2, Scalar value) {
    try {
      return (Tensor)
          ADDCDIV_.kernelFor(self, tensor1, tensor2).invokeExact(self, tensor1, tensor2, value);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor lerp(Tensor self, Tensor end, Tensor weight) {
    return ternary(LERP, self, end, weight);
  }

  public static Tensor lerp(Tensor self, Tensor end, Scalar weight) {
    try {
      return (Tensor) LERP_SCALAR.kernelFor(self, end).invokeExact(self, end, weight);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor lerp_(Tensor self, Tensor end, Scalar weight) {
    try {
      return (Tensor) LERP_SCALAR_.kernelFor(self, end).invokeExact(self, end, weight);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }
}
