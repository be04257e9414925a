package dev.jcomms.tensor.internal.cpu.simd;

import dev.jcomms.tensor.internal.cpu.DoubleFunction;
import dev.jcomms.tensor.internal.cpu.FoldTail;
import dev.jcomms.tensor.internal.cpu.Loop;
import dev.jcomms.tensor.internal.cpu.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Folds a block of {@code double} in as many partial results as the plain loop: eight vectors of
 * 128 bits or four of 256. A template of {@link Loop}.
 */
final class DoubleVectorFoldLoop {
  private static final Recipe RECIPE = Loop.data(MethodHandles.lookup(), Recipe.class);
  private static final DoubleVectorFunction V = RECIPE.vectors();
  private static final DoubleFunction F = RECIPE.scalar();
  private static final MemorySegment ALL = Memory.ALL;
  private static final boolean WIDE = DoubleVector.SPECIES_PREFERRED.vectorBitSize() >= 256;
  private static final VectorSpecies<Double> SPECIES =
      WIDE ? DoubleVector.SPECIES_256 : DoubleVector.SPECIES_128;
  private static final int LANES = SPECIES.length();
  private static final int ALL_LANES = LANES * (WIDE ? 4 : 8);
  private static final int GROUP = FoldTail.ROWS * ALL_LANES;
  private static final long BYTES = SPECIES.vectorByteSize();
  private static final DoubleVector ONE = DoubleVector.broadcast(SPECIES, 1);
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private DoubleVectorFoldLoop() {}

  /** What combines two, in both forms. */
  record Recipe(DoubleFunction scalar, DoubleVectorFunction vectors) {}

  static double run(long a, int n) {
    int whole = n - n % ALL_LANES;
    double[] total = new double[ALL_LANES];
    double[] acc = whole > GROUP ? new double[ALL_LANES] : total;
    for (int group = 0; group < whole; group += GROUP) {
      int count = Math.min(GROUP, whole - group);
      double[] into = group == 0 ? total : acc;
      if (WIDE) {
        four(a + group * 8L, count, into);
      } else {
        eight(a + group * 8L, count, into);
      }
      if (group > 0) {
        combine(total, acc, 0, ALL_LANES);
      }
    }
    int lanes = ALL_LANES;
    if (whole == n) {
      for (; lanes > LANES; lanes /= 2) {
        combine(total, total, lanes / 2, lanes / 2);
      }
    }
    return FoldTail.finish(total, lanes, a + whole * 8L, n - whole, F);
  }

  private static void combine(double[] into, double[] from, int fromAt, int count) {
    for (int k = 0; k < count; k += LANES) {
      DoubleVector a = DoubleVector.fromArray(SPECIES, into, k);
      both(a, DoubleVector.fromArray(SPECIES, from, fromAt + k)).intoArray(into, k);
    }
  }

  private static void four(long a, int n, double[] acc) {
    DoubleVector v0 = load(a);
    DoubleVector v1 = load(a + BYTES);
    DoubleVector v2 = load(a + 2 * BYTES);
    DoubleVector v3 = load(a + 3 * BYTES);
    for (int i = ALL_LANES; i < n; i += ALL_LANES) {
      long at = a + i * 8L;
      v0 = both(v0, load(at));
      v1 = both(v1, load(at + BYTES));
      v2 = both(v2, load(at + 2 * BYTES));
      v3 = both(v3, load(at + 3 * BYTES));
    }
    v0.intoArray(acc, 0);
    v1.intoArray(acc, LANES);
    v2.intoArray(acc, 2 * LANES);
    v3.intoArray(acc, 3 * LANES);
  }

  private static void eight(long a, int n, double[] acc) {
    DoubleVector v0 = load(a);
    DoubleVector v1 = load(a + BYTES);
    DoubleVector v2 = load(a + 2 * BYTES);
    DoubleVector v3 = load(a + 3 * BYTES);
    DoubleVector v4 = load(a + 4 * BYTES);
    DoubleVector v5 = load(a + 5 * BYTES);
    DoubleVector v6 = load(a + 6 * BYTES);
    DoubleVector v7 = load(a + 7 * BYTES);
    for (int i = ALL_LANES; i < n; i += ALL_LANES) {
      long at = a + i * 8L;
      v0 = both(v0, load(at));
      v1 = both(v1, load(at + BYTES));
      v2 = both(v2, load(at + 2 * BYTES));
      v3 = both(v3, load(at + 3 * BYTES));
      v4 = both(v4, load(at + 4 * BYTES));
      v5 = both(v5, load(at + 5 * BYTES));
      v6 = both(v6, load(at + 6 * BYTES));
      v7 = both(v7, load(at + 7 * BYTES));
    }
    v0.intoArray(acc, 0);
    v1.intoArray(acc, LANES);
    v2.intoArray(acc, 2 * LANES);
    v3.intoArray(acc, 3 * LANES);
    v4.intoArray(acc, 4 * LANES);
    v5.intoArray(acc, 5 * LANES);
    v6.intoArray(acc, 6 * LANES);
    v7.intoArray(acc, 7 * LANES);
  }

  private static DoubleVector both(DoubleVector a, DoubleVector b) {
    return V.apply(a, b, a, ONE, ONE);
  }

  private static DoubleVector load(long at) {
    return DoubleVector.fromMemorySegment(SPECIES, ALL, at, ORDER);
  }
}
