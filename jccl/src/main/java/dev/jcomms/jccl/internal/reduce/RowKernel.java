package dev.jcomms.jccl.internal.reduce;

/**
 * The arithmetic of one operation on one type of element, on rows: terms that lie at equal
 * distances in native memory, as what ranks put up in shared memory does. Less to say than {@link
 * Terms}, so less to do before the first element.
 *
 * <p>One row may lie elsewhere: a rank has its own at hand, while the cache lines of what it has
 * put up are with who reads them.
 *
 * <p>Takes addresses: who calls it has made sure that the memory is there. Stateless.
 */
public interface RowKernel {
  /**
   * Writes the fold of all rows.
   *
   * @param first the address of the first row
   * @param stride from a row to the next, in bytes
   * @param mine the row that lies elsewhere
   * @param own the address of that row, which may be its place among the others
   * @param out the address of the result, which is no row but perhaps that one
   * @param divisor what {@code avg} divides the fold by; other operations ignore it
   */
  void run(
      long first, long stride, int rows, int mine, long own, long out, int elements, int divisor);

  /** Where a row begins. */
  static long row(int row, long first, long stride, int mine, long own) {
    return row == mine ? own : first + row * stride;
  }
}
