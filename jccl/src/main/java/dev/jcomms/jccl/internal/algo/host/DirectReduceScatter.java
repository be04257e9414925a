package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.jccl.internal.reduce.Reducer;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import java.lang.foreign.MemorySegment;

/**
 * Reduce-scatter without a staging copy, where inputs are mapped: each rank reduces its part
 * straight out of all inputs.
 *
 * <p>Two meetings; each rank reads {@code B} and writes {@code B/n} bytes, for inputs of {@code B}
 * bytes: nothing is moved that need not be.
 */
final class DirectReduceScatter {
  private final Floor floor;
  private final Terms terms;
  private final Reach reach;

  DirectReduceScatter(Floor floor, Terms terms, Reach reach) {
    this.floor = floor;
    this.terms = terms;
    this.reach = reach;
  }

  /** After the ranks have shown their inputs, and found them mapped. */
  void run(MemorySegment output, Reducer reducer, Turn turn) {
    long bytes = output.byteSize();
    terms.clear();
    for (int r = 0; r < floor.size(); r++) {
      MemorySegment piece = reach.piece(r, floor.rank(), bytes);
      terms.add(piece, 0, Double.longBitsToDouble(floor.said(r)));
    }
    reducer.reduce(output, 0, terms, bytes / reducer.dtype().bytes(), floor.size());
    terms.clear();
    turn.partIntact();
  }
}
