package dev.jcomms.jccl.internal.transport.shm;

import dev.jcomms.tensor.spi.TensorMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * A process of this host whose tensors this one has mapped: once, however many communicators the
 * two share, since a mapping takes as many addresses as the other may ever need. Any thread.
 */
final class Neighbour implements AutoCloseable {
  private static final Map<TensorMemory, Neighbour> MAPPED = new HashMap<>();

  private final TensorMemory memory;
  private final MemorySegment tensors;
  private final Arena arena;

  /** How many have opened it and not closed it; under the lock of all. */
  private int users;

  private Neighbour(TensorMemory memory, MemorySegment tensors, Arena arena) {
    this.memory = memory;
    this.tensors = tensors;
    this.arena = arena;
  }

  /**
   * To be closed by each who opens it.
   *
   * @throws IOException if this process may not, or cannot, map the other's tensors
   */
  static Neighbour open(TensorMemory memory) throws IOException {
    synchronized (MAPPED) {
      Neighbour neighbour = MAPPED.get(memory);
      if (neighbour == null) {
        neighbour = map(memory);
        MAPPED.put(memory, neighbour);
      }
      neighbour.users++;
      return neighbour;
    }
  }

  private static Neighbour map(TensorMemory memory) throws IOException {
    Arena arena = Arena.ofShared();
    try {
      return new Neighbour(memory, memory.map(arena), arena);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      arena.close();
      throw e;
    }
  }

  /** All its tensors. */
  MemorySegment tensors() {
    return tensors;
  }

  @Override
  public void close() {
    synchronized (MAPPED) {
      if (--users > 0) {
        return;
      }
      MAPPED.remove(memory);
    }
    HostMemory.free(arena);
  }
}
