package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.pattern.Shards;
import dev.jcomms.jccl.internal.reduce.Reducer;
import dev.jcomms.jccl.internal.reduce.Reducers;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;

/**
 * A reduction of one buffer a rank: all_reduce, or reduce with its root.
 *
 * @param output null on ranks that get no result
 * @param factor of this rank's elements in a premul_sum
 * @param root the rank that gets the result; {@link #ALL} if all do
 */
record Fold(
    MemorySegment input,
    MemorySegment output,
    Reducer reducer,
    double factor,
    int root,
    long elements) {
  static final int ALL = -1;

  /** Bytes of a cache line, a multiple of every element's. */
  static final long LINE = 64;

  static Fold of(Tensor input, Tensor output, ReduceOp op, int root) {
    return new Fold(
        input.segment(),
        output == null ? null : output.segment(),
        Reducers.of(input.dtype(), op),
        factor(op),
        root,
        input.elements());
  }

  static double factor(ReduceOp op) {
    return op instanceof ReduceOp.PremulSum(double factor) ? factor : 1;
  }

  int elementBytes() {
    return reducer.dtype().bytes();
  }

  /** The buffer in as many shards as there are ranks, each beginning with a cache line. */
  Shards shards(int ranks) {
    return new Shards(elements, ranks, LINE / elementBytes());
  }

  long bytes() {
    return elements * elementBytes();
  }

  /** Bytes of the shards of the ranks that come after one, in a circle. */
  long[] othersBytes(Shards shards, int rank) {
    return IntStream.range(1, shards.count())
        .mapToLong(i -> shards.length((rank + i) % shards.count()) * elementBytes())
        .toArray();
  }
}
