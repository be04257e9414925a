package dev.jcomms.jccl.internal.algo.message;

import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.reduce.Reducer;
import dev.jcomms.jccl.internal.reduce.Reducers;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.tensor.DType;
import java.lang.foreign.MemorySegment;

/**
 * How elements are reduced, and what partial results are made of: the reducer's wide type.
 *
 * <p>Where that is the elements' own type and there is no factor, elements are a partial result as
 * they are, and one fits where elements do: the arithmetic is <em>plain</em>.
 *
 * @param factor of this rank's elements, in a {@code premul_sum}; else 1
 */
public record Arithmetic(Reducer reducer, double factor, boolean isPlain) {

  public static Arithmetic of(DType dtype, ReduceOp op) {
    Reducer reducer = Reducers.of(dtype, op);
    boolean sameType = reducer.wideType() == reducer.dtype();
    return op instanceof ReduceOp.PremulSum(double factor)
        ? new Arithmetic(reducer, factor, false)
        : new Arithmetic(reducer, 1, sameType);
  }

  /** Bytes of so many elements. */
  public long bytes(long elements) {
    return elements * reducer.dtype().bytes();
  }

  /** Bytes of the partial result of so many elements. */
  public long wideBytes(long elements) {
    return elements * reducer.wideType().bytes();
  }

  /** Makes a partial result of this rank's elements. */
  public void lift(
      MemorySegment to, long at, MemorySegment from, long fromAt, long count, Terms terms) {
    reducer.fold(to, at, terms.clear().add(from, fromAt, factor), count);
  }

  /** Joins partial results. */
  public void fold(MemorySegment to, long at, Terms partials, long count) {
    reducer.wide().fold(to, at, partials, count);
  }

  /** Makes results of the partial result of all ranks. */
  public void finish(
      MemorySegment to,
      long at,
      MemorySegment from,
      long fromAt,
      long count,
      Terms terms,
      int size) {
    reducer.finish(to, at, terms.clear().add(from, fromAt), count, size);
  }
}
