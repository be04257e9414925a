package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.jccl.internal.reduce.Reducer;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import java.lang.foreign.MemorySegment;

/**
 * Reduce-scatter of memory that peers can read but not write: each rank reads its part out of all
 * inputs, block by block, and reduces it.
 *
 * <p>Two meetings; each rank copies nothing of memory that it sees, and {@code B(1-1/n)} bytes
 * through the kernel, for inputs of {@code B} bytes.
 */
final class PulledReduceScatter {
  private final Floor floor;
  private final Terms terms;
  private final Pull pull;

  PulledReduceScatter(Floor floor, Terms terms, Pull pull) {
    this.floor = floor;
    this.terms = terms;
    this.pull = pull;
  }

  /** After the ranks have shown their inputs, and found how to read them. */
  void run(Move move, MemorySegment output, Reducer reducer, Reach.Way way, Turn turn) {
    int rank = floor.rank();
    long all = output.byteSize();
    pull.begin(way);
    for (long at = 0; at < all; at += pull.blockBytes()) {
      long bytes = Math.min(pull.blockBytes(), all - at);
      pull.terms(terms, move.give(rank), rank, all, at, bytes);
      reducer.reduce(output, at, terms, bytes / reducer.dtype().bytes(), floor.size());
    }
    terms.clear();
    turn.partIntact();
  }
}
