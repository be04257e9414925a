package dev.jcomms.tensor.dispatch;

import java.io.Serializable;

/**
 * Code that an operator runs under one key. Kernels must be safe to call from any thread.
 *
 * <p>A <em>typed</em> kernel takes the schema's arguments as the Java types that {@link
 * Schema#methodType} gives. It can be a method reference, {@code m.impl("add.Tensor", Tiny::add)},
 * one of the shapes below; a static method found by name; or a method handle. Its types are held
 * against the schema when it is registered. A <em>boxed</em> kernel takes any schema's arguments as
 * an array.
 */
public sealed interface Kernel {
  /** Serves any operator: fallbacks, wrappers, recorders. */
  @FunctionalInterface
  non-sealed interface Boxed extends Kernel {
    /**
     * Runs the operator. {@code args} has every argument of the schema, defaults filled in, and may
     * be kept and changed; {@code keys} are those of the call.
     *
     * @return what the schema returns: null, the value, or an array of several
     */
    Object call(Operator op, DispatchKeySet keys, Object[] args) throws Throwable;
  }

  /**
   * A typed kernel as a lambda or method reference. Serializable only so that its parameter types
   * can be read and checked; nothing is ever serialised.
   */
  sealed interface Typed extends Kernel, Serializable {}

  @FunctionalInterface
  non-sealed interface Of0<R> extends Typed {
    R call() throws Throwable;
  }

  @FunctionalInterface
  non-sealed interface Of1<A, R> extends Typed {
    R call(A a) throws Throwable;
  }

  @FunctionalInterface
  non-sealed interface Of2<A, B, R> extends Typed {
    R call(A a, B b) throws Throwable;
  }

  @FunctionalInterface
  non-sealed interface Of3<A, B, C, R> extends Typed {
    R call(A a, B b, C c) throws Throwable;
  }

  @FunctionalInterface
  non-sealed interface Of4<A, B, C, D, R> extends Typed {
    R call(A a, B b, C c, D d) throws Throwable;
  }

  @FunctionalInterface
  non-sealed interface Of5<A, B, C, D, E, R> extends Typed {
    R call(A a, B b, C c, D d, E e) throws Throwable;
  }

  @FunctionalInterface
  non-sealed interface Of6<A, B, C, D, E, F, R> extends Typed {
    R call(A a, B b, C c, D d, E e, F f) throws Throwable;
  }

  @FunctionalInterface
  non-sealed interface Of7<A, B, C, D, E, F, G, R> extends Typed {
    R call(A a, B b, C c, D d, E e, F f, G g) throws Throwable;
  }

  @FunctionalInterface
  non-sealed interface Of8<A, B, C, D, E, F, G, H, R> extends Typed {
    R call(A a, B b, C c, D d, E e, F f, G g, H h) throws Throwable;
  }
}
