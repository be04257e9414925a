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
  private static final long BYTES = SPECIES.vectorByteSize();
  private static final FloatVector ONE = FloatVector.broadcast(SPECIES, 1);
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private FloatVectorFoldLoop() {}

  /** What combines two, in both forms. */
  record Recipe(FloatFunction scalar, FloatVectorFunction vectors) {}

  static double run(long a, int n) {
    int whole = n - n % ALL_LANES;
    float[] acc = new float[whole == n ? LANES : ALL_LANES];
    if (WIDE) {
      four(a, whole, acc);
    } else {
      eight(a, whole, acc);
    }
    return FoldTail.finish(acc, a + whole * 4L, n - whole, F);
  }

  /** Leaves in {@code acc} all partial results, or where it is short, those of the last vector. */
  private static void four(long a, int whole, float[] acc) {
    FloatVector v0 = load(a);
    FloatVector v1 = load(a + BYTES);
    FloatVector v2 = load(a + 2 * BYTES);
    FloatVector v3 = load(a + 3 * BYTES);
    for (int i = ALL_LANES; i < whole; i += ALL_LANES) {
      long at = a + i * 4L;
      v0 = V.apply(v0, load(at), v0, ONE, ONE);
      v1 = V.apply(v1, load(at + BYTES), v1, ONE, ONE);
      v2 = V.apply(v2, load(at + 2 * BYTES), v2, ONE, ONE);
      v3 = V.apply(v3, load(at + 3 * BYTES), v3, ONE, ONE);
    }
    if (acc.length == LANES) {
      both(both(v0, v2), both(v1, v3)).intoArray(acc, 0);
      return;
    }
    v0.intoArray(acc, 0);
    v1.intoArray(acc, LANES);
    v2.intoArray(acc, 2 * LANES);
    v3.intoArray(acc, 3 * LANES);
  }

  private static void eight(long a, int whole, float[] acc) {
    FloatVector v0 = load(a);
    FloatVector v1 = load(a + BYTES);
    FloatVector v2 = load(a + 2 * BYTES);
    FloatVector v3 = load(a + 3 * BYTES);
    FloatVector v4 = load(a + 4 * BYTES);
    FloatVector v5 = load(a + 5 * BYTES);
    FloatVector v6 = load(a + 6 * BYTES);
    FloatVector v7 = load(a + 7 * BYTES);
    for (int i = ALL_LANES; i < whole; i += ALL_LANES) {
      long at = a + i * 4L;
      v0 = V.apply(v0, load(at), v0, ONE, ONE);
      v1 = V.apply(v1, load(at + BYTES), v1, ONE, ONE);
      v2 = V.apply(v2, load(at + 2 * BYTES), v2, ONE, ONE);
      v3 = V.apply(v3, load(at + 3 * BYTES), v3, ONE, ONE);
      v4 = V.apply(v4, load(at + 4 * BYTES), v4, ONE, ONE);
      v5 = V.apply(v5, load(at + 5 * BYTES), v5, ONE, ONE);
      v6 = V.apply(v6, load(at + 6 * BYTES), v6, ONE, ONE);
      v7 = V.apply(v7, load(at + 7 * BYTES), v7, ONE, ONE);
    }
    if (acc.length == LANES) {
      FloatVector even = both(both(v0, v4), both(v2, v6));
      both(even, both(both(v1, v5), both(v3, v7))).intoArray(acc, 0);
      return;
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
