package dev.jcomms.jccl.internal.reduce.simd;

import dev.jcomms.ReduceOp.Standard;
import dev.jcomms.jccl.internal.reduce.Kernel;
import dev.jcomms.jccl.internal.reduce.RowKernel;
import dev.jcomms.tensor.DType;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;

/** The vector kernel of each dtype and operation that has one. */
public final class VectorKernels {
  private VectorKernels() {}

  /** Bits of a hardware vector. */
  public static int bits() {
    return VectorShape.preferredShape().vectorBitSize();
  }

  /**
   * Whether there is a vector kernel. There is none where it would gain nothing: bools are folded
   * by the word anyway, the division of integers has no vector instruction, and the conversions of
   * f16 have one that only the compiler can reach.
   */
  public static boolean cover(DType in, DType out, Standard op) {
    return template(in, out, op) != null;
  }

  /** The vector twin of {@code scalar}, which does for it what is less than a vector. */
  public static Kernel of(DType in, DType out, Standard op, boolean scaled, Kernel scalar) {
    boolean average = op == Standard.AVG;
    boolean unsigned = in == DType.U8 && (op == Standard.MIN || op == Standard.MAX);
    return new VectorKernel(
        template(in, out, op),
        new Recipe(operator(op), in, out, scaled, average, unsigned),
        scalar);
  }

  /** The vector twin of {@code plain}, of one of the types of 32 and 64 bits. */
  public static RowKernel rows(DType dtype, Standard op, RowKernel plain) {
    Class<?> template =
        switch (dtype) {
          case F32 -> FloatRows.class;
          case F64 -> DoubleRows.class;
          case I32 -> IntRows.class;
          case I64 -> LongRows.class;
          default -> throw new IllegalArgumentException("no rows of " + dtype);
        };
    boolean average = op == Standard.AVG;
    return new VectorRows(
        template, new Recipe(operator(op), dtype, dtype, false, average, false), plain);
  }

  private static Class<?> template(DType in, DType out, Standard op) {
    boolean average = op == Standard.AVG;
    return switch (in) {
      case F32 -> out == DType.F16 ? null : FloatLoops.class;
      case BF16 -> FloatLoops.class;
      case F64 -> DoubleLoops.class;
      case I64 -> average ? null : LongLoops.class;
      case I32 -> average ? null : IntLoops.class;
      case I16 -> average ? null : ShortLoops.class;
      case I8, U8 -> average ? null : ByteLoops.class;
      case F16, BOOL, F8E4M3, F8E5M2 -> null;
    };
  }

  private static VectorOperators.Associative operator(Standard op) {
    return switch (op) {
      case SUM, AVG -> VectorOperators.ADD;
      case PRODUCT -> VectorOperators.MUL;
      case MIN -> VectorOperators.MIN;
      case MAX -> VectorOperators.MAX;
      case BAND -> VectorOperators.AND;
      case BOR -> VectorOperators.OR;
      case BXOR -> VectorOperators.XOR;
    };
  }
}
