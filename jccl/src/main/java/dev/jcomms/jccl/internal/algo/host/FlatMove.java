package dev.jcomms.jccl.internal.algo.host;

import static dev.jcomms.jccl.internal.memory.Everything.EVERYTHING;

import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import java.lang.foreign.MemorySegment;

/**
 * All-gather and all-to-all of single tensors in one phase: every rank puts its whole input up, and
 * takes its sections out of everybody's.
 *
 * <p>One meeting; all that {@link StagedMove} does for such sizes, without a list of pieces.
 */
final class FlatMove {
  private final Floor floor;

  FlatMove(Floor floor) {
    this.floor = floor;
  }

  /** Every rank gets all inputs, which fit a stage. */
  void gather(MemorySegment input, MemorySegment output, Deadline deadline) {
    run(input, output, 0, input.byteSize(), deadline);
  }

  /** Every rank gets a section of each input, which fits a stage. */
  void exchange(MemorySegment input, MemorySegment output, Deadline deadline) {
    long section = input.byteSize() / floor.size();
    run(input, output, floor.rank() * section, section, deadline);
  }

  /** Takes so many bytes of each input, from an offset on. */
  private void run(
      MemorySegment input, MemorySegment output, long from, long section, Deadline deadline) {
    long bytes = input.byteSize();
    int size = floor.size();
    floor.begin();
    long place = floor.address(floor.place(floor.rank(), bytes));
    MemorySegment.copy(input, 0, EVERYTHING, place, bytes);
    floor.meet(deadline);
    int r = floor.rank();
    // What this rank has put up is with the others by now. First, as what comes may overwrite it.
    MemorySegment.copy(input, from, output, r * section, section);
    // From the next rank on, so that not all read the same memory at once.
    for (int i = 1; i < size; i++) {
      r = r + 1 == size ? 0 : r + 1;
      long at = floor.address(floor.place(r, bytes) + from);
      MemorySegment.copy(EVERYTHING, at, output, r * section, section);
    }
  }
}
