package dev.jcomms.jccl.internal.exec;

import java.lang.foreign.MemorySegment;

/** Reads packets of the own scratch as they come, into data: {@code upkt}. */
final class UnpackStep extends Step {
  private final Spot source;
  private final Spot destination;
  private long done;

  UnpackStep(Spot source, Spot destination) {
    this.source = source;
    this.destination = destination;
  }

  @Override
  boolean advance(Launch launch, Block block, long from, long most) {
    MemorySegment scratch = launch.memory().all();
    MemorySegment data = launch.segment(destination);
    MemorySegment piece = block.pieces(1);
    while (done < source.bytes()) {
      int bytes = (int) Math.min(Block.PIECE, source.bytes() - done);
      long at = launch.packetsAt(source) + 2 * done;
      int come = Packets.unpack(scratch, at, piece.address(), bytes, launch.flag());
      if (come > 0) {
        MemorySegment.copy(piece, 0, data, launch.at(destination) + done, come);
        done += come;
        block.stir();
      }
      if (come < bytes) {
        return false;
      }
    }
    done = 0;
    return true;
  }

  @Override
  Awaited awaited(Launch launch) {
    return new Awaited(Packets.missing(source, done), source.rank());
  }

  @Override
  void reset() {
    done = 0;
  }
}
