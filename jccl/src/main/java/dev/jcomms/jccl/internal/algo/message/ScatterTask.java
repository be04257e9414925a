package dev.jcomms.jccl.internal.algo.message;

import dev.jcomms.jccl.internal.pattern.Shards;
import java.lang.foreign.MemorySegment;

/**
 * The root's inputs are to go to the ranks, one each and all of one size.
 *
 * @param inputs null but at the root
 */
public record ScatterTask(Blocks inputs, MemorySegment output, long bytes, int root)
    implements Task<ScatterTask> {
  @Override
  public ScatterTask part(int part, int parts) {
    Shards cut = Task.cut(bytes, 1, parts);
    return new ScatterTask(
        inputs == null ? null : inputs.part(part, parts, 1),
        output.asSlice(cut.offset(part), cut.length(part)),
        cut.length(part),
        root);
  }
}
