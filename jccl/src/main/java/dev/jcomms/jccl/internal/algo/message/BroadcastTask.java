package dev.jcomms.jccl.internal.algo.message;

import dev.jcomms.jccl.internal.pattern.Shards;
import java.lang.foreign.MemorySegment;

/** Memory of all ranks that is to become the root's. */
public record BroadcastTask(MemorySegment memory, long bytes, int root)
    implements Task<BroadcastTask> {
  @Override
  public BroadcastTask part(int part, int parts) {
    Shards cut = Task.cut(bytes, 1, parts);
    MemorySegment slice = memory.asSlice(cut.offset(part), cut.length(part));
    return new BroadcastTask(slice, cut.length(part), root);
  }
}
