package dev.jcomms.examples.tiny;

import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.DispatchKey;
import dev.jcomms.tensor.dispatch.Fallbacks;
import dev.jcomms.tensor.dispatch.Library;
import dev.jcomms.tensor.spi.OperatorLibrary;
import java.lang.invoke.MethodHandles;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** Registers the kernels, when operators are first used. */
public final class TinyLibrary implements OperatorLibrary {
  private static final Set<String> ON_CPU = ConcurrentHashMap.newKeySet();

  /** For the service loader. */
  public TinyLibrary() {}

  @Override
  public void register() {
    // Kernels, each checked against its operator's schema. Gradients need nothing: the formulas
    // are made of operators, which find these kernels again.
    Library.impl(
        "aten",
        DispatchKey.PRIVATE_USE_1,
        m -> m.kernels(MethodHandles.lookup().in(TinyKernels.class)));

    // Everything else goes to the cpu and back. Fallbacks.cpu() alone would warn in the log.
    Library.impl(
        "_",
        DispatchKey.PRIVATE_USE_1,
        m -> m.fallback(Fallbacks.cpu(op -> ON_CPU.add(op.name()))));

    // One gradient done in the device's own way, above its kernel.
    Library.impl(
        "aten", DispatchKey.AUTOGRAD_PRIVATE_USE_1, m -> m.impl("relu", TinyRelu::autograd));

    // An operator of one's own. A kernel in the definition serves every device and needs no
    // gradient of its own, being made of operators that have one.
    Library.define(
        "tiny",
        m -> {
          m.def("soft_clip(Tensor self, float limit) -> Tensor");
          m.impl("soft_clip", TinyLibrary::softClip);
        });
  }

  private static Tensor softClip(Tensor self, double limit) {
    return Ops.mul(Ops.tanh(Ops.div(self, Scalar.of(limit))), Scalar.of(limit));
  }

  /** The operators that had to go to the cpu so far. */
  static Set<String> onCpu() {
    return new TreeSet<>(ON_CPU);
  }
}
