package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.jccl.internal.reduce.Reducer;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import java.lang.foreign.MemorySegment;

/**
 * All-reduce, reduce and reduce-scatter in one phase: every rank puts its buffer up, then reduces
 * what it gets of everybody's for itself.
 *
 * <p>One meeting, {@code B} bytes written by each rank, and {@code nB} read for a whole result: the
 * fewest meetings there are, right while a meeting costs more than reading.
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
    meet(fold.input(), fold.factor(), turn);
    if (fold.output() != null) {
      reduce(fold.input(), fold.output(), fold.reducer(), 0, fold.elements());
    }
  }

  /** Each rank's result is its section of the whole. An input must fit a stage. */
  void scatter(
      MemorySegment input, MemorySegment output, Reducer reducer, double factor, Turn turn) {
    meet(input, factor, turn);
    long section = output.byteSize();
    long elements = section / reducer.dtype().bytes();
    reduce(input, output, reducer, floor.rank() * section, elements);
  }

  private void meet(MemorySegment input, double factor, Turn turn) {
    floor.begin();
    putUp(input, factor);
    turn.meet();
  }

  /** Puts this rank's buffer up in this phase. */
  void putUp(MemorySegment input, double factor) {
    long bytes = input.byteSize();
    MemorySegment.copy(input, 0, floor.memory(), floor.row(floor.rank(), bytes), bytes);
    floor.say(Double.doubleToRawLongBits(factor), 0);
  }

  /**
   * Reduces so many elements of all buffers, from an offset on. What this rank has put up is with
   * the others by now; it reads its own where it was.
   */
  void reduce(
      MemorySegment input, MemorySegment output, Reducer reducer, long from, long elements) {
    int mine = floor.rank();
    int size = floor.size();
    MemorySegment memory = floor.memory();
    long first = floor.row(0, input.byteSize()) + from;
    long stride = floor.row(1, input.byteSize()) + from - first;
    if (reducer.reduceRows(output, 0, memory, first, stride, size, mine, input, from, elements)) {
      return;
    }
    terms.clear();
    for (int r = 0; r < size; r++) {
      terms.add(memory, first + r * stride, Double.longBitsToDouble(floor.first(r)));
    }
    reducer.reduce(output, 0, terms, elements, size);
  }
}
