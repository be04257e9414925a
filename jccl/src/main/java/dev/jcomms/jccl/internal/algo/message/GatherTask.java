package dev.jcomms.jccl.internal.algo.message;

import dev.jcomms.jccl.internal.pattern.Shards;
import java.lang.foreign.MemorySegment;

/**
 * Every rank's input is to come to one rank, or to all.
 *
 * @param outputs one for each rank; null where nothing comes
 * @param bytes of this rank's input
 * @param equalSizes whether all inputs are of one size
 * @param root the rank that gets them; -1 if all do
 */
public record GatherTask(
    Blocks outputs, MemorySegment input, long bytes, boolean equalSizes, int root)
    implements Task<GatherTask> {
  @Override
  public GatherTask part(int part, int parts) {
    Shards cut = Task.cut(bytes, 1, parts);
    return new GatherTask(
        outputs == null ? null : outputs.part(part, parts, 1),
        input.asSlice(cut.offset(part), cut.length(part)),
        cut.length(part),
        equalSizes,
        root);
  }
}
