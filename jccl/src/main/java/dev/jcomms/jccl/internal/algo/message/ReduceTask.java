package dev.jcomms.jccl.internal.algo.message;

import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.pattern.Shards;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;

/**
 * Elements of all ranks to be reduced, to all or to one.
 *
 * @param output where this rank's results go; null if it gets none
 * @param root the rank that gets the results; -1 if all do
 */
public record ReduceTask(
    MemorySegment input, MemorySegment output, long elements, Arithmetic arithmetic, int root)
    implements Task<ReduceTask> {

  public static ReduceTask of(Tensor output, Tensor input, ReduceOp op, int root) {
    return new ReduceTask(
        input.segment(),
        output == null ? null : output.segment(),
        input.elements(),
        Arithmetic.of(input.dtype(), op),
        root);
  }

  /** The input cut into a shard for each rank. */
  public Blocks inputShards(int count) {
    return shards(input, count);
  }

  /** Where results go, cut into the same shards. */
  public Blocks outputShards(int count) {
    return shards(output, count);
  }

  private Blocks shards(MemorySegment memory, int count) {
    int unit = (int) arithmetic.bytes(1);
    return Blocks.shards(memory, Task.cut(elements, unit, count), unit);
  }

  @Override
  public ReduceTask part(int part, int parts) {
    Shards cut = Task.cut(elements, (int) arithmetic.bytes(1), parts);
    long at = arithmetic.bytes(cut.offset(part));
    long bytes = arithmetic.bytes(cut.length(part));
    return new ReduceTask(
        input.asSlice(at, bytes),
        output == null ? null : output.asSlice(at, bytes),
        cut.length(part),
        arithmetic,
        root);
  }
}
