package dev.jcomms.jccl.internal.reduce;

import java.lang.foreign.MemorySegment;

/**
 * A kernel in plain Java: brings a block of each term into an array, folds there, writes the block.
 *
 * <p>Memory is read once and written once; all else happens in the first-level cache. Bulk copies
 * and loops over arrays are used, never element access to segments: in a loop that has met native,
 * mapped and heap segments, each such access is a virtual call and a hundred times slower, while
 * these stay as they are, and most of the loops are vectorised by the compiler.
 *
 * @param <A> the array type that elements are folded in
 */
abstract class BlockKernel<A> implements Kernel {
  @Override
  public final void run(
      Terms terms, MemorySegment out, long outAt, long from, long to, int divisor) {
    Scratch scratch = terms.scratch();
    A acc = block(scratch, 0);
    A next = block(scratch, 1);
    for (long start = from; start < to; start += Scratch.ELEMENTS) {
      int count = (int) Math.min(Scratch.ELEMENTS, to - start);
      load(terms, 0, start, acc, count);
      for (int k = 1; k < terms.count(); k++) {
        load(terms, k, start, next, count);
        combine(acc, next, count);
      }
      store(acc, count, divisor, scratch, out, outAt, start);
    }
  }

  abstract A block(Scratch scratch, int which);

  /** Brings elements of a term into a block, in the type they are folded in. */
  abstract void load(Terms terms, int term, long start, A block, int count);

  abstract void combine(A acc, A next, int count);

  /** Writes a block, in the type of the output. The block may be spoilt. */
  abstract void store(
      A acc, int count, int divisor, Scratch scratch, MemorySegment out, long outAt, long start);
}
