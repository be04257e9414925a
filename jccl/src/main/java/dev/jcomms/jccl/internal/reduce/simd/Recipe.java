package dev.jcomms.jccl.internal.reduce.simd;

import dev.jcomms.tensor.DType;
import jdk.incubator.vector.VectorOperators;

/**
 * What a copy of a class of loops is made for: constants of its compiled code.
 *
 * @param first the type of the first operand, which is either a term or what has been folded so far
 * @param firstScaled whether the first operand is to be multiplied by its factor
 * @param scaled whether the other operands are
 * @param divides whether the result is to be divided
 * @param unsigned whether lanes compare as unsigned
 */
record Recipe(
    VectorOperators.Associative op,
    DType first,
    boolean firstScaled,
    DType in,
    boolean scaled,
    DType out,
    boolean divides,
    boolean unsigned) {

  /** The whole of a reduction in one step. */
  Recipe(
      VectorOperators.Associative op,
      DType in,
      DType out,
      boolean scaled,
      boolean divides,
      boolean unsigned) {
    this(op, in, scaled, in, scaled, out, divides, unsigned);
  }

  /** The same, up to a result in the accumulating type that later steps go on from. */
  Recipe opening() {
    return new Recipe(op, first, firstScaled, in, scaled, accumulator(), false, unsigned);
  }

  /** The same, going on from what was folded so far. */
  Recipe continued() {
    return new Recipe(op, accumulator(), false, in, scaled, out, divides, unsigned);
  }

  DType accumulator() {
    return in == DType.BF16 ? DType.F32 : in;
  }
}
