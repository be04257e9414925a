package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Memory.FLOAT;

/** Softmax of lines of f32 that lie one after the other, with the exponential's vector loop. */
final class FloatSoftmax {
  private FloatSoftmax() {}

  /** One line; {@code to} holds the exponentials on the way. */
  static void line(long from, long to, int n, boolean logarithm) {
    float max = max(from, n);
    for (int i = 0; i < n; i++) {
      Memory.ALL.set(FLOAT, to + i * 4L, Memory.ALL.get(FLOAT, from + i * 4L) - max);
    }
    TranscendentalFunctions.EXP.kernel(Carrier.FLOAT).run(to, to, 0, 0, n, 0, 0);
    double sum = sum(to, n);
    if (logarithm) {
      float log = (float) Math.log(sum);
      for (int i = 0; i < n; i++) {
        float x = Memory.ALL.get(FLOAT, from + i * 4L);
        Memory.ALL.set(FLOAT, to + i * 4L, x - max - log);
      }
    } else {
      float scale = (float) (1 / sum);
      for (int i = 0; i < n; i++) {
        Memory.ALL.set(FLOAT, to + i * 4L, Memory.ALL.get(FLOAT, to + i * 4L) * scale);
      }
    }
  }

  private static float max(long from, int n) {
    float a = Float.NEGATIVE_INFINITY, b = a, c = a, d = a;
    int i = 0;
    for (; i <= n - 4; i += 4) {
      long at = from + i * 4L;
      a = Math.max(a, Memory.ALL.get(FLOAT, at));
      b = Math.max(b, Memory.ALL.get(FLOAT, at + 4));
      c = Math.max(c, Memory.ALL.get(FLOAT, at + 8));
      d = Math.max(d, Memory.ALL.get(FLOAT, at + 12));
    }
    for (; i < n; i++) {
      a = Math.max(a, Memory.ALL.get(FLOAT, from + i * 4L));
    }
    return Math.max(Math.max(a, b), Math.max(c, d));
  }

  private static double sum(long from, int n) {
    double a = 0, b = 0, c = 0, d = 0;
    int i = 0;
    for (; i <= n - 4; i += 4) {
      long at = from + i * 4L;
      a += Memory.ALL.get(FLOAT, at);
      b += Memory.ALL.get(FLOAT, at + 4);
      c += Memory.ALL.get(FLOAT, at + 8);
      d += Memory.ALL.get(FLOAT, at + 12);
    }
    for (; i < n; i++) {
      a += Memory.ALL.get(FLOAT, from + i * 4L);
    }
    return (a + b) + (c + d);
  }
}
