package dev.jcomms.tensor.internal.cpu;

/**
 * What one thread of {@link BlockedGemm} packs into, and multiplies block by block.
 *
 * <p>A template of {@link Loop}: floats and doubles have a copy of the class each, so that in each
 * the compiler sees one kind of strips and inlines them and the tile.
 */
final class GemmWorker<T> implements BlockedGemm.Worker<T> {
  private static final int ROWS = 64;

  /** Of a block of B, so that it fits the second-level cache. */
  private static final int BYTES_A_ROW = 2304;

  private final Strips<T> strips;

  /** They grow to what the largest job so far needed. */
  private T a;

  private T b;
  private T product;
  private T lines;

  GemmWorker(Strips<T> strips) {
    this.strips = strips;
  }

  @Override
  public void multiply(GemmJob job, Tile<T> tile) {
    int mr = tile.rows();
    int nr = tile.columns();
    int inner = even(job.k(), BlockedGemm.INNER);
    int rows = up(even(job.m(), ROWS), mr);
    int columns = up(even(job.n(), BYTES_A_ROW / job.bytes()), nr);
    a = strips.fit(a, rows * inner * tile.copies());
    b = strips.fit(b, columns * inner);
    product = strips.fit(product, mr * nr);
    lines = strips.fit(lines, Math.max(mr, nr) * inner);
    for (int j = 0; j < job.n(); j += columns) {
      int width = Math.min(columns, job.n() - j);
      for (int k = 0; k < job.k(); k += inner) {
        int depth = Math.min(inner, job.k() - k);
        packB(job, tile, k, depth, j, width);
        double beta = k == 0 ? job.beta() : 1;
        for (int i = 0; i < job.m(); i += rows) {
          int height = Math.min(rows, job.m() - i);
          packA(job, tile, i, height, k, depth);
          block(job, tile, beta, i, height, j, width, depth);
        }
      }
    }
  }

  private void block(
      GemmJob job, Tile<T> tile, double beta, int i, int height, int j, int width, int depth) {
    int mr = tile.rows();
    int nr = tile.columns();
    int strip = mr * tile.copies() * depth;
    for (int r = 0; r < height; r += mr) {
      int tileRows = Math.min(mr, height - r);
      for (int s = 0; s < width; s += nr) {
        tile.multiply(depth, a, r / mr * strip, b, s * depth, product);
        int tileColumns = Math.min(nr, width - s);
        if (tileColumns == nr && job.cColumn() == 1 && beta == 1 && job.alpha() == 1) {
          for (int t = 0; t < tileRows; t++) {
            tile.add(product, t, job.atC(i + r + t, j + s));
          }
        } else {
          var part = new GemmJob.Window(i + r, tileRows, j + s, tileColumns);
          strips.merge(job, beta, product, nr, part);
        }
      }
    }
  }

  /** Strips of as many rows as the tile has; rows beyond the last are zeros. */
  private void packA(GemmJob job, Tile<T> tile, int i, int height, int k, int depth) {
    int mr = tile.rows();
    for (int r = 0; r < height; r += mr) {
      int full = Math.min(mr, height - r);
      for (int q = 0; q < full; q++) {
        strips.read(job.atA(i + r + q, k), job.aColumn(), lines, q * depth, depth);
      }
      strips.zero(lines, full * depth, mr * depth);
      tile.spread(lines, depth, a, r * depth * tile.copies());
    }
  }

  /** Strips of as many columns as the tile has; columns beyond the last are zeros. */
  private void packB(GemmJob job, Tile<T> tile, int k, int depth, int j, int width) {
    int nr = tile.columns();
    for (int s = 0; s < width; s += nr) {
      int full = Math.min(nr, width - s);
      if (job.bColumn() == 1 && full == nr) {
        tile.gather(job.atB(k, j + s), job.bRow() * job.bytes(), depth, b, s * depth);
        continue;
      }
      for (int y = 0; y < full; y++) {
        strips.read(job.atB(k, j + s + y), job.bRow(), lines, y * depth, depth);
      }
      strips.zero(lines, full * depth, nr * depth);
      strips.interleave(lines, nr, depth, b, s * depth);
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
}
