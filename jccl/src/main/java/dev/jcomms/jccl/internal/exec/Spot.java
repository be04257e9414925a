package dev.jcomms.jccl.internal.exec;

import dev.jcomms.jccl.plan.BufferType;

/**
 * Bytes of a rank's buffer that a step reads or writes, as data; as packets they are twice as many,
 * at twice the offset.
 */
record Spot(int rank, BufferType buffer, long offset, long bytes) {
  @Override
  public String toString() {
    return buffer.name().toLowerCase(java.util.Locale.ROOT) + " of rank " + rank;
  }
}
