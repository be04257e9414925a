package dev.jcomms.jccl.internal.algo.host;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Reach between threads of one JVM: a rank shows its tensors' memory in a table of all ranks.
 *
 * <p>The table needs no fences of its own: it is written before a phase is published and read after
 * it was met.
 */
final class LocalReach implements Reach {
  private static final long SHOWN = 1;

  /** Owns no memory, so what it may access is confined to no thread. */
  private static final Thread NOBODY = Thread.ofPlatform().unstarted(() -> {});

  private final Object[] table;
  private final int rank;
  private MemorySegment[] mine = new MemorySegment[2];

  LocalReach(Object[] table, int rank) {
    this.table = table;
    this.rank = rank;
  }

  @Override
  public long describe(MemorySegment segment, int place) {
    if (!segment.isAccessibleBy(NOBODY)) {
      return NONE;
    }
    if (place >= mine.length) {
      mine = Arrays.copyOf(mine, 2 * place);
    }
    mine[place] = segment;
    table[rank] = mine;
    return SHOWN;
  }

  @Override
  public MemorySegment resolve(int rank, int place, long description, long bytes) {
    return ((MemorySegment[]) table[rank])[place];
  }

  @Override
  public boolean showsMany() {
    return true;
  }
}
