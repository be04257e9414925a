package dev.jcomms.jccl.internal.reduce;

import static dev.jcomms.jccl.internal.reduce.Cases.factors;
import static dev.jcomms.jccl.internal.reduce.Cases.inputs;
import static dev.jcomms.jccl.internal.reduce.Cases.terms;

import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** A program for {@link VectorModuleTest}: says what becomes of vectors in its JVM. */
final class LateVectors {
  private static final int ELEMENTS = 4099;

  private LateVectors() {}

  public static void main(String[] args) {
    Reducers.of(DType.F32, ReduceOp.SUM);
    System.out.println("at first " + VectorModule.isPresent() + ", likely " + Simd.likely());
    System.out.println(Simd.description());
    if (Simd.available()) {
      byte[][] inputs = inputs(DType.F32, 2, ELEMENTS);
      byte[] expected = Oracle.reduce(DType.F32, ReduceOp.SUM, inputs, factors(2));
      try (Arena arena = Arena.ofShared()) {
        MemorySegment out = arena.allocate(expected.length);
        for (Kernel kernel : Cases.twins(DType.F32, DType.F32, ReduceOp.SUM)) {
          kernel.run(terms(arena, inputs, factors(2), expected.length, 0), out, 0, 0, ELEMENTS, 2);
          boolean same =
              Arrays.equals(expected, out.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
          System.out.println(kernel.getClass().getSimpleName() + " " + same);
        }
      }
    }
  }
}
