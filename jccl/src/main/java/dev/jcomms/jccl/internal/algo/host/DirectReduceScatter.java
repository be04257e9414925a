package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.jccl.internal.reduce.Reducer;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Reduce-scatter without a staging copy: each rank reduces its part straight out of all inputs.
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

  /** Returns false, on all ranks alike and with nothing moved, if an input cannot be reached. */
  boolean run(Move move, MemorySegment output, Reducer reducer, double factor, Turn turn) {
    floor.begin();
    floor.say(DirectMove.show(move, reach), 0);
    floor.memory().set(ValueLayout.JAVA_DOUBLE, floor.payload(floor.rank()), factor);
    turn.meet();
    if (!DirectMove.reached(move, floor)) {
      return false;
    }
    terms.clear();
    for (int r = 0; r < floor.size(); r++) {
      MemorySegment piece = DirectMove.piece(move, reach, floor, r, output.byteSize());
      terms.add(piece, 0, floor.memory().get(ValueLayout.JAVA_DOUBLE, floor.payload(r)));
    }
    reducer.reduce(output, 0, terms, output.byteSize() / reducer.dtype().bytes(), floor.size());
    terms.clear();
    turn.part();
    return true;
  }
}
