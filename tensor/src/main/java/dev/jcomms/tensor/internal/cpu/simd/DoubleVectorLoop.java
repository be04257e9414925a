package dev.jcomms.tensor.internal.cpu.simd;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;

import dev.jcomms.tensor.internal.cpu.DoubleFunction;
import dev.jcomms.tensor.internal.cpu.Loop;
import dev.jcomms.tensor.internal.cpu.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Applies a function to blocks of {@code double}, a vector at a time: a template of {@link Loop}.
 */
final class DoubleVectorLoop {
  private static final Recipe RECIPE = Loop.data(MethodHandles.lookup(), Recipe.class);
  private static final DoubleVectorFunction V = RECIPE.vectors();
  private static final DoubleFunction F = RECIPE.scalar();
  private static final int ARITY = RECIPE.arity();
  private static final MemorySegment ALL = Memory.ALL;
  private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private DoubleVectorLoop() {}

  /** A function in both forms; the scalar one does what is less than a vector. */
  record Recipe(int arity, DoubleFunction scalar, DoubleVectorFunction vectors) {}

  static void run(long out, long a, long b, long c, int n, long pBits, long qBits) {
    double p = Double.longBitsToDouble(pBits);
    double q = Double.longBitsToDouble(qBits);
    DoubleVector vp = DoubleVector.broadcast(SPECIES, p);
    DoubleVector vq = DoubleVector.broadcast(SPECIES, q);
    int whole = n - n % LANES;
    switch (ARITY) {
      case 1 -> {
        for (int i = 0; i < whole; i += LANES) {
          long at = i * 8L;
          DoubleVector x = load(a + at);
          V.apply(x, x, x, vp, vq).intoMemorySegment(ALL, out + at, ORDER);
        }
      }
      case 2 -> {
        for (int i = 0; i < whole; i += LANES) {
          long at = i * 8L;
          DoubleVector x = load(a + at);
          V.apply(x, load(b + at), x, vp, vq).intoMemorySegment(ALL, out + at, ORDER);
        }
      }
      default -> {
        for (int i = 0; i < whole; i += LANES) {
          long at = i * 8L;
          V.apply(load(a + at), load(b + at), load(c + at), vp, vq)
              .intoMemorySegment(ALL, out + at, ORDER);
        }
      }
    }
    for (int i = whole; i < n; i++) {
      long at = i * 8L;
      double x = ALL.get(JAVA_DOUBLE_UNALIGNED, a + at);
      double y = ARITY > 1 ? ALL.get(JAVA_DOUBLE_UNALIGNED, b + at) : 0;
      double z = ARITY > 2 ? ALL.get(JAVA_DOUBLE_UNALIGNED, c + at) : 0;
      ALL.set(JAVA_DOUBLE_UNALIGNED, out + at, F.apply(x, y, z, p, q));
    }
  }

  private static DoubleVector load(long at) {
    return DoubleVector.fromMemorySegment(SPECIES, ALL, at, ORDER);
  }
}
