package dev.jcomms.jccl.internal.pattern;

import java.util.Objects;

/**
 * A buffer cut into chunks of one length, in order, without gaps; the last one may be shorter.
 *
 * <p>Even an empty buffer has one chunk, so that whoever sends chunk by chunk sends something.
 * Beyond the last one chunks are empty: buffers of different lengths can be walked together.
 */
public record Chunks(long elements, long chunk) {
  public Chunks {
    if (elements < 0 || chunk < 1) {
      throw new IllegalArgumentException("chunks: elements=%d chunk=%d".formatted(elements, chunk));
    }
  }

  /** Chunks of at most so many bytes, of one element at least. */
  public static Chunks ofBytes(long elements, int elementBytes, long mostBytes) {
    return new Chunks(elements, Math.max(1, mostBytes / elementBytes));
  }

  public long count() {
    return Math.max(1, elements / chunk + (elements % chunk == 0 ? 0 : 1));
  }

  /** The first element of a chunk; the end of the buffer, beyond the last one. */
  public long offset(long index) {
    Objects.checkIndex(index, Long.MAX_VALUE);
    return index >= count() ? elements : index * chunk;
  }

  /** Elements of a chunk; none beyond the last one. */
  public long length(long index) {
    return Math.min(chunk, elements - offset(index));
  }
}
