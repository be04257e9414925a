package dev.jcomms.jccl.internal.reduce;

import java.lang.foreign.MemorySegment;

/**
 * The arithmetic of one operation on one type of element: reads the terms, writes their fold.
 *
 * <p>Stateless, so one kernel serves all threads. Arguments have been checked by {@link Reducer}.
 */
public interface Kernel {
  /**
   * Writes elements {@code from} to {@code to - 1} of the fold of all terms.
   *
   * @param outAt where element 0 belongs in {@code out}, in bytes; {@code out} at this place may be
   *     one of the terms
   * @param divisor what {@code avg} divides the fold by; other operations ignore it
   */
  void run(Terms terms, MemorySegment out, long outAt, long from, long to, int divisor);
}
