package dev.jcomms.tensor.internal.cpu.simd;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import dev.jcomms.tensor.internal.cpu.FloatFunction;
import dev.jcomms.tensor.internal.cpu.Loop;
import dev.jcomms.tensor.internal.cpu.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Sines or cosines of blocks of {@code float}: a template of {@link Loop}.
 *
 * <p>A vector with an angle so large that its reduction takes more than floats goes one by one. The
 * two ways meet in memory: if they met in a vector, each would become an object for that.
 */
final class FloatAngleLoop {
  private static final Recipe RECIPE = Loop.data(MethodHandles.lookup(), Recipe.class);
  private static final FloatFunction F = RECIPE.scalar();
  private static final int QUARTERS = RECIPE.quarters();
  private static final MemorySegment ALL = Memory.ALL;
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private FloatAngleLoop() {}

  /**
   * @param quarters of a turn that are added to each angle
   */
  record Recipe(FloatFunction scalar, int quarters) {}

  static void run(long out, long a, long b, long c, int n, long p, long q) {
    int whole = n - n % LANES;
    int i = 0;
    while (true) {
      i = near(out, a, i, whole);
      int rest = Math.min(LANES, n - i);
      each(out + i * 4L, a + i * 4L, rest);
      i += rest;
      if (i == n) {
        return;
      }
    }
  }

  /** Goes from vector {@code i} on, up to the first that has a large angle; returns that. */
  private static int near(long out, long a, int i, int whole) {
    for (; i < whole; i += LANES) {
      long at = i * 4L;
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, ALL, a + at, ORDER);
      if (!FloatVectorMath.areNear(x)) {
        break;
      }
      FloatVectorMath.wave(x, QUARTERS).intoMemorySegment(ALL, out + at, ORDER);
    }
    return i;
  }

  private static void each(long out, long a, int n) {
    for (int i = 0; i < n; i++) {
      float x = ALL.get(JAVA_FLOAT_UNALIGNED, a + i * 4L);
      ALL.set(JAVA_FLOAT_UNALIGNED, out + i * 4L, F.apply(x, 0, 0, 0, 0));
    }
  }
}
