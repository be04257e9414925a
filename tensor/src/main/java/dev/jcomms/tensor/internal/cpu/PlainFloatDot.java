package dev.jcomms.tensor.internal.cpu;

/** Without vectors. */
final class PlainFloatDot implements FloatDot {
  @Override
  public float dot(long a, float[] b, int n) {
    float[] strands = new float[STRANDS];
    int i = 0;
    for (; i <= n - STRANDS; i += STRANDS) {
      for (int j = 0; j < STRANDS; j++) {
        strands[j] = Math.fma(Memory.ALL.get(Memory.FLOAT, a + (i + j) * 4L), b[i + j], strands[j]);
      }
    }
    return FloatDot.close(strands, a, b, i, n);
  }
}
