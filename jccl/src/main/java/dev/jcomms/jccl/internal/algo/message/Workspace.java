package dev.jcomms.jccl.internal.algo.message;

import dev.jcomms.jccl.internal.reduce.Terms;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory of an engine that its algorithms use in turn: native, grown when an operation needs more,
 * kept for the next. One operation at a time.
 */
public final class Workspace implements AutoCloseable {
  /** Cache lines, and the widest vectors. */
  private static final long ALIGNMENT = 64;

  private static final long LEAST_BYTES = 64 << 10;

  private final Buffer first = new Buffer();
  private final Buffer second = new Buffer();
  private final Terms terms = new Terms();

  /** At least so many bytes, of any content; what was got here before is void. */
  public MemorySegment bytes(long bytes) {
    return first.bytes(bytes);
  }

  /** As {@link #bytes}, and apart from it. */
  public MemorySegment moreBytes(long bytes) {
    return second.bytes(bytes);
  }

  /** No terms yet. */
  public Terms terms() {
    return terms.clear();
  }

  /** So many bytes, or a few more: where the next buffer may begin. */
  public static long aligned(long bytes) {
    return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
  }

  @Override
  public void close() {
    first.free();
    second.free();
  }

  private static final class Buffer {
    private Arena arena;
    private MemorySegment memory = MemorySegment.NULL;

    MemorySegment bytes(long bytes) {
      if (memory.byteSize() < Math.max(1, bytes)) {
        free();
        arena = Arena.ofShared();
        memory = arena.allocate(Math.max(LEAST_BYTES, bytes), ALIGNMENT);
      }
      return memory;
    }

    void free() {
      memory = MemorySegment.NULL;
      if (arena != null) {
        arena.close();
        arena = null;
      }
    }
  }
}
