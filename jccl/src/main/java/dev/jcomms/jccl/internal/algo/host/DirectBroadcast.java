package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.jccl.internal.memory.LargeCopy;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Broadcast where all tensors are mapped: the takers read the root's, and the root, which would
 * only wait, writes to theirs. The copies are everybody's in equal parts.
 *
 * <p>Two meetings. Of {@code n} parts of the tensor each taker reads all but the last, which the
 * root writes.
 */
final class DirectBroadcast {
  /** Bytes from which on it pays: with two ranks they take what half of them takes without. */
  static final long LEAST = 512 << 10;

  private final Floor floor;
  private final Reach reach;
  private final Crew crew;

  DirectBroadcast(Floor floor, Reach reach, Crew crew) {
    this.floor = floor;
    this.reach = reach;
    this.crew = crew;
  }

  /** Whether it is one, and large enough. */
  static boolean suits(Move move) {
    return move.source() != Move.ALL && !move.addressed() && move.largest() >= LEAST;
  }

  /** After the ranks have shown their tensors, and found them mapped. */
  void run(Move move, Deadline deadline) {
    int root = move.source();
    long bytes = move.largest();
    long own = (bytes - bytes / floor.size()) & -Crew.PAGE;
    if (floor.rank() == root) {
      give(move.whole(), own, bytes);
    } else {
      crew.share(
          own,
          (_, from, to) -> reach.readPiece(root, 0, bytes, from, move.whole(), from, to - from),
          move.whole());
    }
    floor.partIntact(deadline);
    reach.requireIntact();
  }

  /** What all others leave to it, from {@code start} on. */
  private void give(MemorySegment tensor, long start, long bytes) {
    long[] lengths = new long[floor.size() - 1];
    Arrays.fill(lengths, bytes - start);
    crew.shareAll(
        lengths,
        (i, from, length) -> {
          MemorySegment taker = reach.output((floor.rank() + 1 + i) % floor.size(), bytes);
          LargeCopy.copy(tensor, start + from, taker, start + from, length);
        },
        tensor);
  }
}
