package dev.jcomms.jccl.internal.exec;

import java.lang.foreign.MemorySegment;

/** Writes data as packets: {@code cpkt}, and {@code ppkt} by memory channels. */
final class PackStep extends Step {
  private final Spot source;
  private final Posting posting;
  private boolean packed;

  PackStep(Spot source, Spot destination) {
    this.source = source;
    this.posting = new Posting(destination);
  }

  @Override
  boolean advance(Launch launch, Block block, long from, long most) {
    if (!packed) {
      MemorySegment data = launch.segment(source);
      long at = launch.at(source);
      MemorySegment piece = block.pieces(1); // for data on the heap
      for (long done = 0; done < source.bytes(); done += Block.PIECE) {
        int bytes = (int) Math.min(Block.PIECE, source.bytes() - done);
        long address = Packets.address(data, at + done, bytes, piece);
        posting.pack(launch, address, done, bytes);
      }
      packed = true;
    }
    if (!posting.isSent(launch, block)) {
      return false;
    }
    reset();
    return true;
  }

  @Override
  Awaited awaited(Launch launch) {
    return posting.awaited(launch);
  }

  @Override
  void reset() {
    packed = false;
    posting.reset();
  }
}
