package dev.jcomms.tensor.internal.cpu;

/**
 * The innermost product of a matrix multiplication: a strip of A times a strip of B gives a tile
 * small enough for the registers.
 *
 * <p>Every element is one chain of fused multiply-adds in the order of the inner dimension, so all
 * tiles give the same bits whatever their size.
 *
 * @param <T> an array of the elements: {@code float[]} or {@code double[]}
 */
public abstract class Tile<T> {
  private final Strips<T> strips;
  private final int rows;
  private final int columns;
  private final int copies;

  protected Tile(Strips<T> strips, int rows, int columns, int copies) {
    this.strips = strips;
    this.rows = rows;
    this.columns = columns;
    this.copies = copies;
  }

  final Strips<T> strips() {
    return strips;
  }

  final int rows() {
    return rows;
  }

  final int columns() {
    return columns;
  }

  /** How many times an element of A is repeated in its strip: vector loads then need no splat. */
  final int copies() {
    return copies;
  }

  /**
   * Writes the tile's elements row by row, {@link #columns} a row.
   *
   * @param a for each inner index, {@link #rows} elements, each {@link #copies} times
   * @param b for each inner index, {@link #columns} elements
   */
  public abstract void multiply(int inner, T a, int aAt, T b, int bAt, T tile);

  /**
   * Makes a strip of A: {@link #rows} lines of {@code inner} elements each, one after the other,
   * become what {@link #multiply} reads.
   */
  public void spread(T lines, int inner, T a, int aAt) {
    strips.interleave(lines, rows, inner, a, aAt);
  }

  /**
   * Copies {@link #columns} elements that lie together, {@code inner} times, {@code step} bytes
   * apart.
   */
  public void gather(long from, long step, int inner, T b, int bAt) {
    strips.gather(from, step, columns, inner, b, bAt);
  }

  /** Adds a row of the tile, all of it, to memory. */
  public void add(T tile, int row, long to) {
    strips.add(tile, row * columns, to, columns);
  }
}
