package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.jccl.internal.reduce.Reducer;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import dev.jcomms.jccl.internal.transport.shm.Words;
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

  /** What {@link #find} has found; no segments, which would cost a fence to keep here. */
  private long first;

  private long stride;
  private long own;
  private long target;

  FlatReduce(Floor floor, Terms terms) {
    this.floor = floor;
    this.terms = terms;
  }

  /**
   * Each rank that has an output gets the whole result. A buffer must fit a stage.
   *
   * @param output null on ranks that get no result
   */
  void run(
      MemorySegment input,
      MemorySegment output,
      Reducer reducer,
      double factor,
      long elements,
      Deadline deadline) {
    offer(input, factor, deadline);
    boolean found = output != null && find(input, output, reducer, 0, elements);
    floor.await(deadline);
    if (output != null) {
      take(found, input, output, reducer, 0, elements);
    }
  }

  /** Each rank's result is its section of the whole. An input must fit a stage. */
  void scatter(
      MemorySegment input,
      MemorySegment output,
      Reducer reducer,
      double factor,
      Deadline deadline) {
    offer(input, factor, deadline);
    long section = output.byteSize();
    long from = floor.rank() * section;
    long elements = section / reducer.dtype().bytes();
    boolean found = find(input, output, reducer, from, elements);
    floor.await(deadline);
    take(found, input, output, reducer, from, elements);
  }

  /** Reduces so many elements of all buffers, from an offset on, when all are up. */
  void reduce(
      MemorySegment input, MemorySegment output, Reducer reducer, long from, long elements) {
    boolean found = find(input, output, reducer, from, elements);
    take(found, input, output, reducer, from, elements);
  }

  private void offer(MemorySegment input, double factor, Deadline deadline) {
    floor.begin();
    putUp(input, factor);
    floor.offer(deadline);
  }

  /** Puts this rank's buffer up in this phase. */
  void putUp(MemorySegment input, double factor) {
    Words.copy(input, floor.memory(), floor.row(floor.rank(), input.byteSize()));
    floor.say(Double.doubleToRawLongBits(factor));
  }

  /**
   * Finds out where rows and result are, before all rows are there: while the others' notes are on
   * their way it costs nothing. False if they are not to be reduced by address.
   *
   * <p>What this rank has put up is with the others by now; it reads its own where it was, unless
   * writing the result would get in its way.
   */
  private boolean find(
      MemorySegment input, MemorySegment output, Reducer reducer, long from, long elements) {
    if (!reducer.hasRows() || !input.isNative() || !output.isNative()) {
      return false;
    }
    long all = input.byteSize();
    long bytes = elements * reducer.dtype().bytes();
    if (from < 0 || from > all - bytes || bytes > output.byteSize()) {
      throw new IndexOutOfBoundsException(
          "bytes=%d from=%d of input=%d and output=%d"
              .formatted(bytes, from, all, output.byteSize()));
    }
    long row = floor.row(0, all);
    first = floor.address(row + from);
    stride = floor.row(1, all) - row;
    target = output.address();
    own = input.address() + from;
    long apart = Math.abs(own - target);
    if (apart != 0 && apart < bytes) {
      own = first + floor.rank() * stride;
    }
    return true;
  }

  /** Reduces, when all are up: what was found, if all memory is still there. */
  private void take(
      boolean found,
      MemorySegment input,
      MemorySegment output,
      Reducer reducer,
      long from,
      long elements) {
    boolean done =
        found
            && input.scope().isAlive()
            && output.scope().isAlive()
            && reducer.reduceRows(first, stride, floor.size(), floor.rank(), own, target, elements);
    if (!done) {
      reduceTerms(input.byteSize(), output, reducer, from, elements);
    }
  }

  private void reduceTerms(
      long bytes, MemorySegment output, Reducer reducer, long from, long elements) {
    terms.clear();
    for (int r = 0; r < floor.size(); r++) {
      double factor = Double.longBitsToDouble(floor.said(r));
      terms.add(floor.memory(), floor.row(r, bytes) + from, factor);
    }
    reducer.reduce(output, 0, terms, elements, floor.size());
  }
}
