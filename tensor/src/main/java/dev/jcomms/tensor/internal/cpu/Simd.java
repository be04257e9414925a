package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.internal.cpu.simd.VectorLoops;
import java.lang.invoke.MethodHandle;

/**
 * Whether kernels use hardware vectors: decided once, when first asked.
 *
 * <p>They do if the JVM has {@code jdk.incubator.vector} or can fetch it, an optimising compiler
 * that knows vectors of 128 bits or more, and not {@code -Djcomms.simd=false}. Results are the same
 * either way.
 */
final class Simd {
  private static final int LEAST_BITS = 128;
  private static final boolean LIKELY = likely();

  private Simd() {}

  /** Touches no vector class, so it is asked after {@link #LIKELY} alone. */
  private static final class Tried {
    static final boolean AVAILABLE =
        LIKELY && VectorModule.fetch() && VectorLoops.bits() >= LEAST_BITS;
  }

  static boolean isLikely() {
    return LIKELY;
  }

  static boolean isAvailable() {
    return Tried.AVAILABLE;
  }

  /** The vector loop of a function; null if it has none. */
  static MethodHandle loop(Function function, Carrier carrier) {
    return isAvailable() ? VectorLoops.loop(function, carrier.dtype, Kernel.TYPE) : null;
  }

  /** The vector loop that folds by a function. */
  static MethodHandle fold(Function function, Carrier carrier) {
    return isAvailable() ? VectorLoops.fold(function, carrier.dtype, FoldKernel.TYPE) : null;
  }

  private static boolean likely() {
    String mode = System.getProperty("java.vm.info", "");
    return Boolean.parseBoolean(System.getProperty("jcomms.simd", "true"))
        && VectorModule.isWithinReach()
        && !mode.contains("interpreted")
        && !mode.contains("emulated-client");
  }
}
