package dev.jcomms.tensor.internal.cpu;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Of float. */
final class FloatStrips implements Strips<float[]> {
  @Override
  public int bytes() {
    return Float.BYTES;
  }

  @Override
  public float[] fit(float[] array, int length) {
    return array != null && array.length >= length ? array : new float[length];
  }

  @Override
  public void zero(float[] array, int from, int to) {
    Arrays.fill(array, from, to, 0);
  }

  @Override
  public void read(long from, long stride, float[] to, int at, int n) {
    if (stride == 1) {
      for (int x = 0; x < n; x++) {
        to[at + x] = Memory.ALL.get(Memory.FLOAT, from + x * 4L);
      }
    } else {
      long step = stride * 4;
      for (int x = 0; x < n; x++) {
        to[at + x] = Memory.ALL.get(Memory.FLOAT, from + x * step);
      }
    }
  }

  @Override
  public void interleave(float[] lines, int count, int inner, float[] out, int from) {
    if (count == 8) {
      for (int x = 0, at = from; x < inner; x++, at += 8) {
        float v0 = lines[x];
        float v1 = lines[x + inner];
        float v2 = lines[x + 2 * inner];
        float v3 = lines[x + 3 * inner];
        float v4 = lines[x + 4 * inner];
        float v5 = lines[x + 5 * inner];
        float v6 = lines[x + 6 * inner];
        float v7 = lines[x + 7 * inner];
        out[at] = v0;
        out[at + 1] = v1;
        out[at + 2] = v2;
        out[at + 3] = v3;
        out[at + 4] = v4;
        out[at + 5] = v5;
        out[at + 6] = v6;
        out[at + 7] = v7;
      }
      return;
    }
    for (int line = 0; line < count; line++) {
      for (int x = 0, at = from + line; x < inner; x++, at += count) {
        out[at] = lines[line * inner + x];
      }
    }
  }

  @Override
  public void gather(long from, long step, int columns, int inner, float[] out, int to) {
    for (int x = 0; x < inner; x++) {
      long row = from + x * step;
      int at = to + x * columns;
      for (int y = 0; y < columns; y++) {
        out[at + y] = Memory.ALL.get(Memory.FLOAT, row + y * 4L);
      }
    }
  }

  @Override
  public void merge(GemmJob job, double beta, float[] tile, int width, GemmJob.Window c) {
    long step = job.cColumn() * Float.BYTES;
    for (int row = 0; row < c.rows(); row++) {
      long to = job.atC(c.row() + row, c.column());
      merge((float) job.alpha(), tile, row * width, (float) beta, to, step, c.columns());
    }
  }

  private static void merge(
      float alpha, float[] tile, int from, float beta, long to, long step, int n) {
    if (beta == 0 && alpha == 1 && step == Float.BYTES) {
      MemorySegment.copy(tile, from, Memory.ALL, Memory.FLOAT, to, n);
    } else if (beta == 0) {
      for (int x = 0; x < n; x++) {
        Memory.put(to + x * step, alpha * tile[from + x]);
      }
    } else if (beta == 1 && alpha == 1) {
      for (int x = 0; x < n; x++) {
        long at = to + x * step;
        Memory.put(at, Memory.getFloat(at) + tile[from + x]);
      }
    } else {
      for (int x = 0; x < n; x++) {
        long at = to + x * step;
        Memory.put(at, Math.fma(alpha, tile[from + x], beta * Memory.getFloat(at)));
      }
    }
  }

  @Override
  public void add(float[] tile, int from, long to, int n) {
    merge(1, tile, from, 1, to, Float.BYTES, n);
  }

  @Override
  public void scale(double beta, long at) {
    Memory.put(at, beta == 0 ? 0 : (float) (beta * Memory.getFloat(at)));
  }
}
