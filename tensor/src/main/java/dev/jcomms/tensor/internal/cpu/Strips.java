package dev.jcomms.tensor.internal.cpu;

/**
 * Between the memory of a matrix and the arrays that a {@link Tile} works on, element by element.
 *
 * @param <T> the arrays
 */
public interface Strips<T> {
  Strips<float[]> FLOATS = new FloatStrips();
  Strips<double[]> DOUBLES = new DoubleStrips();

  /** Of an element. */
  int bytes();

  /** The array itself if it is long enough, else a new one. */
  T fit(T array, int length);

  void zero(T array, int from, int to);

  /** Elements {@code stride} apart, side by side. */
  void read(long from, long stride, T to, int at, int n);

  /** Lines one after the other become elements side by side. */
  void interleave(T lines, int count, int inner, T out, int from);

  /** Copies {@code columns} elements that lie together, {@code inner} times, {@code step} apart. */
  void gather(long from, long step, int columns, int inner, T out, int to);

  /**
   * Makes a part of C alpha times the tile plus beta times what it was.
   *
   * @param width elements of a row of the tile, some of which may be beyond the part
   */
  void merge(GemmJob job, double beta, T tile, int width, GemmJob.Window part);

  /** Adds {@code n} elements to as many in memory. */
  void add(T tile, int from, long to, int n);

  /** Makes one element beta times itself; it is not read if beta is zero. */
  void scale(double beta, long at);
}
