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
 * Applies a function to blocks of {@code float}, a vector at a time: a template of {@link Loop}.
 */
final class FloatVectorLoop {
  private static final Recipe RECIPE = Loop.data(MethodHandles.lookup(), Recipe.class);
  private static final FloatVectorFunction V = RECIPE.vectors();
  private static final FloatFunction F = RECIPE.scalar();
  private static final int ARITY = RECIPE.arity();
  private static final MemorySegment ALL = Memory.ALL;
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private FloatVectorLoop() {}

  /** A function in both forms; the scalar one does what is less than a vector. */
  record Recipe(int arity, FloatFunction scalar, FloatVectorFunction vectors) {}

  static void run(long out, long a, long b, long c, int n, long pBits, long qBits) {
    float p = Float.intBitsToFloat((int) pBits);
    float q = Float.intBitsToFloat((int) qBits);
    FloatVector vp = FloatVector.broadcast(SPECIES, p);
    FloatVector vq = FloatVector.broadcast(SPECIES, q);
    int whole = n - n % LANES;
    switch (ARITY) {
      case 1 -> {
        for (int i = 0; i < whole; i += LANES) {
          long at = i * 4L;
          FloatVector x = load(a + at);
          V.apply(x, x, x, vp, vq).intoMemorySegment(ALL, out + at, ORDER);
        }
      }
      case 2 -> {
        for (int i = 0; i < whole; i += LANES) {
          long at = i * 4L;
          FloatVector x = load(a + at);
          V.apply(x, load(b + at), x, vp, vq).intoMemorySegment(ALL, out + at, ORDER);
        }
      }
      default -> {
        for (int i = 0; i < whole; i += LANES) {
          long at = i * 4L;
          V.apply(load(a + at), load(b + at), load(c + at), vp, vq)
              .intoMemorySegment(ALL, out + at, ORDER);
        }
      }
    }
    for (int i = whole; i < n; i++) {
      long at = i * 4L;
      float x = ALL.get(JAVA_FLOAT_UNALIGNED, a + at);
      float y = ARITY > 1 ? ALL.get(JAVA_FLOAT_UNALIGNED, b + at) : 0;
      float z = ARITY > 2 ? ALL.get(JAVA_FLOAT_UNALIGNED, c + at) : 0;
      ALL.set(JAVA_FLOAT_UNALIGNED, out + at, F.apply(x, y, z, p, q));
    }
  }

  private static FloatVector load(long at) {
    return FloatVector.fromMemorySegment(SPECIES, ALL, at, ORDER);
  }
}
