package dev.jcomms.tensor.dispatch;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Ready-made kernels for {@link Library#fallback}: what a device does with operators that it has no
 * kernel for.
 *
 * <pre>{@code
 * Library.impl("_", DispatchKey.PRIVATE_USE_1, m -> m.fallback(Fallbacks.cpu()));
 * }</pre>
 */
public final class Fallbacks {
  private static final System.Logger LOG = System.getLogger("dev.jcomms.tensor");

  private static final Kernel.Boxed FALLTHROUGH = Fallbacks::passOn;

  private Fallbacks() {}

  /**
   * Copies the arguments to the cpu, runs the operator there and copies the results back, to the
   * device of the first argument that is on one, or the device that the call asks for. Arguments
   * that the operator writes are written on the device and returned as the same objects; arguments
   * that share memory share it on the cpu. Each operator is warned about once, in the log {@code
   * dev.jcomms.tensor}.
   *
   * <p>Operators that return a view of an argument cannot be run so: a copy shares nothing. The
   * built-in ones need no kernel.
   */
  public static Kernel.Boxed cpu() {
    return cpu(
        op ->
            LOG.log(
                System.Logger.Level.WARNING,
                op.name()
                    + " has no kernel for the device of its arguments and runs on the cpu:"
                    + " copies there and back at every call"));
  }

  /**
   * {@link #cpu()} that tells somebody else: each operator is given to {@code firstUse} once,
   * before it first runs.
   */
  public static Kernel.Boxed cpu(Consumer<Operator> firstUse) {
    Set<String> told = ConcurrentHashMap.newKeySet();
    return (op, _, args) -> {
      if (told.add(op.name())) {
        firstUse.accept(op);
      }
      return HostCall.run(op, args);
    };
  }

  /**
   * Runs an operator on the cpu as {@link #cpu()} does, for a kernel that serves only some
   * arguments: {@code if (x.dtype() != F32) return Fallbacks.onCpu("aten::neg", x)}.
   */
  public static Object onCpu(String operator, Object... args) {
    Operator op = Dispatcher.operator(operator);
    return HostCall.run(op, Arguments.complete(op.schema(), args));
  }

  /**
   * Does nothing at an autograd key: the call goes on to the kernel of the device, unrecorded. As
   * the fallback of an autograd key it turns gradients off for all operators that have no kernel of
   * their own there. Other keys refuse it.
   */
  public static Kernel.Boxed fallthrough() {
    return FALLTHROUGH;
  }

  private static Object passOn(Operator op, DispatchKeySet keys, Object[] args) {
    return op.redispatch(keys.without(DispatchKeySet.AUTOGRADS), args);
  }

  /** Refuses a fallthrough where there is nothing below. */
  static void requireFit(DispatchKey key, Kernel.Boxed kernel) {
    if (kernel == FALLTHROUGH && (key == null || key.isRuntime() && !key.isAutograd())) {
      throw new IllegalArgumentException(
          "fallthrough: there is nothing below "
              + (key == null ? "a definition" : key)
              + " to go on to; it is for autograd keys");
    }
  }
}
