package dev.jcomms.tensor.internal.cpu.simd;

import jdk.incubator.vector.DoubleVector;

/** What happens to a vector of elements, in {@code double}. */
@FunctionalInterface
interface DoubleVectorFunction {
  DoubleVector apply(
      DoubleVector a, DoubleVector b, DoubleVector c, DoubleVector p, DoubleVector q);
}
