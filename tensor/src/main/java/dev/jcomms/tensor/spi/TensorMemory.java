package dev.jcomms.tensor.spi;

import dev.jcomms.tensor.internal.memory.MemoryFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * Where a process has its CPU tensors, all but small ones: for backends that reach them from
 * another process of the same user and host.
 *
 * <p>{@code -Djcomms.memory.shared=BYTES} says how many bytes may be there, as much as the heap may
 * have unless it is given; 0 for none. Any thread.
 *
 * @param pid of the process, as its host counts
 * @param descriptor the number of the file in that process
 * @param identity what the file says it is
 * @param bytes of the file
 */
public record TensorMemory(long pid, int descriptor, UUID identity, long bytes) {
  /** This process's; null where tensors are in memory that nobody else can have. */
  public static TensorMemory own() {
    MemoryFile own = MemoryFile.own();
    return own == null
        ? null
        : new TensorMemory(
            ProcessHandle.current().pid(),
            own.descriptor(),
            own.identity(),
            own.memory().byteSize());
  }

  /** Where a segment of this process is in its memory; 0 if it is anywhere else, or withdrawn. */
  public static long offset(MemorySegment segment) {
    MemoryFile own = MemoryFile.own();
    return isIn(own, segment) && !own.isWithdrawn(segment)
        ? segment.address() - own.memory().address()
        : 0;
  }

  private static boolean isIn(MemoryFile own, MemorySegment segment) {
    if (own == null || !segment.isNative()) {
      return false;
    }
    long offset = segment.address() - own.memory().address();
    return offset > 0 && offset <= own.memory().byteSize() - segment.byteSize();
  }

  /**
   * Takes a segment out of this process's memory for good, with the pages it is in: it keeps what
   * it holds, and what another process writes there from now on does not come here. For a segment
   * that another may still write to when it should not.
   *
   * @throws IOException if the system does not permit it
   */
  public static void withdraw(MemorySegment segment) throws IOException {
    MemoryFile own = MemoryFile.own();
    if (isIn(own, segment)) {
      own.withdraw(segment);
    }
  }

  /**
   * All of it. A tensor that its process has done with gives way to others there, or to zeros; who
   * writes to one is sure that its process waits for that.
   *
   * @throws IOException if it is not to be had
   */
  @SuppressWarnings("restricted")
  public MemorySegment map(Arena arena) throws IOException {
    Path path = Path.of("/proc/" + pid + "/fd/" + descriptor);
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      if (file.size() != bytes) {
        throw new IOException(path + " has " + file.size() + " bytes, not " + bytes);
      }
      MemorySegment mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
      MemorySegment plain =
          MemorySegment.ofAddress(mapped.address()).reinterpret(bytes, arena, null);
      if (plain.get(ValueLayout.JAVA_LONG, 0) != identity.getMostSignificantBits()
          || plain.get(ValueLayout.JAVA_LONG, 8) != identity.getLeastSignificantBits()) {
        throw new IOException(path + " is another file");
      }
      return plain;
    }
  }
}
