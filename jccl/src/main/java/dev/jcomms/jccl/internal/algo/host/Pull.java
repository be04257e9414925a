package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Blocks of all ranks' pieces, to be reduced: where they are if they are seen, else brought here
 * while they are in the cache. What is seen, all threads of the rank may read; the kernel is asked
 * by one.
 */
final class Pull {
  /** Long enough for a system call to pay, short enough for a block a rank to stay cached. */
  private static final long BLOCK = 128 << 10;

  private final Floor floor;
  private final Reach reach;
  private final Crew crew;
  private final Crew alone = Crew.ofOne();
  private final double[] factors;
  private MemorySegment scratch;
  private boolean seen;

  Pull(Floor floor, Reach reach, Crew crew) {
    this.floor = floor;
    this.reach = reach;
    this.crew = crew;
    this.factors = new double[floor.size()];
  }

  long blockBytes() {
    return BLOCK;
  }

  /**
   * Remembers the factors that were sent along with the meeting: later phases have other words.
   *
   * @param way how the pieces are to be had
   */
  void begin(Reach.Way way) {
    seen = way != Reach.Way.READABLE;
    for (int r = 0; r < floor.size(); r++) {
      factors[r] = Double.longBitsToDouble(floor.said(r));
    }
    if (!seen && scratch == null) {
      scratch = Arena.ofAuto().allocate(BLOCK * floor.size(), 4096);
    }
  }

  /** Who may read the pieces at a time. */
  Crew crew() {
    return seen ? crew : alone;
  }

  /**
   * Makes the terms of a block.
   *
   * @param index of the piece, which has {@code of} bytes
   * @param at where the block begins in it
   */
  void terms(Terms terms, MemorySegment own, int index, long of, long at, long bytes) {
    terms.clear();
    for (int r = 0; r < floor.size(); r++) {
      if (r == floor.rank()) {
        terms.add(own, at, factors[r]);
      } else if (seen) {
        terms.add(reach.piece(r, index, of), at, factors[r]);
      } else {
        reach.readPiece(r, index, of, at, scratch, r * BLOCK, bytes);
        terms.add(scratch, r * BLOCK, factors[r]);
      }
    }
  }
}
