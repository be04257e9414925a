package dev.jcomms.tensor.internal.cpu.simd;

import dev.jcomms.tensor.internal.cpu.FloatDot;
import dev.jcomms.tensor.internal.cpu.Memory;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** Four vectors of four strands each, whatever more the machine has: memory is the limit. */
public final class VectorFloatDot implements FloatDot {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_128;
  private static final int LANES = SPECIES.length();

  @Override
  public float dot(long a, float[] b, int n) {
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    int i = 0;
    for (; i <= n - STRANDS; i += STRANDS) {
      long at = a + i * 4L;
      s0 = load(at).fma(FloatVector.fromArray(SPECIES, b, i), s0);
      s1 = load(at + 16).fma(FloatVector.fromArray(SPECIES, b, i + LANES), s1);
      s2 = load(at + 32).fma(FloatVector.fromArray(SPECIES, b, i + 2 * LANES), s2);
      s3 = load(at + 48).fma(FloatVector.fromArray(SPECIES, b, i + 3 * LANES), s3);
    }
    float[] strands = new float[STRANDS];
    s0.intoArray(strands, 0);
    s1.intoArray(strands, LANES);
    s2.intoArray(strands, 2 * LANES);
    s3.intoArray(strands, 3 * LANES);
    return FloatDot.close(strands, a, b, i, n);
  }

  private static FloatVector load(long at) {
    return FloatVector.fromMemorySegment(SPECIES, Memory.ALL, at, ByteOrder.nativeOrder());
  }
}
