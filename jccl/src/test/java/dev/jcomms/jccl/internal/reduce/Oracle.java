package dev.jcomms.jccl.internal.reduce;

import dev.jcomms.ReduceOp;
import dev.jcomms.ReduceOp.Standard;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;

/**
 * What a reduction must give, computed one element at a time, by the tensors' own conversions, and
 * the elements it is computed from: hard ones.
 */
final class Oracle {
  private Oracle() {}

  /** Deterministic bytes of {@code elements} elements, every third one a special value. */
  static byte[] contribution(DType dtype, int rank, int elements) {
    byte[] bytes = new byte[elements * dtype.bytes()];
    new java.util.Random(dtype.ordinal() * 31L + rank).nextBytes(bytes);
    long[] special = specials(dtype);
    for (int i = rank % 3; i < elements; i += 3) {
      long bits = special[(i / 3 * (rank + 1) + rank) % special.length];
      for (int b = 0; b < dtype.bytes(); b++) {
        bytes[i * dtype.bytes() + b] = (byte) (bits >>> 8 * b);
      }
    }
    return bytes;
  }

  private static long[] specials(DType dtype) {
    return switch (dtype) {
      // zeros, ones, infinities, NaNs (quiet, negative, signalling), subnormals, largest
      case F32 ->
          new long[] {
            0,
            0x80000000L,
            0x3f800000,
            0x7f800000,
            0xff800000L,
            0x7fc00000,
            0xffc12345L,
            0x7f800001,
            0xffffffffL,
            1,
            0x807fffffL,
            0x7f7fffff,
            0xff7fffffL,
            0x3f808000,
            0x3f818000
          };
      case F64 ->
          new long[] {
            0,
            1L << 63,
            0x3ff0000000000000L,
            0x7ff0000000000000L,
            0xfff0000000000000L,
            0x7ff8000000000000L,
            0xfff8000000012345L,
            0x7ff0000000000001L,
            -1,
            1,
            0x800fffffffffffffL,
            0x7fefffffffffffffL
          };
      case F16 ->
          new long[] {
            0, 0x8000, 0x3c00, 0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x7c01, 0xffff, 1, 0x83ff, 0x7bff
          };
      case BF16 ->
          new long[] {
            0, 0x8000, 0x3f80, 0x7f80, 0xff80, 0x7fc0, 0xffc1, 0x7f81, 0xffff, 1, 0x807f, 0x7f7f
          };
      default -> new long[] {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0x80808080, 0x7f, 2};
    };
  }

  /** The bytes of the reduction of all contributions. */
  static byte[] reduce(DType dtype, ReduceOp op, byte[][] inputs, double[] factors) {
    int elements = inputs[0].length / dtype.bytes();
    Shape shape = Shape.of(elements);
    byte[] result = new byte[inputs[0].length];
    Tensor out = Tensor.wrap(MemorySegment.ofArray(result), dtype, shape);
    Tensor[] in = new Tensor[inputs.length];
    for (int k = 0; k < in.length; k++) {
      in[k] = Tensor.wrap(MemorySegment.ofArray(inputs[k]), dtype, shape);
    }
    for (int i = 0; i < elements; i++) {
      switch (dtype) {
        case F64 -> out.setDouble(f64(in, i, op, factors), i);
        case F32, F16, BF16 -> out.setFloat(f32(in, i, op, factors), i);
        default -> out.setLong(integer(in, i, op), i);
      }
    }
    return result;
  }

  private static double f64(Tensor[] in, int i, ReduceOp op, double[] factors) {
    boolean scaled = op instanceof ReduceOp.PremulSum;
    double acc = in[0].getDouble(i) * (scaled ? factors[0] : 1);
    for (int k = 1; k < in.length; k++) {
      double next = in[k].getDouble(i) * (scaled ? factors[k] : 1);
      acc =
          switch (op) {
            case Standard.PRODUCT -> acc * next;
            case Standard.MIN -> Math.min(acc, next);
            case Standard.MAX -> Math.max(acc, next);
            default -> acc + next;
          };
    }
    acc = op == ReduceOp.AVG ? acc / in.length : acc;
    return acc != acc ? Double.NaN : acc;
  }

  private static float f32(Tensor[] in, int i, ReduceOp op, double[] factors) {
    boolean scaled = op instanceof ReduceOp.PremulSum;
    float acc = in[0].getFloat(i) * (scaled ? (float) factors[0] : 1);
    for (int k = 1; k < in.length; k++) {
      float next = in[k].getFloat(i) * (scaled ? (float) factors[k] : 1);
      acc =
          switch (op) {
            case Standard.PRODUCT -> acc * next;
            case Standard.MIN -> Math.min(acc, next);
            case Standard.MAX -> Math.max(acc, next);
            default -> acc + next;
          };
    }
    acc = op == ReduceOp.AVG ? acc / in.length : acc;
    return acc != acc ? Float.NaN : acc;
  }

  private static long integer(Tensor[] in, int i, ReduceOp op) {
    long acc = in[0].getLong(i);
    for (int k = 1; k < in.length; k++) {
      long next = in[k].getLong(i);
      acc =
          switch (op) {
            case Standard.PRODUCT -> acc * next;
            case Standard.MIN -> Math.min(acc, next);
            case Standard.MAX -> Math.max(acc, next);
            case Standard.BAND -> acc & next;
            case Standard.BOR -> acc | next;
            case Standard.BXOR -> acc ^ next;
            default -> acc + next;
          };
    }
    return op == ReduceOp.AVG ? acc / in.length : acc;
  }
}
