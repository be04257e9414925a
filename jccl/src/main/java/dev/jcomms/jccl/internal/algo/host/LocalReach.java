package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.jccl.internal.memory.LargeCopy;
import dev.jcomms.jccl.internal.transport.UserMemory;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/**
 * Reach between threads of one JVM: a rank shows its tensors' memory in a table of all ranks.
 *
 * <p>The table needs no fences of its own: it is written before a phase is published and read after
 * it was met.
 */
final class LocalReach implements Reach {
  private static final long PATIENCE_NANOS = Duration.ofSeconds(5).toNanos();

  /** What one rank shows. */
  private static final class Shown {
    MemorySegment[] pieces;
    MemorySegment output;
    boolean accessible;
  }

  private final Floor floor;
  private final Object[] table;
  private final Shown mine = new Shown();

  LocalReach(Floor floor, Object[] table) {
    this.floor = floor;
    this.table = table;
  }

  @Override
  public void show(MemorySegment[] pieces, MemorySegment whole, MemorySegment output) {
    mine.pieces = pieces;
    mine.output = output;
    mine.accessible = output == null || UserMemory.isEverybodys(output);
    for (int i = 0; pieces != null && i < pieces.length; i++) {
      mine.accessible &= UserMemory.isEverybodys(pieces[i]);
    }
    table[floor.rank()] = mine;
  }

  @Override
  public Way way(int giver, int taker) {
    for (int r = 0; r < floor.size(); r++) {
      boolean gives = giver == Move.ALL || giver == r;
      boolean takes = taker == Move.ALL || taker == OTHERS || taker == r;
      if ((gives || takes) && !shown(r).accessible) {
        return Way.NONE;
      }
    }
    return Way.MAPPED;
  }

  private Shown shown(int rank) {
    return (Shown) table[rank];
  }

  @Override
  public MemorySegment piece(int rank, int index, long bytes) {
    MemorySegment piece = shown(rank).pieces[index];
    if (piece.byteSize() != bytes) {
      throw Lanes.mismatch(rank, floor.rank(), piece.byteSize(), bytes);
    }
    return piece;
  }

  @Override
  public MemorySegment output(int rank, long bytes) {
    return shown(rank).output;
  }

  @Override
  public void readPiece(
      int rank, int index, long of, long at, MemorySegment into, long intoAt, long bytes) {
    LargeCopy.copy(piece(rank, index, of), at, into, intoAt, bytes);
  }

  @Override
  public void readOutput(int rank, long at, MemorySegment into, long intoAt, long bytes) {
    LargeCopy.copy(shown(rank).output, at, into, intoAt, bytes);
  }

  @Override
  public void requireIntact() {}

  /** A thread is not stopped without the others: what it does here ends. */
  @Override
  public long patienceNanos() {
    return PATIENCE_NANOS;
  }

  @Override
  public void withdraw() {}

  @Override
  public void forget() {
    mine.pieces = null;
    mine.output = null;
  }
}
