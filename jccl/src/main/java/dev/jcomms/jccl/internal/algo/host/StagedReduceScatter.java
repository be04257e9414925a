package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.jccl.internal.reduce.Reducer;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import java.lang.foreign.MemorySegment;

/**
 * Reduce-scatter through the stages: every rank lays out a chunk of its part for each rank, and
 * reduces the chunks that are for itself.
 *
 * <p>One meeting a chunk; each rank writes {@code B} and reads {@code B} bytes of stages, for
 * inputs of {@code B} bytes.
 */
final class StagedReduceScatter {
  private final Floor floor;
  private final Terms terms;

  StagedReduceScatter(Floor floor, Terms terms) {
    this.floor = floor;
    this.terms = terms;
  }

  void run(Move move, MemorySegment output, Reducer reducer, double factor, Deadline deadline) {
    Lanes lanes = new Lanes(floor, move);
    int width = reducer.dtype().bytes();
    long phases = lanes.phases(move.largest());
    for (long k = 0; k < phases; k++) {
      long from = k * lanes.unit();
      floor.begin();
      lanes.fill(move, from);
      floor.say(Double.doubleToRawLongBits(factor));
      floor.meet(deadline);
      long bytes = Math.min(lanes.unit(), output.byteSize() - from);
      if (bytes > 0 && !reduceRows(lanes, output, from, reducer, bytes / width)) {
        terms.clear();
        for (int r = 0; r < floor.size(); r++) {
          terms.add(
              floor.memory(), lanes.at(r, floor.rank()), Double.longBitsToDouble(floor.said(r)));
        }
        reducer.reduce(output, from, terms, bytes / width, floor.size());
      }
    }
  }

  private boolean reduceRows(
      Lanes lanes, MemorySegment output, long from, Reducer reducer, long elements) {
    long first = lanes.at(0, floor.rank());
    long stride = lanes.at(1, floor.rank()) - first;
    return reducer.reduceRows(output, from, floor.memory(), first, stride, floor.size(), elements);
  }
}
