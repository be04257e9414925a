package dev.jcomms.tensor.internal.cpu;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Of double. */
final class DoubleStrips implements Strips<double[]> {
  @Override
  public int bytes() {
    return Double.BYTES;
  }

  @Override
  public double[] fit(double[] array, int length) {
    return array != null && array.length >= length ? array : new double[length];
  }

  @Override
  public void zero(double[] array, int from, int to) {
    Arrays.fill(array, from, to, 0);
  }

  @Override
  public void read(long from, long stride, double[] to, int at, int n) {
    if (stride == 1) {
      for (int x = 0; x < n; x++) {
        to[at + x] = Memory.ALL.get(Memory.DOUBLE, from + x * 8L);
      }
    } else {
      long step = stride * 8;
      for (int x = 0; x < n; x++) {
        to[at + x] = Memory.ALL.get(Memory.DOUBLE, from + x * step);
      }
    }
  }

  @Override
  public void interleave(double[] lines, int count, int inner, double[] out, int from) {
    if (count == 8) {
      for (int x = 0, at = from; x < inner; x++, at += 8) {
        double v0 = lines[x];
        double v1 = lines[x + inner];
        double v2 = lines[x + 2 * inner];
        double v3 = lines[x + 3 * inner];
        double v4 = lines[x + 4 * inner];
        double v5 = lines[x + 5 * inner];
        double v6 = lines[x + 6 * inner];
        double v7 = lines[x + 7 * inner];
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
  public void gather(long from, long step, int columns, int inner, double[] out, int to) {
    for (int x = 0; x < inner; x++) {
      long row = from + x * step;
      int at = to + x * columns;
      for (int y = 0; y < columns; y++) {
        out[at + y] = Memory.ALL.get(Memory.DOUBLE, row + y * 8L);
      }
    }
  }

  @Override
  public void merge(GemmJob job, double beta, double[] tile, int width, GemmJob.Window c) {
    long step = job.cColumn() * Double.BYTES;
    for (int row = 0; row < c.rows(); row++) {
      long to = job.atC(c.row() + row, c.column());
      merge(job.alpha(), tile, row * width, beta, to, step, c.columns());
    }
  }

  private static void merge(
      double alpha, double[] tile, int from, double beta, long to, long step, int n) {
    if (beta == 0 && alpha == 1 && step == Double.BYTES) {
      MemorySegment.copy(tile, from, Memory.ALL, Memory.DOUBLE, to, n);
    } else if (beta == 0) {
      for (int x = 0; x < n; x++) {
        Memory.put(to + x * step, alpha * tile[from + x]);
      }
    } else if (beta == 1 && alpha == 1) {
      for (int x = 0; x < n; x++) {
        long at = to + x * step;
        Memory.put(at, Memory.getDouble(at) + tile[from + x]);
      }
    } else {
      for (int x = 0; x < n; x++) {
        long at = to + x * step;
        Memory.put(at, Math.fma(alpha, tile[from + x], beta * Memory.getDouble(at)));
      }
    }
  }

  @Override
  public void add(double[] tile, int from, long to, int n) {
    merge(1, tile, from, 1, to, Double.BYTES, n);
  }

  @Override
  public void scale(double beta, long at) {
    Memory.put(at, beta == 0 ? 0 : beta * Memory.getDouble(at));
  }
}
