package dev.jcomms.tensor.internal.aten;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;

/** How definitions reach the kernels of {@code internal.cpu}. */
final class CpuKernels {
  private static final Lookup HERE = MethodHandles.lookup();

  private CpuKernels() {}

  static Lookup in(Class<?> kernels) {
    try {
      return MethodHandles.privateLookupIn(kernels, HERE);
    } catch (IllegalAccessException e) {
      throw new AssertionError("one module", e);
    }
  }
}
