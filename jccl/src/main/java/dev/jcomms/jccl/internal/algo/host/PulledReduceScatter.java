package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.jccl.internal.reduce.Reducer;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import java.lang.foreign.MemorySegment;

/**
 * Reduce-scatter without a staging copy: each rank reads its part out of all inputs, block by
 * block, and reduces it.
 *
 * <p>Two meetings; each rank copies nothing of memory that is mapped or that it sees, and {@code
 * B(1-1/n)} bytes through the kernel, for inputs of {@code B} bytes.
 */
final class PulledReduceScatter {
  private final Floor floor;
  private final Pull pull;

  PulledReduceScatter(Floor floor, Pull pull) {
    this.floor = floor;
    this.pull = pull;
  }

  /** After the ranks have shown their inputs, and found how to read them. */
  void run(Move move, MemorySegment output, Reducer reducer, Reach.Way way, Deadline deadline) {
    pull.begin(way);
    MemorySegment own = move.give(floor.rank());
    pull.crew()
        .share(
            output.byteSize(),
            (terms, from, to) -> reduce(own, output, reducer, terms, from, to),
            own,
            output);
    floor.partIntact(deadline);
  }

  private void reduce(
      MemorySegment own, MemorySegment output, Reducer reducer, Terms terms, long from, long to) {
    for (long at = from; at < to; at += pull.blockBytes()) {
      long bytes = Math.min(pull.blockBytes(), to - at);
      pull.terms(terms, own, floor.rank(), output.byteSize(), at, bytes);
      reducer.reduce(output, at, terms, bytes / reducer.dtype().bytes(), floor.size());
    }
  }
}
