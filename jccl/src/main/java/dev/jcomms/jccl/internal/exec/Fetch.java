package dev.jcomms.jccl.internal.exec;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * What a step reads: where it is if that is on this host, a copy that was asked for if not. One
 * thread at a time.
 */
final class Fetch {
  private final Spot source;
  private MemorySegment copy;
  private boolean asked;

  Fetch(Spot source) {
    this.source = source;
  }

  /** Whether it can be read; asks for it if need be. */
  boolean isThere(Launch launch, Block block, long start, long bytes) {
    if (!launch.isFar(source) || bytes == 0) {
      return true;
    }
    if (!asked) {
      if (copy == null || copy.byteSize() != bytes) {
        copy = Arena.ofAuto().allocate(bytes, 64);
      }
      block.send(launch.memory().far().get(copy, source.rank(), launch.farAt(source) + start));
      asked = true;
    }
    return block.isSent();
  }

  MemorySegment segment(Launch launch) {
    return launch.isFar(source) ? copy : launch.segment(source);
  }

  /** Where in {@link #segment} the byte is that {@code start} means in the source. */
  long at(Launch launch, long start) {
    return launch.isFar(source) ? 0 : launch.at(source) + start;
  }

  Spot source() {
    return source;
  }

  void reset() {
    asked = false;
  }
}
