package dev.jcomms.tensor.internal.cpu.simd;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import dev.jcomms.tensor.internal.cpu.IntFunction;
import dev.jcomms.tensor.internal.cpu.Loop;
import dev.jcomms.tensor.internal.cpu.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/** Applies a function to blocks of {@code int}, a vector at a time: a template of {@link Loop}. */
final class IntVectorLoop {
  private static final Recipe RECIPE = Loop.data(MethodHandles.lookup(), Recipe.class);
  private static final IntVectorFunction V = RECIPE.vectors();
  private static final IntFunction F = RECIPE.scalar();
  private static final int ARITY = RECIPE.arity();
  private static final MemorySegment ALL = Memory.ALL;
  private static final VectorSpecies<Integer> SPECIES = IntVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private IntVectorLoop() {}

  /** A function in both forms; the scalar one does what is less than a vector. */
  record Recipe(int arity, IntFunction scalar, IntVectorFunction vectors) {}

  static void run(long out, long a, long b, long c, int n, long pBits, long qBits) {
    int p = (int) pBits;
    int q = (int) qBits;
    IntVector vp = IntVector.broadcast(SPECIES, p);
    IntVector vq = IntVector.broadcast(SPECIES, q);
    int whole = n - n % LANES;
    switch (ARITY) {
      case 1 -> {
        for (int i = 0; i < whole; i += LANES) {
          long at = i * 4L;
          IntVector x = load(a + at);
          V.apply(x, x, x, vp, vq).intoMemorySegment(ALL, out + at, ORDER);
        }
      }
      case 2 -> {
        for (int i = 0; i < whole; i += LANES) {
          long at = i * 4L;
          IntVector x = load(a + at);
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
      int x = ALL.get(JAVA_INT_UNALIGNED, a + at);
      int y = ARITY > 1 ? ALL.get(JAVA_INT_UNALIGNED, b + at) : 0;
      int z = ARITY > 2 ? ALL.get(JAVA_INT_UNALIGNED, c + at) : 0;
      ALL.set(JAVA_INT_UNALIGNED, out + at, F.apply(x, y, z, p, q));
    }
  }

  private static IntVector load(long at) {
    return IntVector.fromMemorySegment(SPECIES, ALL, at, ORDER);
  }
}
