package dev.jcomms.jccl.dsl;

import dev.jcomms.jccl.plan.BufferType;

/**
 * A run of chunks of one rank's buffer. Made by a {@link Buffer}; immutable.
 *
 * @param index the first chunk, from the beginning of all the rank's chunks of that type
 * @param chunks how many
 */
public record Chunk(int rank, BufferType buffer, int index, int chunks) {
  /** As {@code input[2:3] of rank 0}. */
  @Override
  public String toString() {
    return "%s[%d:%d] of rank %d"
        .formatted(buffer.name().toLowerCase(java.util.Locale.ROOT), index, index + chunks, rank);
  }
}
