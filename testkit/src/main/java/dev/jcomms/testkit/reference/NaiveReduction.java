package dev.jcomms.testkit.reference;

import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The arithmetic of reductions, one element after the other, in rank order.
 *
 * <p>Each rank contributes its elements in the type they are accumulated in: f16 and bf16 as f32,
 * everything else as it is, already multiplied where the operation says so. The result is rounded
 * to the tensor's type once, at the end.
 */
final class NaiveReduction {
  private NaiveReduction() {}

  /** What a rank brings to a reduction. */
  static byte[] contribution(Tensor input, ReduceOp op) {
    Tensor wide = Tensor.empty(accumulated(input.dtype()), input.shape()).copyFrom(input);
    if (op instanceof ReduceOp.PremulSum(double factor)) {
      Tensor flat = wide.flatten();
      for (long i = 0; i < flat.elements(); i++) {
        flat.setDouble(
            flat.dtype() == DType.F64
                ? flat.getDouble(i) * factor
                : flat.getFloat(i) * (float) factor,
            i);
      }
    }
    return Bytes.of(wide);
  }

  /** Writes the reduction of all contributions, which are in rank order. */
  static void reduce(List<byte[]> contributions, ReduceOp op, Tensor output) {
    DType type = accumulated(output.dtype());
    List<Tensor> terms =
        contributions.stream()
            .map(bytes -> Tensor.wrap(MemorySegment.ofArray(bytes), type, output.shape()))
            .toList();
    switch (type) {
      case F64 -> output.copyFrom(Tensor.wrap(doubles(terms, op), output.shape()));
      case F32 -> output.copyFrom(Tensor.wrap(floats(terms, op), output.shape()));
      default -> output.copyFrom(Tensor.wrap(longs(terms, op), output.shape()));
    }
  }

  private static DType accumulated(DType dtype) {
    return dtype == DType.F16 || dtype == DType.BF16 ? DType.F32 : dtype;
  }

  private static double[] doubles(List<Tensor> terms, ReduceOp op) {
    double[] acc = terms.getFirst().toDoubleArray();
    for (Tensor next : terms.subList(1, terms.size())) {
      double[] term = next.toDoubleArray();
      for (int i = 0; i < acc.length; i++) {
        acc[i] = combine(acc[i], term[i], op);
      }
    }
    for (int i = 0; op == ReduceOp.AVG && i < acc.length; i++) {
      acc[i] /= terms.size();
    }
    return acc;
  }

  private static float[] floats(List<Tensor> terms, ReduceOp op) {
    float[] acc = terms.getFirst().toFloatArray();
    for (Tensor next : terms.subList(1, terms.size())) {
      float[] term = next.toFloatArray();
      for (int i = 0; i < acc.length; i++) {
        acc[i] = combine(acc[i], term[i], op);
      }
    }
    for (int i = 0; op == ReduceOp.AVG && i < acc.length; i++) {
      acc[i] /= terms.size();
    }
    return acc;
  }

  /**
   * Integers and booleans. What does not fit the type is cut when it is written, as a sum wraps.
   */
  private static long[] longs(List<Tensor> terms, ReduceOp op) {
    long[] acc = terms.getFirst().toLongArray();
    for (Tensor next : terms.subList(1, terms.size())) {
      long[] term = next.toLongArray();
      for (int i = 0; i < acc.length; i++) {
        acc[i] = combine(acc[i], term[i], op);
      }
    }
    for (int i = 0; op == ReduceOp.AVG && i < acc.length; i++) {
      acc[i] /= terms.size(); // Java's division truncates toward zero
    }
    return acc;
  }

  /** {@link Math#min} and {@link Math#max} propagate NaN. */
  static double combine(double a, double b, ReduceOp op) {
    return switch (op) {
      case ReduceOp.Standard.SUM, ReduceOp.Standard.AVG -> a + b;
      case ReduceOp.PremulSum _ -> a + b;
      case ReduceOp.Standard.PRODUCT -> a * b;
      case ReduceOp.Standard.MIN -> Math.min(a, b);
      case ReduceOp.Standard.MAX -> Math.max(a, b);
      case ReduceOp.Standard _ -> throw new AssertionError(op + " of floats");
    };
  }

  static float combine(float a, float b, ReduceOp op) {
    return switch (op) {
      case ReduceOp.Standard.SUM, ReduceOp.Standard.AVG -> a + b;
      case ReduceOp.PremulSum _ -> a + b;
      case ReduceOp.Standard.PRODUCT -> a * b;
      case ReduceOp.Standard.MIN -> Math.min(a, b);
      case ReduceOp.Standard.MAX -> Math.max(a, b);
      case ReduceOp.Standard _ -> throw new AssertionError(op + " of floats");
    };
  }

  static long combine(long a, long b, ReduceOp op) {
    return switch (op) {
      case ReduceOp.Standard.SUM, ReduceOp.Standard.AVG -> a + b;
      case ReduceOp.Standard.PRODUCT -> a * b;
      case ReduceOp.Standard.MIN -> Math.min(a, b);
      case ReduceOp.Standard.MAX -> Math.max(a, b);
      case ReduceOp.Standard.BAND -> a & b;
      case ReduceOp.Standard.BOR -> a | b;
      case ReduceOp.Standard.BXOR -> a ^ b;
      case ReduceOp.PremulSum _ -> throw new AssertionError(op + " of integers");
    };
  }
}
