package dev.jcomms.internal;

import dev.jcomms.Feature;
import dev.jcomms.spi.BackendProvider;
import java.util.Arrays;

/** Whether a backend's version is enough for a feature. */
final class FeatureGate {
  private FeatureGate() {}

  static boolean has(BackendProvider provider, Feature feature) {
    String needed = provider.features().get(feature);
    return needed != null && compare(provider.version(), needed) >= 0;
  }

  static void require(BackendProvider provider, Feature feature) {
    if (!has(provider, feature)) {
      String needed = provider.features().get(feature);
      throw new UnsupportedOperationException(
          needed == null
              ? "backend '" + provider.name() + "' has no " + feature
              : feature
                  + " needs "
                  + provider.name()
                  + " "
                  + needed
                  + "; found "
                  + provider.version());
    }
  }

  /** Compares by the numbers in front: 2.9 before 2.27.0, 2.27 the same as 2.27.0. */
  static int compare(String a, String b) {
    int[] x = numbers(a);
    int[] y = numbers(b);
    int length = Math.max(x.length, y.length);
    return Arrays.compare(Arrays.copyOf(x, length), Arrays.copyOf(y, length));
  }

  private static int[] numbers(String version) {
    String front = version.split("[^0-9.]", 2)[0];
    return Arrays.stream(front.split("\\."))
        .filter(part -> !part.isEmpty())
        .mapToInt(part -> part.length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(part))
        .toArray();
  }
}
