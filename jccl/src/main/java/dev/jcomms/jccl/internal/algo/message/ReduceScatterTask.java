package dev.jcomms.jccl.internal.algo.message;

import dev.jcomms.jccl.internal.pattern.Shards;
import java.lang.foreign.MemorySegment;

/**
 * Blocks of all ranks to be reduced: each rank gets the results of one, its own.
 *
 * @param inputs this rank's parts of all blocks
 * @param outputAt where in {@code output} this rank's results go
 * @param rank this one
 */
public record ReduceScatterTask(
    Blocks inputs, MemorySegment output, long outputAt, int rank, Arithmetic arithmetic)
    implements Task<ReduceScatterTask> {
  @Override
  public ReduceScatterTask part(int part, int parts) {
    int unit = (int) arithmetic.bytes(1);
    Shards cut = Task.cut(inputs.bytes(rank) / unit, unit, parts);
    return new ReduceScatterTask(
        inputs.part(part, parts, unit),
        output,
        outputAt + arithmetic.bytes(cut.offset(part)),
        rank,
        arithmetic);
  }
}
