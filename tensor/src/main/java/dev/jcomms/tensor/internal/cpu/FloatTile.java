package dev.jcomms.tensor.internal.cpu;

/**
 * The innermost product of a matrix multiplication in f32: a strip of A times a strip of B gives a
 * tile small enough for the registers.
 *
 * <p>Every element is one chain of fused multiply-adds in the order of the inner dimension, so all
 * tiles give the same bits whatever their size.
 */
public interface FloatTile {
  int rows();

  int columns();

  /** How many times an element of A is repeated in its strip: vector loads then need no splat. */
  int copies();

  /**
   * Writes the tile's elements row by row, {@link #columns} a row.
   *
   * @param a for each inner index, {@link #rows} elements, each {@link #copies} times
   * @param b for each inner index, {@link #columns} elements
   */
  void multiply(int inner, float[] a, int aAt, float[] b, int bAt, float[] tile);
}
