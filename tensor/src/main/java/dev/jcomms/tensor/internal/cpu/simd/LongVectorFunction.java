package dev.jcomms.tensor.internal.cpu.simd;

import jdk.incubator.vector.LongVector;

/** What happens to a vector of elements, in {@code long}. */
@FunctionalInterface
interface LongVectorFunction {
  LongVector apply(LongVector a, LongVector b, LongVector c, LongVector p, LongVector q);
}
