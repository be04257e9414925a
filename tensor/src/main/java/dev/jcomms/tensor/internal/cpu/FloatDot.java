package dev.jcomms.tensor.internal.cpu;

/**
 * The product of two lines of f32, one of them in memory: sixteen sums side by side, then one of
 * them all, so that vectors of any width give the same bits as none.
 */
public interface FloatDot {
  int STRANDS = 16;

  float dot(long a, float[] b, int n);

  /** The end of every product: the rest of the line, and the strands in their order. */
  static float close(float[] strands, long a, float[] b, int from, int n) {
    float rest = 0;
    for (int i = from; i < n; i++) {
      rest = Math.fma(Memory.ALL.get(Memory.FLOAT, a + i * 4L), b[i], rest);
    }
    for (int width = STRANDS / 2; width > 0; width /= 2) {
      for (int i = 0; i < width; i++) {
        strands[i] += strands[i + width];
      }
    }
    return strands[0] + rest;
  }
}
