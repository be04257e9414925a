package dev.jcomms.tensor.internal.cpu.simd;

import dev.jcomms.tensor.internal.cpu.FloatFunction;
import dev.jcomms.tensor.internal.cpu.FoldTail;
import dev.jcomms.tensor.internal.cpu.Loop;
import dev.jcomms.tensor.internal.cpu.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Folds a block of {@code float} in as many partial results as the plain loop: eight vectors of 128
 * bits or four of 256. A template of {@link Loop}.
 */
final class FloatVectorFoldLoop {
  private static final Recipe RECIPE = Loop.data(MethodHandles.lookup(), Recipe.class);
  private static final FloatVectorFunction V = RECIPE.vectors();
  private static final FloatFunction F = RECIPE.scalar();
  private static final MemorySegment ALL = Memory.ALL;
  private static final boolean WIDE = FloatVector.SPECIES_PREFERRED.vectorBitSize() >= 256;
  private static final VectorSpecies<Float> SPECIES =
      WIDE ? FloatVector.SPECIES_256 : FloatVector.SPECIES_128;
  private static final int LANES = SPECIES.length();
  private static final int ALL_LANES = LANES * (WIDE ? 4 : 8);
  private static final int GROUP = FoldTail.ROWS * ALL_LANES;
  private static final long BYTES = SPECIES.vectorByteSize();
  private static final FloatVector ONE = FloatVector.broadcast(SPECIES, 1);
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private FloatVectorFoldLoop() {}

  /** What combines two, in both forms. */
  record Recipe(FloatFunction scalar, FloatVectorFunction vectors) {}

  static double run(long a, int n) {
    int whole = n - n % ALL_LANES;
    float[] total = new float[ALL_LANES];
    float[] acc = whole > GROUP ? new float[ALL_LANES] : total;
    for (int group = 0; group < whole; group += GROUP) {
      int count = Math.min(GROUP, whole - group);
      float[] into = group == 0 ? total : acc;
      if (WIDE) {
        four(a + group * 4L, count, into);
      } else {
        eight(a + group * 4L, count, into);
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
    return FoldTail.finish(total, lanes, a + whole * 4L, n - whole, F);
  }

  private static void combine(float[] into, float[] from, int fromAt, int count) {
    for (int k = 0; k < count; k += LANES) {
      FloatVector a = FloatVector.fromArray(SPECIES, into, k);
      both(a, FloatVector.fromArray(SPECIES, from, fromAt + k)).intoArray(into, k);
    }
  }

  private static void four(long a, int n, float[] acc) {
    FloatVector v0 = load(a);
    FloatVector v1 = load(a + BYTES);
    FloatVector v2 = load(a + 2 * BYTES);
    FloatVector v3 = load(a + 3 * BYTES);
    for (int i = ALL_LANES; i < n; i += ALL_LANES) {
      long at = a + i * 4L;
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

  private static void eight(long a, int n, float[] acc) {
    FloatVector v0 = load(a);
    FloatVector v1 = load(a + BYTES);
    FloatVector v2 = load(a + 2 * BYTES);
    FloatVector v3 = load(a + 3 * BYTES);
    FloatVector v4 = load(a + 4 * BYTES);
    FloatVector v5 = load(a + 5 * BYTES);
    FloatVector v6 = load(a + 6 * BYTES);
    FloatVector v7 = load(a + 7 * BYTES);
    for (int i = ALL_LANES; i < n; i += ALL_LANES) {
      long at = a + i * 4L;
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

  private static FloatVector both(FloatVector a, FloatVector b) {
    return V.apply(a, b, a, ONE, ONE);
  }

  private static FloatVector load(long at) {
    return FloatVector.fromMemorySegment(SPECIES, ALL, at, ORDER);
  }
}
