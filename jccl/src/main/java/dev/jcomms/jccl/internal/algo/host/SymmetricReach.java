package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.jccl.internal.transport.shm.SymmetricMemory;
import java.lang.foreign.MemorySegment;

/** Reach between processes: into symmetric memory only. */
final class SymmetricReach implements Reach {
  private final SymmetricMemory memory;

  SymmetricReach(SymmetricMemory memory) {
    this.memory = memory;
  }

  @Override
  public long describe(MemorySegment segment, int place) {
    return memory.describe(segment);
  }

  @Override
  public MemorySegment resolve(int rank, int place, long description, long bytes) {
    return memory.resolve(description, bytes);
  }

  @Override
  public boolean showsMany() {
    return false;
  }
}
