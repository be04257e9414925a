package dev.jcomms.tensor.internal.cpu.simd;

import jdk.incubator.vector.IntVector;

/** What happens to a vector of elements, in {@code int}. */
@FunctionalInterface
interface IntVectorFunction {
  IntVector apply(IntVector a, IntVector b, IntVector c, IntVector p, IntVector q);
}
