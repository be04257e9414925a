package dev.jcomms.jccl.internal.algo.tcp;

import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.reduce.Reducer;
import dev.jcomms.jccl.internal.reduce.Reducers;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;

/**
 * Elements of all ranks to be reduced: where this rank's are, where results go, and how.
 *
 * <p>A partial result is of the reducer's wide type. Where that is the elements' own type and there
 * is no factor, an input is a partial result as it is, and one fits where elements do: the
 * reduction is <em>plain</em>.
 *
 * @param output where this rank's results go; null if it gets none
 * @param factor of this rank's elements, in a {@code premul_sum}
 * @param root the rank that gets results; -1 if all do
 */
public record Reduction(
    MemorySegment input,
    MemorySegment output,
    long elements,
    Reducer reducer,
    double factor,
    boolean isPlain,
    int root) {

  static Reduction of(Tensor output, Tensor input, ReduceOp op, int root) {
    Reducer reducer = Reducers.of(input.dtype(), op);
    boolean scaled = op instanceof ReduceOp.PremulSum;
    return new Reduction(
        input.segment(),
        output == null ? null : output.segment(),
        input.elements(),
        reducer,
        op instanceof ReduceOp.PremulSum premul ? premul.factor() : 1,
        !scaled && reducer.wideType() == reducer.dtype(),
        root);
  }

  /** Bytes of so many elements. */
  public long bytes(long elements) {
    return elements * reducer.dtype().bytes();
  }

  /** Bytes of the partial result of so many elements. */
  public long wideBytes(long elements) {
    return elements * reducer.wideType().bytes();
  }

  /** Makes a partial result of elements of this rank. */
  public void lift(long first, long count, MemorySegment to, long at, Terms terms) {
    reducer.fold(to, at, terms.clear().add(input, bytes(first), factor), count);
  }

  /** Joins partial results; the one that covers lower ranks comes first in the terms. */
  public void fold(MemorySegment to, long at, Terms partials, long count) {
    reducer.wide().fold(to, at, partials, count);
  }

  /** Makes results of the partial result of all ranks. */
  public void finish(MemorySegment from, long at, long first, long count, Terms terms, int size) {
    reducer.finish(output, bytes(first), terms.clear().add(from, at), count, size);
  }
}
