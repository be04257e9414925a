package dev.jcomms.jccl.internal.reduce.simd;

import static dev.jcomms.jccl.internal.memory.Everything.EVERYTHING;

import dev.jcomms.jccl.internal.reduce.RowKernel;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Rows of longs. */
final class LongRows {
  private static final VectorOperators.Associative OP =
      Specialised.recipe(MethodHandles.lookup()).op();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final VectorSpecies<Long> LANES = LongVector.SPECIES_PREFERRED;
  private static final int STEP = LANES.vectorByteSize();

  private LongRows() {}

  /** Four vectors at a time, so that going from row to row costs a fourth; then the rest. */
  static void fold(
      long first, long stride, int rows, int mine, long own, long out, int count, int divisor) {
    long start = RowKernel.row(0, first, stride, mine, own);
    int bytes = count * Long.BYTES;
    int at = 0;
    for (; at + 4 * STEP <= bytes; at += 4 * STEP) {
      long from = start + at;
      LongVector a = load(from);
      LongVector b = load(from + STEP);
      LongVector c = load(from + 2 * STEP);
      LongVector d = load(from + 3 * STEP);
      for (int row = 1; row < rows; row++) {
        from = RowKernel.row(row, first, stride, mine, own) + at;
        a = a.lanewise(OP, load(from));
        b = b.lanewise(OP, load(from + STEP));
        c = c.lanewise(OP, load(from + 2 * STEP));
        d = d.lanewise(OP, load(from + 3 * STEP));
      }
      store(a, out + at);
      store(b, out + at + STEP);
      store(c, out + at + 2 * STEP);
      store(d, out + at + 3 * STEP);
    }
    for (; at < bytes; at += STEP) {
      LongVector a = load(start + at);
      for (int row = 1; row < rows; row++) {
        a = a.lanewise(OP, load(RowKernel.row(row, first, stride, mine, own) + at));
      }
      store(a, out + at);
    }
  }

  private static LongVector load(long address) {
    return LongVector.fromMemorySegment(LANES, EVERYTHING, address, ORDER);
  }

  private static void store(LongVector v, long address) {
    v.intoMemorySegment(EVERYTHING, address, ORDER);
  }
}
