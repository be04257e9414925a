package dev.jcomms.tensor.dispatch;

import java.lang.invoke.MethodHandle;
import java.util.function.Supplier;

/** A kernel as one operator calls it: a handle of the schema's type, made when first needed. */
final class BoundKernel {
  private final Supplier<MethodHandle> maker; // null if it came typed
  private final Kernel.Typed lambda; // null if it did not come as one
  private volatile MethodHandle typed;

  BoundKernel(MethodHandle typed) {
    this.maker = null;
    this.lambda = null;
    this.typed = typed;
  }

  BoundKernel(Operator op, Kernel.Typed lambda) {
    this.maker = null;
    this.lambda = lambda;
    this.typed = KernelHandles.typed(op.schema(), lambda);
  }

  BoundKernel(Operator op, Kernel.Boxed boxed) {
    this.maker = () -> KernelHandles.boxed(op, boxed);
    this.lambda = null;
  }

  /** A kernel that is looked up, and held against the schema, when it is needed. */
  BoundKernel(Operator op, Supplier<MethodHandle> finder) {
    this.maker = () -> KernelHandles.typed(op.schema(), finder.get());
    this.lambda = null;
  }

  MethodHandle typed() {
    MethodHandle made = typed;
    if (made == null) {
      made = maker.get();
      typed = made;
    }
    return made;
  }

  /** The lambda or method reference that it came as; null otherwise. */
  Kernel.Typed lambda() {
    return lambda;
  }
}
