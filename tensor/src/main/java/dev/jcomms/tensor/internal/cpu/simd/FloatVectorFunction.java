package dev.jcomms.tensor.internal.cpu.simd;

import jdk.incubator.vector.FloatVector;

/** What happens to a vector of elements, in {@code float}. */
@FunctionalInterface
interface FloatVectorFunction {
  FloatVector apply(FloatVector a, FloatVector b, FloatVector c, FloatVector p, FloatVector q);
}
