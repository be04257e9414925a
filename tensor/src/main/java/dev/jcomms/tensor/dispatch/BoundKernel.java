package dev.jcomms.tensor.dispatch;

import java.lang.invoke.MethodHandle;

/** A kernel as one operator calls it: a handle of the schema's type, made when first needed. */
final class BoundKernel {
  private final Operator op;
  private final Kernel.Boxed boxed; // null if it came typed
  private volatile MethodHandle typed;

  BoundKernel(Operator op, MethodHandle typed) {
    this.op = op;
    this.boxed = null;
    this.typed = typed;
  }

  BoundKernel(Operator op, Kernel.Boxed boxed) {
    this.op = op;
    this.boxed = boxed;
  }

  MethodHandle typed() {
    MethodHandle made = typed;
    if (made == null) {
      made = KernelHandles.boxed(op, boxed);
      typed = made;
    }
    return made;
  }
}
