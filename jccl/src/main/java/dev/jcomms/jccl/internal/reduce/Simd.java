package dev.jcomms.jccl.internal.reduce;

import dev.jcomms.jccl.internal.reduce.simd.VectorKernels;
import java.util.Locale;

/**
 * Whether reductions use hardware vectors: decided once, when first asked.
 *
 * <p>They do if the JVM has {@code jdk.incubator.vector} or may fetch it ({@link VectorModule}),
 * native access for this module, a compiler that knows vectors of 128 bits or more, and not {@code
 * -Djcomms.simd=false}. Results are the same either way.
 */
public final class Simd {
  private static final int LEAST_BITS = 128;

  /** Why there is no use in trying; null if there is. */
  private static final String OBSTACLE = obstacle();

  private Simd() {}

  /** Fetches the module, so it is asked when speed begins to matter and not before. */
  private static final class Tried {
    /** Why not; null if so. */
    static final String OBSTACLE = Simd.OBSTACLE != null ? Simd.OBSTACLE : tried();
  }

  /** Whether vectors are likely to be available. Fetches nothing. */
  public static boolean likely() {
    return OBSTACLE == null;
  }

  /** Whether vectors can be used from here on. */
  public static boolean available() {
    return Tried.OBSTACLE == null;
  }

  /** For people: {@code jdk.incubator.vector, 128 bits (Neon)}, or what stands in the way. */
  public static String description() {
    return available()
        ? "%s, %d bits (%s)"
            .formatted(VectorModule.NAME, VectorKernels.bits(), name(VectorKernels.bits()))
        : "off: " + Tried.OBSTACLE;
  }

  private static String obstacle() {
    if (!Boolean.parseBoolean(System.getProperty("jcomms.simd", "true"))) {
      return "jcomms.simd=false";
    }
    if (!VectorModule.isPresent() && !VectorModule.isWithinReach()) {
      return "the JVM was started without --add-modules " + VectorModule.NAME;
    }
    String mode = System.getProperty("java.vm.info", "");
    if (mode.contains("interpreted") || mode.contains("emulated-client")) {
      return "the JVM runs without its optimising compiler (" + mode + ")";
    }
    Module self = Simd.class.getModule();
    if (!self.isNativeAccessEnabled()) {
      return "the JVM was started without --enable-native-access="
          + (self.isNamed() ? self.getName() : "ALL-UNNAMED");
    }
    return null;
  }

  private static String tried() {
    if (!VectorModule.isPresent()) {
      try {
        VectorModule.fetch();
      } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
        return "no module " + VectorModule.NAME + ": " + e;
      }
    }
    int bits = VectorKernels.bits();
    return bits < LEAST_BITS ? "vectors have " + bits + " bits" : null;
  }

  private static String name(int bits) {
    return switch (System.getProperty("os.arch").toLowerCase(Locale.ROOT)) {
      case "aarch64", "arm64" -> bits > 128 ? "SVE" : "Neon";
      case "amd64", "x86_64" -> bits > 256 ? "AVX-512" : bits > 128 ? "AVX2" : "SSE";
      default -> System.getProperty("os.arch");
    };
  }
}
