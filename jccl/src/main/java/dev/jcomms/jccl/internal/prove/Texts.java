package dev.jcomms.jccl.internal.prove;

import dev.jcomms.jccl.plan.Op.Form;
import dev.jcomms.jccl.plan.PlanLayout;

/** Bytes in words: by chunks wherever they are whole ones. */
final class Texts {
  private final long chunkBytes;

  Texts(long chunkBytes) {
    this.chunkBytes = chunkBytes;
  }

  /** As {@code scratch chunk 3 of rank 1}. */
  String where(PlanLayout layout, Spot spot, int launch) {
    boolean scratch = spot.region().name().equals("scratch");
    long base = scratch ? layout.scratchOffset(launch) : 0;
    // What another launch's half holds is counted from there.
    base = spot.from() < base ? 0 : base;
    int scale = spot.form() == Form.PACKETS ? 2 : 1;
    long from = (spot.from() - base) / scale;
    long to = (spot.to() - base) / scale;
    return spot.region().name() + " " + chunks(from, to) + " of rank " + spot.region().rank();
  }

  /** As {@code chunk 3}, or {@code bytes 8 to 16 of chunk 3}. */
  String chunks(long from, long to) {
    if (from % chunkBytes == 0 && to % chunkBytes == 0) {
      long first = from / chunkBytes;
      long last = to / chunkBytes - 1;
      return first == last ? "chunk " + first : "chunks " + first + " to " + last;
    }
    long chunk = from / chunkBytes;
    return "bytes %d to %d of chunk %d"
        .formatted(from - chunk * chunkBytes, to - chunk * chunkBytes, chunk);
  }

  /** As {@code chunk 3}, or {@code byte 8 of chunk 3}. */
  String position(long at) {
    long chunk = Math.floorDiv(at, chunkBytes);
    long rest = at - chunk * chunkBytes;
    return rest == 0 ? "chunk " + chunk : "byte " + rest + " of chunk " + chunk;
  }
}
