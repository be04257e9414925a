package dev.jcomms.jccl.internal.reduce.simd;

import static dev.jcomms.jccl.internal.memory.Everything.EVERYTHING;

import dev.jcomms.jccl.internal.reduce.RowKernel;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Rows of doubles. */
final class DoubleRows {
  private static final Recipe RECIPE = Specialised.recipe(MethodHandles.lookup());
  private static final VectorOperators.Associative OP = RECIPE.op();
  private static final boolean DIVIDES = RECIPE.divides();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final VectorSpecies<Double> LANES = DoubleVector.SPECIES_PREFERRED;
  private static final int STEP = LANES.vectorByteSize();

  private DoubleRows() {}

  /** Four vectors at a time, so that going from row to row costs a fourth; then the rest. */
  static void fold(
      long first, long stride, int rows, int mine, long own, long out, int count, int divisor) {
    long start = RowKernel.row(0, first, stride, mine, own);
    int bytes = count * Double.BYTES;
    int at = 0;
    for (; at + 4 * STEP <= bytes; at += 4 * STEP) {
      long from = start + at;
      DoubleVector a = load(from);
      DoubleVector b = load(from + STEP);
      DoubleVector c = load(from + 2 * STEP);
      DoubleVector d = load(from + 3 * STEP);
      for (int row = 1; row < rows; row++) {
        from = RowKernel.row(row, first, stride, mine, own) + at;
        a = a.lanewise(OP, load(from));
        b = b.lanewise(OP, load(from + STEP));
        c = c.lanewise(OP, load(from + 2 * STEP));
        d = d.lanewise(OP, load(from + 3 * STEP));
      }
      store(a, divisor, out + at);
      store(b, divisor, out + at + STEP);
      store(c, divisor, out + at + 2 * STEP);
      store(d, divisor, out + at + 3 * STEP);
    }
    for (; at < bytes; at += STEP) {
      DoubleVector a = load(start + at);
      for (int row = 1; row < rows; row++) {
        a = a.lanewise(OP, load(RowKernel.row(row, first, stride, mine, own) + at));
      }
      store(a, divisor, out + at);
    }
  }

  private static DoubleVector load(long address) {
    return DoubleVector.fromMemorySegment(LANES, EVERYTHING, address, ORDER);
  }

  private static void store(DoubleVector v, double divisor, long address) {
    if (DIVIDES) {
      v = v.div(divisor);
    }
    v = v.blend(Double.NaN, v.compare(VectorOperators.NE, v)); // whatever its bits were
    v.intoMemorySegment(EVERYTHING, address, ORDER);
  }
}
