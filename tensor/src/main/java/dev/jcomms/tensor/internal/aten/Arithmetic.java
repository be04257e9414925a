package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.Dispatcher;
import java.lang.invoke.MethodHandle;

/** The arithmetic that composites are written in, short to call. */
final class Arithmetic {
  private static final MethodHandle ADD = handle("add.Tensor");
  private static final MethodHandle SUB = handle("sub.Tensor");
  private static final MethodHandle MUL = handle("mul.Tensor");
  private static final MethodHandle DIV = handle("div.Tensor");
  private static final MethodHandle ADD_SCALAR = handle("add.Scalar");
  private static final MethodHandle MUL_SCALAR = handle("mul.Scalar");
  private static final MethodHandle DIV_SCALAR = handle("div.Scalar");
  private static final MethodHandle EQ_SCALAR = handle("eq.Scalar");
  private static final MethodHandle LT_SCALAR = handle("lt.Scalar");
  private static final MethodHandle NEG = handle("neg");
  private static final MethodHandle ABS = handle("abs");
  private static final MethodHandle NOT = handle("bitwise_not");
  private static final MethodHandle RSQRT = handle("rsqrt");
  private static final MethodHandle EXP = handle("exp");
  private static final MethodHandle LOG1P = handle("log1p");
  private static final MethodHandle CLAMP_MIN = handle("clamp_min");
  private static final MethodHandle WHERE = handle("where.self");
  private static final MethodHandle SUM = handle("sum");
  private static final MethodHandle SUM_DIMS = handle("sum.dim_IntList");
  private static final MethodHandle MEAN = handle("mean");
  private static final MethodHandle MEAN_DIMS = handle("mean.dim");

  private Arithmetic() {}

  private static MethodHandle handle(String name) {
    return Dispatcher.operator("aten::" + name).handle();
  }

  static Tensor add(Tensor a, Tensor b) {
    return scaled(ADD, a, b);
  }

  static Tensor sub(Tensor a, Tensor b) {
    return scaled(SUB, a, b);
  }

  static Tensor mul(Tensor a, Tensor b) {
    return two(MUL, a, b);
  }

  static Tensor div(Tensor a, Tensor b) {
    return two(DIV, a, b);
  }

  static Tensor add(Tensor a, double b) {
    try {
      return (Tensor) ADD_SCALAR.invokeExact(a, Scalar.of(b), Scalar.ONE);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  static Tensor mul(Tensor a, double b) {
    return withScalar(MUL_SCALAR, a, Scalar.of(b));
  }

  static Tensor div(Tensor a, double b) {
    return withScalar(DIV_SCALAR, a, Scalar.of(b));
  }

  static Tensor eq(Tensor a, long b) {
    return withScalar(EQ_SCALAR, a, Scalar.of(b));
  }

  static Tensor lt(Tensor a, double b) {
    return withScalar(LT_SCALAR, a, Scalar.of(b));
  }

  static Tensor clampMin(Tensor a, double least) {
    return withScalar(CLAMP_MIN, a, Scalar.of(least));
  }

  static Tensor neg(Tensor a) {
    return one(NEG, a);
  }

  static Tensor abs(Tensor a) {
    return one(ABS, a);
  }

  static Tensor not(Tensor a) {
    return one(NOT, a);
  }

  static Tensor rsqrt(Tensor a) {
    return one(RSQRT, a);
  }

  static Tensor exp(Tensor a) {
    return one(EXP, a);
  }

  static Tensor log1p(Tensor a) {
    return one(LOG1P, a);
  }

  static Tensor where(Tensor condition, Tensor a, Tensor b) {
    try {
      return (Tensor) WHERE.invokeExact(condition, a, b);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  static Tensor sum(Tensor a) {
    return all(SUM, a);
  }

  static Tensor mean(Tensor a) {
    return all(MEAN, a);
  }

  static Tensor sum(Tensor a, long[] dims, boolean keep) {
    return along(SUM_DIMS, a, dims, keep);
  }

  static Tensor mean(Tensor a, long[] dims, boolean keep) {
    return along(MEAN_DIMS, a, dims, keep);
  }

  private static Tensor one(MethodHandle op, Tensor a) {
    try {
      return (Tensor) op.invokeExact(a);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  private static Tensor two(MethodHandle op, Tensor a, Tensor b) {
    try {
      return (Tensor) op.invokeExact(a, b);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  private static Tensor scaled(MethodHandle op, Tensor a, Tensor b) {
    try {
      return (Tensor) op.invokeExact(a, b, Scalar.ONE);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  private static Tensor withScalar(MethodHandle op, Tensor a, Scalar b) {
    try {
      return (Tensor) op.invokeExact(a, b);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  private static Tensor all(MethodHandle op, Tensor a) {
    try {
      return (Tensor) op.invokeExact(a, (DType) null);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  private static Tensor along(MethodHandle op, Tensor a, long[] dims, boolean keep) {
    try {
      return (Tensor) op.invokeExact(a, dims, keep, (DType) null);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  private static RuntimeException rethrow(Throwable t) {
    throw Arithmetic.<RuntimeException>cast(t);
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> T cast(Throwable t) throws T {
    throw (T) t;
  }
}
