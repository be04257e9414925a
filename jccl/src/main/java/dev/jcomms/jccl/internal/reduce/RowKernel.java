package dev.jcomms.jccl.internal.reduce;

/**
 * The arithmetic of one operation on one type of element, on rows: terms that lie at equal
 * distances in native memory, as what ranks put up in shared memory does. Less to say than {@link
 * Terms}, so less to do before the first element.
 *
 * <p>Takes addresses: who calls it has made sure that the memory is there. Stateless.
 */
public interface RowKernel {
  /**
   * Writes the fold of all rows.
   *
   * @param first the address of the first row
   * @param stride from a row to the next, in bytes
   * @param out the address of the result, which is no row
   * @param divisor what {@code avg} divides the fold by; other operations ignore it
   */
  void run(long first, long stride, int rows, long out, int elements, int divisor);
}
