package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.jccl.internal.transport.shm.Floor;
import java.lang.foreign.MemorySegment;

/**
 * Broadcast, gathers, scatter and all-to-alls without a staging copy: takers read straight out of
 * the givers' tensors, mapped or through the kernel.
 *
 * <p>Two meetings, one copy of each byte for each taker.
 */
final class DirectMove {
  private final Floor floor;
  private final Reach reach;

  DirectMove(Floor floor, Reach reach) {
    this.floor = floor;
    this.reach = reach;
  }

  /** After the givers have shown their pieces, and all found that they can be had. */
  void run(Move move, Turn turn) {
    int rank = floor.rank();
    move.keepOwn(rank);
    for (int i = 1; i < floor.size(); i++) {
      int r = (rank + i) % floor.size();
      MemorySegment take = move.takes()[r];
      if (take != null && move.gives(r)) {
        long bytes = take.byteSize();
        reach.readPiece(r, move.addressed() ? rank : 0, bytes, 0, take, 0, bytes);
      }
    }
    turn.partIntact();
  }
}
