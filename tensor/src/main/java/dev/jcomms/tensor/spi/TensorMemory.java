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

  /** Where a segment of this process is in its memory; 0 if it is anywhere else. */
  public static long offset(MemorySegment segment) {
    MemoryFile own = MemoryFile.own();
    if (own == null || !segment.isNative()) {
      return 0;
    }
    long offset = segment.address() - own.memory().address();
    return offset > 0 && offset <= own.memory().byteSize() - segment.byteSize() ? offset : 0;
  }

  /**
   * All of it, to read. A tensor that its process has done with gives way to others there, or to
   * zeros.
   *
   * @throws IOException if it is not to be had
   */
  @SuppressWarnings("restricted")
  public MemorySegment map(Arena arena) throws IOException {
    Path path = Path.of("/proc/" + pid + "/fd/" + descriptor);
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
      if (file.size() != bytes) {
        throw new IOException(path + " has " + file.size() + " bytes, not " + bytes);
      }
      MemorySegment mapped = file.map(FileChannel.MapMode.READ_ONLY, 0, bytes, arena);
      MemorySegment plain =
          MemorySegment.ofAddress(mapped.address()).reinterpret(bytes, arena, null);
      if (plain.get(ValueLayout.JAVA_LONG, 0) != identity.getMostSignificantBits()
          || plain.get(ValueLayout.JAVA_LONG, 8) != identity.getLeastSignificantBits()) {
        throw new IOException(path + " is another file");
      }
      return plain.asReadOnly();
    }
  }
}
