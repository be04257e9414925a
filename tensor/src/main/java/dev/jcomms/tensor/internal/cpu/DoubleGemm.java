package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.internal.cpu.simd.VectorTiles;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * C = alpha A B + beta C in f64, any strides.
 *
 * <p>Both operands are packed, a block at a time, into strips that {@link DoubleTile} reads in
 * order; packing is the only copy made of them, and the only place that knows their strides. A
 * strip of A stays in the first-level cache while the strips of a block of B, in the second-level
 * one, pass by.
 */
final class DoubleGemm {
  private static final ValueLayout.OfDouble ELEMENT = ValueLayout.JAVA_DOUBLE_UNALIGNED;
  private static final int BYTES = 8;
  private static final int INNER = 256;
  private static final int ROWS = 64;
  private static final int COLUMNS = 288;
  private static final long FLOPS_THAT_MATTER = 1L << 22;

  private static final DoubleTile PLAIN = new PlainDoubleTile();
  private static final Takeover<DoubleTile> TILES =
      new Takeover<>(PLAIN, vectors(), DoubleGemm::course, FLOPS_THAT_MATTER);
  private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

  private DoubleGemm() {}

  private static Supplier<DoubleTile> vectors() {
    return Simd.isLikely() ? VectorTiles::doubles : null;
  }

  /** Addresses of first elements; strides in elements. C is not read if beta is zero. */
  record Job(
      int m,
      int n,
      int k,
      double alpha,
      long a,
      long aRow,
      long aColumn,
      long b,
      long bRow,
      long bColumn,
      double beta,
      long c,
      long cRow,
      long cColumn) {
    Job part(long row, int rows, long column, int columns) {
      return new Job(
          rows,
          columns,
          k,
          alpha,
          a + row * aRow * BYTES,
          aRow,
          aColumn,
          b + column * bColumn * BYTES,
          bRow,
          bColumn,
          beta,
          c + (row * cRow + column * cColumn) * BYTES,
          cRow,
          cColumn);
    }
  }

  static void run(Job job) {
    long flops = 2L * job.m * job.n * Math.max(1, job.k);
    run(job, TILES.take(flops));
  }

  static void run(Job job, DoubleTile tile) {
    if (job.k == 0) {
      scale(job);
      return;
    }
    SCRATCH.get().multiply(job, tile);
  }

  private static void scale(Job job) {
    for (int i = 0; i < job.m; i++) {
      for (int j = 0; j < job.n; j++) {
        long at = job.c + (i * job.cRow + j * job.cColumn) * BYTES;
        Memory.ALL.set(ELEMENT, at, job.beta == 0 ? 0 : job.beta * Memory.ALL.get(ELEMENT, at));
      }
    }
  }

  private static long course(DoubleTile tile) {
    int repeats = 4;
    double[] a = new double[tile.rows() * tile.copies() * INNER];
    double[] b = new double[tile.columns() * INNER];
    double[] out = new double[tile.rows() * tile.columns()];
    double[] lines = new double[tile.rows() * INNER];
    MemorySegment memory = Arena.ofAuto().allocate((long) tile.columns() * INNER * BYTES, 64);
    long start = System.nanoTime();
    for (int i = 0; i < repeats; i++) {
      tile.spread(lines, INNER, a, 0);
      tile.gather(memory.address(), tile.columns() * BYTES, INNER, b, 0);
      tile.multiply(INNER, a, 0, b, 0, out);
      tile.add(out, 0, memory.address());
    }
    Reference.reachabilityFence(memory);
    return (System.nanoTime() - start) * 256 / out.length;
  }

  /** What a thread packs into. Grows to what the largest job so far needed. */
  private static final class Scratch {
    private double[] a = {};
    private double[] b = {};
    private double[] tile = {};
    private double[] line = {};

    void multiply(Job job, DoubleTile kernel) {
      int mr = kernel.rows();
      int nr = kernel.columns();
      int inner = even(job.k, INNER);
      int rows = up(even(job.m, ROWS), mr);
      int columns = up(even(job.n, COLUMNS), nr);
      a = fit(a, rows * inner * kernel.copies());
      b = fit(b, columns * inner);
      tile = fit(tile, mr * nr);
      line = fit(line, Math.max(mr, nr) * inner);
      for (int j = 0; j < job.n; j += columns) {
        int width = Math.min(columns, job.n - j);
        for (int k = 0; k < job.k; k += inner) {
          int depth = Math.min(inner, job.k - k);
          packB(job, kernel, k, depth, j, width);
          double beta = k == 0 ? job.beta : 1;
          for (int i = 0; i < job.m; i += rows) {
            int height = Math.min(rows, job.m - i);
            packA(job, kernel, i, height, k, depth);
            block(job, kernel, beta, i, height, j, width, depth);
          }
        }
      }
    }

    private void block(
        Job job, DoubleTile kernel, double beta, int i, int height, int j, int width, int depth) {
      int mr = kernel.rows();
      int nr = kernel.columns();
      int strip = mr * kernel.copies() * depth;
      for (int r = 0; r < height; r += mr) {
        int tileRows = Math.min(mr, height - r);
        for (int s = 0; s < width; s += nr) {
          kernel.multiply(depth, a, r / mr * strip, b, s * depth, tile);
          int tileColumns = Math.min(nr, width - s);
          long at = job.c + ((i + r) * job.cRow + (j + s) * job.cColumn) * BYTES;
          boolean whole = tileColumns == nr && job.cColumn == 1 && beta == 1 && job.alpha == 1;
          for (int t = 0; t < tileRows; t++) {
            if (whole) {
              kernel.add(tile, t, at + t * job.cRow * BYTES);
              continue;
            }
            merge(job, beta, t * nr, at + t * job.cRow * BYTES, tileColumns);
          }
        }
      }
    }

    private void merge(Job job, double beta, int from, long to, int n) {
      long step = job.cColumn * BYTES;
      double alpha = job.alpha;
      double keep = beta;
      if (keep == 0) {
        if (alpha == 1 && job.cColumn == 1) {
          MemorySegment.copy(tile, from, Memory.ALL, ELEMENT, to, n);
          return;
        }
        for (int x = 0; x < n; x++) {
          Memory.ALL.set(ELEMENT, to + x * step, alpha * tile[from + x]);
        }
      } else if (keep == 1 && alpha == 1) {
        for (int x = 0; x < n; x++) {
          long at = to + x * step;
          Memory.ALL.set(ELEMENT, at, Memory.ALL.get(ELEMENT, at) + tile[from + x]);
        }
      } else {
        for (int x = 0; x < n; x++) {
          long at = to + x * step;
          Memory.ALL.set(
              ELEMENT, at, Math.fma(alpha, tile[from + x], keep * Memory.ALL.get(ELEMENT, at)));
        }
      }
    }

    /** Strips of {@code mr} rows; rows beyond the last are zeros. */
    private void packA(Job job, DoubleTile kernel, int i, int height, int k, int depth) {
      int mr = kernel.rows();
      for (int r = 0; r < height; r += mr) {
        for (int q = 0; q < mr; q++) {
          if (r + q < height) {
            long from = job.a + ((i + r + q) * job.aRow + k * job.aColumn) * BYTES;
            read(from, job.aColumn, q * depth, depth);
          } else {
            Arrays.fill(line, q * depth, (q + 1) * depth, 0);
          }
        }
        kernel.spread(line, depth, a, r * depth * kernel.copies());
      }
    }

    /** Strips of {@code nr} columns; columns beyond the last are zeros. */
    private void packB(Job job, DoubleTile kernel, int k, int depth, int j, int width) {
      int nr = kernel.columns();
      for (int s = 0; s < width; s += nr) {
        int full = Math.min(nr, width - s);
        long from = job.b + (k * job.bRow + (j + s) * job.bColumn) * BYTES;
        if (job.bColumn == 1 && full == nr) {
          kernel.gather(from, job.bRow * BYTES, depth, b, s * depth);
          continue;
        }
        for (int y = 0; y < nr; y++) {
          if (y < full) {
            read(from + y * job.bColumn * BYTES, job.bRow, y * depth, depth);
          } else {
            Arrays.fill(line, y * depth, (y + 1) * depth, 0);
          }
        }
        DoubleStrips.interleave(line, nr, depth, b, s * depth);
      }
    }

    private void read(long from, long stride, int to, int n) {
      if (stride == 1) {
        for (int x = 0; x < n; x++) {
          line[to + x] = Memory.ALL.get(ELEMENT, from + x * (long) BYTES);
        }
      } else {
        long step = stride * BYTES;
        for (int x = 0; x < n; x++) {
          line[to + x] = Memory.ALL.get(ELEMENT, from + x * step);
        }
      }
    }

    /** The size of each part if {@code n} is cut into as few as fit under the limit. */
    private static int even(int n, int limit) {
      int parts = (n + limit - 1) / limit;
      return (n + parts - 1) / parts;
    }

    private static int up(int n, int multiple) {
      return (n + multiple - 1) / multiple * multiple;
    }

    private static double[] fit(double[] array, int length) {
      return array.length >= length ? array : new double[length];
    }
  }
}
