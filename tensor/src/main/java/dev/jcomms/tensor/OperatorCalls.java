package dev.jcomms.tensor;

import dev.jcomms.tensor.dispatch.Dispatcher;
import dev.jcomms.tensor.dispatch.Operator;

/**
 * How the families of {@link Ops} call: the operator, a constant, is shown all tensors of the call
 * and gives the kernel for them. A constant costs nothing until it is used.
 */
abstract class OperatorCalls {
  OperatorCalls() {}

  static Operator operator(String name) {
    return Dispatcher.operator(name);
  }

  static Tensor unary(Operator op, Tensor self) {
    try {
      return (Tensor) op.kernelFor(self).invokeExact(self);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  static Tensor binary(Operator op, Tensor self, Tensor other) {
    try {
      return (Tensor) op.kernelFor(self, other).invokeExact(self, other);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  static Tensor ternary(Operator op, Tensor self, Tensor other, Tensor third) {
    try {
      return (Tensor) op.kernelFor(self, other, third).invokeExact(self, other, third);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  static Tensor withScalar(Operator op, Tensor self, Scalar other) {
    try {
      return (Tensor) op.kernelFor(self).invokeExact(self, other);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  static Tensor withDim(Operator op, Tensor self, long dim) {
    try {
      return (Tensor) op.kernelFor(self).invokeExact(self, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  static Tensor withSizes(Operator op, Tensor self, long[] sizes) {
    try {
      return (Tensor) op.kernelFor(self).invokeExact(self, sizes);
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
