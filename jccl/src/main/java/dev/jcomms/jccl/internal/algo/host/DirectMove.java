package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.jccl.internal.transport.shm.Floor;
import java.lang.foreign.MemorySegment;

/**
 * Broadcast, gathers, scatter and all-to-alls without a staging copy: takers read straight out of
 * the givers' tensors.
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

  /** Returns false, on all ranks alike and with nothing moved, if a piece cannot be reached. */
  boolean run(Move move, Turn turn) {
    floor.begin();
    floor.say(show(move, reach), 0);
    turn.meet();
    if (!reached(move, floor)) {
      return false;
    }
    int rank = floor.rank();
    move.keepOwn(rank);
    for (int i = 1; i < floor.size(); i++) {
      int r = (rank + i) % floor.size();
      MemorySegment take = move.takes()[r];
      if (take != null && move.gives(r)) {
        MemorySegment piece = piece(move, reach, floor, r, take.byteSize());
        MemorySegment.copy(piece, 0, take, 0, take.byteSize());
      }
    }
    turn.part();
    return true;
  }

  /** Describes the pieces that this rank gives. */
  static long show(Move move, Reach reach) {
    if (move.gives() == null) {
      return Reach.NONE;
    }
    if (!reach.showsMany()) {
      return move.whole() == null ? Reach.NONE : reach.describe(move.whole(), 0);
    }
    long description = Reach.NONE;
    for (int i = 0; i < move.gives().length; i++) {
      description = reach.describe(move.gives()[i], i);
      if (description == Reach.NONE) {
        return Reach.NONE;
      }
    }
    return description;
  }

  static boolean reached(Move move, Floor floor) {
    for (int r = 0; r < floor.size(); r++) {
      if (move.gives(r) && floor.first(r) == Reach.NONE) {
        return false;
      }
    }
    return true;
  }

  /** The piece that a rank gives this one, which expects so many bytes. */
  static MemorySegment piece(Move move, Reach reach, Floor floor, int from, long bytes) {
    int index = move.addressed() ? floor.rank() : 0;
    if (!reach.showsMany()) {
      long at = index * bytes;
      return reach.resolve(from, 0, floor.first(from), at + bytes).asSlice(at, bytes);
    }
    MemorySegment piece = reach.resolve(from, index, floor.first(from), 0);
    if (piece.byteSize() != bytes) {
      throw Lanes.mismatch(from, floor.rank(), piece.byteSize(), bytes);
    }
    return piece;
  }
}
