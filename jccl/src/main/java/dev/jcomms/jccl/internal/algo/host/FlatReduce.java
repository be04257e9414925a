package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import java.lang.foreign.MemorySegment;

/**
 * All-reduce and reduce in one phase: every rank puts its buffer up, then reduces everybody's for
 * itself.
 *
 * <p>One meeting, {@code B} bytes written and {@code nB} read by each rank: the fewest meetings
 * there are, right while a meeting costs more than reading.
 */
final class FlatReduce {
  private final Floor floor;
  private final Terms terms;

  FlatReduce(Floor floor, Terms terms) {
    this.floor = floor;
    this.terms = terms;
  }

  /** A buffer must fit a stage. */
  void run(Fold fold, Turn turn) {
    long bytes = fold.bytes();
    floor.begin();
    MemorySegment.copy(fold.input(), 0, floor.memory(), floor.place(floor.rank(), bytes), bytes);
    floor.say(Double.doubleToRawLongBits(fold.factor()), 0);
    turn.meet();
    if (fold.output() != null && !reduceRows(fold, bytes)) {
      terms.clear();
      for (int r = 0; r < floor.size(); r++) {
        terms.add(floor.memory(), floor.place(r, bytes), Double.longBitsToDouble(floor.first(r)));
      }
      fold.reducer().reduce(fold.output(), 0, terms, fold.elements(), floor.size());
    }
  }

  private boolean reduceRows(Fold fold, long bytes) {
    long first = floor.place(0, bytes);
    return fold.reducer()
        .reduceRows(
            fold.output(),
            0,
            floor.memory(),
            first,
            floor.place(1, bytes) - first,
            floor.size(),
            fold.elements());
  }
}
