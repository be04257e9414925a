package dev.jcomms.jccl.internal.exec;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Where a step's packets go: straight into scratch on this host; to other hosts from a copy, when
 * all of them are made. One thread at a time.
 */
final class Posting {
  private final Spot[] destinations;
  private MemorySegment copy;
  private boolean posted;

  Posting(Spot... destinations) {
    this.destinations = destinations;
  }

  /** Packs some bytes of data, once, and writes them so many from the beginning of each place. */
  void pack(Launch launch, long data, long done, int bytes) {
    boolean kept = false;
    for (Spot destination : destinations) {
      if (!launch.isFar(destination)) {
        long at = launch.packetsAt(destination) + 2 * done;
        Packets.pack(data, launch.memory().all(), at, bytes, launch.flag());
      } else if (!kept) {
        kept = true;
        if (copy == null) {
          copy = Arena.ofAuto().allocate(2 * destination.bytes(), 64);
        }
        Packets.pack(data, copy, 2 * done, bytes, launch.flag());
      }
    }
  }

  /** Sends what was packed, once; whether it has gone. */
  boolean isSent(Launch launch, Block block) {
    if (copy == null) {
      return true;
    }
    if (!posted) {
      posted = true;
      for (Spot destination : destinations) {
        if (launch.isFar(destination)) {
          long there = launch.farPackets(destination);
          block.send(launch.memory().far().putPackets(copy, destination.rank(), there));
        }
      }
    }
    return block.isSent();
  }

  /** A rank on another host that it sends to; this one's first destination otherwise. */
  Step.Awaited awaited(Launch launch) {
    for (Spot destination : destinations) {
      if (launch.isFar(destination)) {
        return new Step.Awaited(destination.toString(), destination.rank());
      }
    }
    return new Step.Awaited("nobody", destinations[0].rank());
  }

  void reset() {
    posted = false;
  }
}
