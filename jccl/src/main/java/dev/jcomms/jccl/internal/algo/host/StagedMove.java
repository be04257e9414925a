package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import java.lang.foreign.MemorySegment;

/**
 * Broadcast, gathers, scatter and all-to-alls through the stages: givers write their pieces, a
 * chunk a phase, and takers read them.
 *
 * <p>One meeting a chunk, and every byte is copied in once and out once for each taker. Small
 * pieces travel inside the notes. While takers read one stage, givers already write the other.
 */
final class StagedMove {
  private final Floor floor;
  private final Crew crew;

  StagedMove(Floor floor, Crew crew) {
    this.floor = floor;
    this.crew = crew;
  }

  void run(Move move, Deadline deadline) {
    Lanes lanes = new Lanes(floor, move);
    boolean unknown = move.largest() == Move.UNKNOWN;
    long phases = unknown ? 1 : lanes.phases(move.largest());
    for (long k = 0; k < phases; k++) {
      long from = k * lanes.unit();
      floor.begin();
      lanes.fill(move, from);
      if (unknown) {
        lanes.tell(move);
        floor.say(move.largestGiven());
      }
      floor.meet(deadline);
      if (k == 0) {
        if (unknown) {
          phases = agree(lanes, move);
        }
        move.keepOwn(floor.rank(), crew);
      }
      take(lanes, move, from);
    }
  }

  /** The phases that the largest piece of all ranks needs, which all have told by now. */
  private long agree(Lanes lanes, Move move) {
    long largest = 0;
    for (int r = 0; r < floor.size(); r++) {
      largest = Math.max(largest, floor.said(r));
      if (r != floor.rank()) {
        lanes.require(r, move);
      }
    }
    return lanes.phases(largest);
  }

  private void take(Lanes lanes, Move move, long from) {
    int rank = floor.rank();
    for (int i = 1; i < floor.size(); i++) {
      int r = (rank + i) % floor.size();
      MemorySegment take = move.takes()[r];
      if (take != null && move.gives(r)) {
        long bytes = Math.min(lanes.unit(), take.byteSize() - from);
        if (bytes > 0) {
          MemorySegment.copy(floor.memory(), lanes.at(r, rank), take, from, bytes);
        }
      }
    }
  }
}
