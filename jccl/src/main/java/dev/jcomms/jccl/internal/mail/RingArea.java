package dev.jcomms.jccl.internal.mail;

import java.lang.foreign.MemorySegment;

/**
 * The memory that the mail of a host's ranks goes through: a bell for each rank, and a ring from
 * each to each other. Immutable; any thread.
 */
final class RingArea {
  private static final long LONGEST_RING = 256 << 10;
  private static final long SHORTEST_RING = 4 << 10;

  private final MemorySegment memory;
  private final int ranks;
  private final long ring;

  /** Memory that was zeroed before the first rank came. */
  RingArea(MemorySegment memory, int ranks) {
    if (memory.byteSize() < bytes(ranks)) {
      throw new IllegalArgumentException(
          "rings of ranks=%d need bytes=%d, not %d"
              .formatted(ranks, bytes(ranks), memory.byteSize()));
    }
    this.memory = memory;
    this.ranks = ranks;
    this.ring = RingWriter.POSITIONS + ringBytes(ranks);
  }

  /** Bytes that the rings of so many ranks take. */
  static long bytes(int ranks) {
    return ranks * Bell.BYTES
        + (long) ranks * (ranks - 1) * (RingWriter.POSITIONS + ringBytes(ranks));
  }

  /**
   * All rings together take less than 4 MiB until they are as short as 16 KiB, and less than 64 MiB
   * until they are as short as they get.
   */
  static long ringBytes(int ranks) {
    long rings = Math.max(1, (long) ranks * (ranks - 1));
    long modest = share(4 << 20, ranks, rings);
    long most = modest >= 16 << 10 ? modest : Math.min(16 << 10, share(64 << 20, ranks, rings));
    return Math.clamp(most, SHORTEST_RING, LONGEST_RING);
  }

  private static long share(long bytes, int ranks, long rings) {
    long each = (bytes - 1 - ranks * Bell.BYTES) / rings - RingWriter.POSITIONS;
    return each <= 0 ? 0 : Long.highestOneBit(each);
  }

  Bell bell(int place) {
    return new Bell(memory.asSlice(place * Bell.BYTES, Bell.BYTES));
  }

  /** Wakes everybody who sleeps. */
  void ringAll() {
    for (int place = 0; place < ranks; place++) {
      bell(place).ring();
    }
  }

  /** The two rings between two places, seen from the first. */
  RingPipe pipe(int place, int peer) {
    return new RingPipe(
        new RingWriter(ring(place, peer)), new RingReader(ring(peer, place)), bell(peer));
  }

  private MemorySegment ring(int from, int to) {
    long number = (long) from * (ranks - 1) + (to < from ? to : to - 1);
    return memory.asSlice(ranks * Bell.BYTES + number * ring, ring);
  }
}
