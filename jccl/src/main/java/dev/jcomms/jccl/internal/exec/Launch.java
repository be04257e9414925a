package dev.jcomms.jccl.internal.exec;

import dev.jcomms.jccl.plan.BufferType;
import dev.jcomms.tensor.DType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * One run of a plan, as its steps see it: its number and flag, and where every rank's buffers are.
 * Reused; what is set at the beginning is read by all threads that run blocks.
 */
final class Launch {
  private static final int KINDS = 2;

  private final PlanMemory memory;
  private final int rank;
  private final MemorySegment[] buffers;
  private long number;
  private int flag;
  private DType dtype;
  private Program program;

  Launch(PlanMemory memory, int rank) {
    this.memory = memory;
    this.rank = rank;
    this.buffers = new MemorySegment[memory.ranks() * KINDS];
  }

  void begin(
      long launch, DType elements, Program chosen, MemorySegment input, MemorySegment output) {
    number = launch;
    flag = (int) launch;
    dtype = elements;
    program = chosen;
    buffers[rank * KINDS] = input;
    buffers[rank * KINDS + 1] = output;
  }

  /** Lets go of everybody's buffers. */
  void end() {
    Arrays.fill(buffers, null);
  }

  PlanMemory memory() {
    return memory;
  }

  DType dtype() {
    return dtype;
  }

  int flag() {
    return flag;
  }

  long number() {
    return number;
  }

  boolean isFar(Spot spot) {
    return memory.isFar(spot.rank());
  }

  /** Whether a buffer can be reached: that of a peer once the peer has come. */
  boolean reaches(Spot spot) {
    if (spot.buffer() == BufferType.SCRATCH || spot.rank() == rank) {
      return true;
    }
    if (memory.isFar(spot.rank())) {
      return memory.hasShown(spot.rank(), number);
    }
    int index = spot.rank() * KINDS + (spot.buffer() == BufferType.INPUT ? 0 : 1);
    if (buffers[index] == null) {
      if (!memory.hasShown(spot.rank(), number)) {
        return false;
      }
      long bytes = program.bytes(spot.rank(), spot.buffer());
      buffers[index] = memory.shown(spot.rank(), number, spot.buffer(), bytes);
    }
    return true;
  }

  /** The memory that a spot of this host is in. */
  MemorySegment segment(Spot spot) {
    return switch (spot.buffer()) {
      case INPUT -> buffers[spot.rank() * KINDS];
      case OUTPUT -> buffers[spot.rank() * KINDS + 1];
      case SCRATCH -> memory.all();
    };
  }

  /** Where in {@link #segment} the spot begins. */
  long at(Spot spot) {
    return spot.buffer() == BufferType.SCRATCH
        ? scratch(spot.rank()) + spot.offset()
        : spot.offset();
  }

  private long scratch(int of) {
    return memory.part(of) + memory.layout(of).scratch(flag);
  }

  /** Where in the host's memory a spot's packets begin. */
  long packetsAt(Spot spot) {
    return memory.part(spot.rank()) + farPackets(spot);
  }

  /** Where in the part of a rank on another host a spot's data are. */
  long farAt(Spot spot) {
    long base =
        switch (spot.buffer()) {
          case INPUT -> program.stagedInput(spot.rank());
          case OUTPUT -> program.stagedOutput(spot.rank());
          case SCRATCH -> memory.layout(spot.rank()).scratch(flag);
        };
    return base + spot.offset();
  }

  /** Where in a rank's part a spot's packets are: they are in scratch alone. */
  long farPackets(Spot spot) {
    return memory.layout(spot.rank()).packets(flag) + 2 * spot.offset();
  }
}
