package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.internal.cpu.simd.VectorFloatDot;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;

/**
 * A matrix times a vector in f32: no element of the matrix is used twice, so nothing is packed.
 *
 * <p>Whichever way the matrix lies, it is read in the order of memory: along a row into a sum, or
 * along a column into all sums.
 */
final class FloatGemv {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final int BLOCK = 1024;
  private static final long PRODUCTS_THAT_MATTER = 1L << 20;
  private static final Takeover<FloatDot> DOTS =
      new Takeover<>(
          new PlainFloatDot(),
          // Not a reference to its constructor: linking that would load the vector module at once.
          Simd.isLikely() ? () -> new VectorFloatDot() : null,
          FloatGemv::course,
          PRODUCTS_THAT_MATTER);

  private FloatGemv() {}

  /** A job whose result is one column or one row. */
  static void run(GemmJob job) {
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
      GemmJob job, int m, long a, long row, long column, long x, long xStep, long y, long yStep) {
    float[] line = new float[Math.min(BLOCK, Math.max(m, job.k()))];
    float[] vector = new float[Math.min(BLOCK, job.k())];
    float[] sums = new float[m];
    FloatDot dot = DOTS.take((long) m * job.k());
    for (int k = 0; k < job.k(); k += BLOCK) {
      int depth = Math.min(BLOCK, job.k() - k);
      read(x + k * xStep * 4, xStep, vector, depth);
      if (column == 1 || row != 1) {
        for (int i = 0; i < m; i++) {
          long at = a + (i * row + k * column) * 4;
          if (column == 1) {
            sums[i] += dot.dot(at, vector, depth);
          } else {
            float sum = 0;
            for (int d = 0; d < depth; d++) {
              sum = Math.fma(Memory.ALL.get(FLOAT, at + d * column * 4), vector[d], sum);
            }
            sums[i] += sum;
          }
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

  private static long course(FloatDot dot) {
    MemorySegment memory = Arena.ofAuto().allocate(BLOCK * 4L, 64);
    float[] vector = new float[BLOCK];
    long start = System.nanoTime();
    for (int i = 0; i < 64; i++) {
      vector[i] = dot.dot(memory.address(), vector, i % 2 == 0 ? BLOCK : BLOCK - 1);
    }
    Reference.reachabilityFence(memory);
    return System.nanoTime() - start;
  }
}
