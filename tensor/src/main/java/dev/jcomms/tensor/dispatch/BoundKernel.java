package dev.jcomms.tensor.dispatch;

import java.lang.invoke.MethodHandle;

/** A kernel as one operator calls it: a handle of the schema's type, made when first needed. */
final class BoundKernel {
  private final Operator op;
  private final Kernel.Boxed boxed; // null if it came typed
  private final Kernel.Typed lambda; // null if it did not come as one
  private volatile MethodHandle typed;

  BoundKernel(Operator op, MethodHandle typed) {
    this.op = op;
    this.boxed = null;
    this.lambda = null;
    this.typed = typed;
  }

  BoundKernel(Operator op, Kernel.Typed lambda) {
    this.op = op;
    this.boxed = null;
    this.lambda = lambda;
    this.typed = KernelHandles.typed(op.schema(), lambda);
  }

  BoundKernel(Operator op, Kernel.Boxed boxed) {
    this.op = op;
    this.boxed = boxed;
    this.lambda = null;
  }

  MethodHandle typed() {
    MethodHandle made = typed;
    if (made == null) {
      made = KernelHandles.boxed(op, boxed);
      typed = made;
    }
    return made;
  }

  /** The lambda or method reference that it came as; null otherwise. */
  Kernel.Typed lambda() {
    return lambda;
  }
}
