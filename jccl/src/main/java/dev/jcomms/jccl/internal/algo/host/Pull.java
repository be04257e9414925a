package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Brings blocks of other ranks' pieces here, to be reduced while they are in the cache. */
final class Pull {
  /** Long enough for a system call to pay, short enough for a block a rank to stay cached. */
  private static final long BLOCK = 128 << 10;

  private final Floor floor;
  private final Reach reach;
  private final double[] factors;
  private MemorySegment scratch;

  Pull(Floor floor, Reach reach) {
    this.floor = floor;
    this.reach = reach;
    this.factors = new double[floor.size()];
  }

  long blockBytes() {
    return BLOCK;
  }

  /** Remembers the factors that were sent along with the meeting: later phases have other words. */
  void begin() {
    for (int r = 0; r < floor.size(); r++) {
      factors[r] = Double.longBitsToDouble(floor.first(r));
    }
    if (scratch == null) {
      scratch = Arena.ofAuto().allocate(BLOCK * floor.size(), 4096);
    }
  }

  /**
   * Makes the terms of a block: this rank's own in place, the others' pulled.
   *
   * @param index of the piece, which has {@code of} bytes
   * @param at where the block begins in it
   */
  void terms(Terms terms, MemorySegment own, int index, long of, long at, long bytes) {
    terms.clear();
    for (int r = 0; r < floor.size(); r++) {
      if (r == floor.rank()) {
        terms.add(own, at, factors[r]);
      } else {
        reach.readPiece(r, index, of, at, scratch, r * BLOCK, bytes);
        terms.add(scratch, r * BLOCK, factors[r]);
      }
    }
  }
}
