package dev.jcomms.jccl.dsl;

import dev.jcomms.jccl.plan.BufferType;

/**
 * A buffer of one rank, counted in chunks; how many bytes a chunk has depends on the message. Made
 * by a {@link Rank}. Belongs to the thread that defines the program.
 */
public final class Buffer {
  private final Recorder recorder;
  private final int rank;
  private final BufferType type;
  private final int first;
  private final int chunks;

  Buffer(Recorder recorder, int rank, BufferType type, int first, int chunks) {
    this.recorder = recorder;
    this.rank = rank;
    this.type = type;
    this.first = first;
    this.chunks = chunks;
  }

  /** How many chunks there are. */
  public int chunks() {
    return chunks;
  }

  /** One chunk. */
  public Chunk chunk(int index) {
    return slice(index, index + 1);
  }

  /** The chunks from {@code from} to before {@code to}. */
  public Chunk slice(int from, int to) {
    if (from < 0 || to <= from || to > chunks) {
      throw recorder.error(
          "%s[%d:%d] of rank %d is not within its %d chunks",
          type.name().toLowerCase(java.util.Locale.ROOT), from, to, rank, chunks);
    }
    return new Chunk(rank, type, first + from, to - from);
  }

  /** All of it. */
  public Chunk all() {
    return slice(0, chunks);
  }
}
