package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Broadcast, gathers, scatter and all-to-alls without a staging copy: takers read straight out of
 * the givers' tensors, mapped or through the kernel.
 *
 * <p>Two meetings, one copy of each byte for each taker.
 */
final class DirectMove {
  private final Floor floor;
  private final Reach reach;
  private final Crew crew;
  private final Pull pull;

  DirectMove(Floor floor, Reach reach, Crew crew, Pull pull) {
    this.floor = floor;
    this.reach = reach;
    this.crew = crew;
    this.pull = pull;
  }

  /** After the givers have shown their pieces, and all found that they can be had. */
  void run(Move move, Reach.Way way, Deadline deadline) {
    int rank = floor.rank();
    pull.begin(way);
    move.keepOwn(rank, crew);
    int index = move.addressed() ? rank : 0;
    MemorySegment[] takes = new MemorySegment[floor.size() - 1];
    for (int i = 0; i < takes.length; i++) {
      int r = (rank + 1 + i) % floor.size();
      boolean taken = move.gives(r) && move.takes()[r] != null;
      takes[i] = taken ? move.takes()[r] : MemorySegment.NULL;
      if (taken && takes[i].byteSize() == 0) {
        reach.readPiece(r, index, 0, 0, takes[i], 0, 0); // is refused if that rank gives something
      }
    }
    pull.crew()
        .shareAll(
            Arrays.stream(takes).mapToLong(MemorySegment::byteSize).toArray(),
            (i, from, bytes) -> {
              int r = (rank + 1 + i) % floor.size();
              reach.readPiece(r, index, takes[i].byteSize(), from, takes[i], from, bytes);
            },
            takes);
    floor.partIntact(deadline);
  }
}
