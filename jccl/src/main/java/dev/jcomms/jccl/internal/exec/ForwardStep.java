package dev.jcomms.jccl.internal.exec;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Waits for packets of the own scratch and sends them on: {@code rppkt}, {@code gstorepkt}, and
 * {@code ppkt} by port channels.
 */
final class ForwardStep extends Step {
  private final Spot source;
  private final Posting posting;
  private long done;

  ForwardStep(Spot source, List<Spot> destinations) {
    this.source = source;
    this.posting = new Posting(destinations.toArray(Spot[]::new));
  }

  @Override
  boolean advance(Launch launch, Block block, long from, long most) {
    MemorySegment scratch = launch.memory().all();
    MemorySegment piece = block.pieces(1);
    while (done < source.bytes()) {
      int bytes = (int) Math.min(Block.PIECE, source.bytes() - done);
      long at = launch.packetsAt(source) + 2 * done;
      int come = Packets.unpack(scratch, at, piece.address(), bytes, launch.flag());
      if (come > 0) {
        posting.pack(launch, piece.address(), done, come);
        done += come;
        block.stir();
      }
      if (come < bytes) {
        return false;
      }
    }
    if (!posting.isSent(launch, block)) {
      return false;
    }
    reset();
    return true;
  }

  @Override
  Awaited awaited(Launch launch) {
    return done < source.bytes()
        ? new Awaited(Packets.missing(source, done), source.rank())
        : posting.awaited(launch);
  }

  @Override
  void reset() {
    done = 0;
    posting.reset();
  }
}
