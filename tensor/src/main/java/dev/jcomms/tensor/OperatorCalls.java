package dev.jcomms.tensor;

import dev.jcomms.tensor.dispatch.Dispatcher;
import java.lang.invoke.MethodHandle;

/** How the families of {@link Ops} call: through method handles kept in constants. */
abstract class OperatorCalls {
  OperatorCalls() {}

  static MethodHandle handle(String name) {
    return Dispatcher.operator(name).handle();
  }

  static Tensor unary(MethodHandle op, Tensor self) {
    try {
      return (Tensor) op.invokeExact(self);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  static Tensor binary(MethodHandle op, Tensor self, Tensor other) {
    try {
      return (Tensor) op.invokeExact(self, other);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  static Tensor ternary(MethodHandle op, Tensor self, Tensor other, Tensor third) {
    try {
      return (Tensor) op.invokeExact(self, other, third);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  static Tensor withScalar(MethodHandle op, Tensor self, Scalar other) {
    try {
      return (Tensor) op.invokeExact(self, other);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  static Tensor withDim(MethodHandle op, Tensor self, long dim) {
    try {
      return (Tensor) op.invokeExact(self, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  static Tensor withSizes(MethodHandle op, Tensor self, long[] sizes) {
    try {
      return (Tensor) op.invokeExact(self, sizes);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** Throws what a kernel threw, checked or not. */
  static RuntimeException rethrow(Throwable t) {
    throw OperatorCalls.<RuntimeException>cast(t);
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> T cast(Throwable t) throws T {
    throw (T) t;
  }
}
