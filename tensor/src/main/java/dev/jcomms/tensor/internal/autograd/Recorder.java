package dev.jcomms.tensor.internal.autograd;

import dev.jcomms.tensor.dispatch.DispatchKeySet;
import dev.jcomms.tensor.dispatch.Dispatcher;
import dev.jcomms.tensor.dispatch.Kernel;
import dev.jcomms.tensor.dispatch.Operator;

/** What stands under an autograd key where nothing else does: runs the device's kernel. */
public final class Recorder {
  private Recorder() {}

  public static Kernel.Boxed of(Operator op) {
    return Recorder::run;
  }

  private static Object run(Operator op, DispatchKeySet keys, Object[] args) {
    try (var _ = Dispatcher.belowAutograd()) {
      return op.redispatch(keys.without(DispatchKeySet.AUTOGRADS), args);
    }
  }
}
