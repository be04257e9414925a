package dev.jcomms.jccl.internal.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.reduce.simd.VectorKernels;
import dev.jcomms.tensor.DType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** What the tests of reductions share. */
final class Cases {
  private Cases() {}

  /** Every dtype with every operation it has. */
  static Stream<Arguments> reductions() {
    List<ReduceOp> ops = new ArrayList<>(List.of(ReduceOp.Standard.values()));
    ops.add(ReduceOp.premulSum(0));
    return Stream.of(DType.values())
        .flatMap(
            dtype ->
                ops.stream().filter(op -> op.accepts(dtype)).map(op -> Arguments.of(dtype, op)));
  }

  /** The scalar kernel, and the vector kernel if there is one. */
  static List<Kernel> twins(DType in, DType out, ReduceOp op) {
    ReduceOp.Standard plain = op instanceof ReduceOp.Standard s ? s : ReduceOp.Standard.SUM;
    boolean scaled = op instanceof ReduceOp.PremulSum;
    Kernel scalar = Reducers.scalar(in, out, plain, scaled);
    return VectorKernels.cover(in, out, plain)
        ? List.of(scalar, VectorKernels.of(in, out, plain, scaled, scalar))
        : List.of(scalar);
  }

  static byte[][] inputs(DType dtype, int n, int elements) {
    byte[][] inputs = new byte[n][];
    for (int k = 0; k < n; k++) {
      inputs[k] = Oracle.contribution(dtype, k, elements);
    }
    return inputs;
  }

  static double[] factors(int n) {
    double[] factors = new double[n];
    for (int k = 0; k < n; k++) {
      factors[k] = 0.3 * (k + 1);
    }
    return factors;
  }

  /** The inputs in native memory, {@code shift} bytes off any alignment. */
  static Terms terms(Arena arena, byte[][] inputs, double[] factors, long bytes, long shift) {
    Terms terms = new Terms();
    for (int k = 0; k < inputs.length; k++) {
      MemorySegment segment = arena.allocate(bytes + shift, 16);
      MemorySegment.copy(MemorySegment.ofArray(inputs[k]), 0, segment, shift, bytes);
      terms.add(segment, shift, factors[k]);
    }
    return terms;
  }

  static void assertBytes(MemorySegment actual, byte[] expected, long bytes, String what) {
    MemorySegment wanted = MemorySegment.ofArray(expected);
    long at = MemorySegment.mismatch(actual, 0, bytes, wanted, 0, bytes);
    assertThat(at).as(what + ": first byte that differs").isEqualTo(-1);
  }
}
