package dev.jcomms.tensor.internal.cpu;

import java.lang.foreign.ValueLayout;

/**
 * A matrix times a vector in f32: no element of the matrix is used twice, so nothing is packed.
 *
 * <p>Whichever way the matrix lies, it is read in the order of memory: along a row into a sum, or
 * along a column into all sums.
 */
final class FloatGemv {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final int BLOCK = 1024;
  private static final int SUMS = 8;

  private FloatGemv() {}

  /** A job whose result is one column or one row. */
  static void run(FloatGemm.Job job) {
    if (job.n() == 1) {
      run(
          job,
          job.m(),
          job.a(),
          job.aRow(),
          job.aColumn(),
          job.b(),
          job.bRow(),
          job.c(),
          job.cRow());
    } else {
      run(
          job,
          job.n(),
          job.b(),
          job.bColumn(),
          job.bRow(),
          job.a(),
          job.aColumn(),
          job.c(),
          job.cColumn());
    }
  }

  private static void run(
      FloatGemm.Job job,
      int m,
      long a,
      long row,
      long column,
      long x,
      long xStep,
      long y,
      long yStep) {
    float[] line = new float[Math.min(BLOCK, Math.max(m, job.k()))];
    float[] vector = new float[Math.min(BLOCK, job.k())];
    float[] sums = new float[m];
    for (int k = 0; k < job.k(); k += BLOCK) {
      int depth = Math.min(BLOCK, job.k() - k);
      read(x + k * xStep * 4, xStep, vector, depth);
      if (column == 1 || row != 1) {
        for (int i = 0; i < m; i++) {
          read(a + (i * row + k * column) * 4, column, line, depth);
          sums[i] += dot(line, vector, depth);
        }
      } else {
        for (int i = 0; i < m; i += BLOCK) {
          int height = Math.min(BLOCK, m - i);
          for (int d = 0; d < depth; d++) {
            read(a + (i + (k + d) * column) * 4, 1, line, height);
            float v = vector[d];
            for (int j = 0; j < height; j++) {
              sums[i + j] = Math.fma(line[j], v, sums[i + j]);
            }
          }
        }
      }
    }
    float alpha = (float) job.alpha();
    float beta = (float) job.beta();
    for (int i = 0; i < m; i++) {
      long at = y + i * yStep * 4;
      float kept = beta == 0 ? 0 : beta * Memory.ALL.get(FLOAT, at);
      Memory.ALL.set(FLOAT, at, alpha * sums[i] + kept);
    }
  }

  private static void read(long from, long stride, float[] to, int n) {
    if (stride == 1) {
      for (int i = 0; i < n; i++) {
        to[i] = Memory.ALL.get(FLOAT, from + i * 4L);
      }
    } else {
      for (int i = 0; i < n; i++) {
        to[i] = Memory.ALL.get(FLOAT, from + i * stride * 4);
      }
    }
  }

  private static float dot(float[] a, float[] b, int n) {
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
    int i = 0;
    for (; i <= n - SUMS; i += SUMS) {
      s0 = Math.fma(a[i], b[i], s0);
      s1 = Math.fma(a[i + 1], b[i + 1], s1);
      s2 = Math.fma(a[i + 2], b[i + 2], s2);
      s3 = Math.fma(a[i + 3], b[i + 3], s3);
      s4 = Math.fma(a[i + 4], b[i + 4], s4);
      s5 = Math.fma(a[i + 5], b[i + 5], s5);
      s6 = Math.fma(a[i + 6], b[i + 6], s6);
      s7 = Math.fma(a[i + 7], b[i + 7], s7);
    }
    for (; i < n; i++) {
      s0 = Math.fma(a[i], b[i], s0);
    }
    return (s0 + s4) + (s1 + s5) + ((s2 + s6) + (s3 + s7));
  }
}
