package dev.jcomms.jccl.internal.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Files of memory, under {@code /dev/shm}: for processes to map the same pages.
 *
 * <p>Room is reserved when a file is made: a page that the system cannot give later would end the
 * process, not an operation.
 */
public final class SharedFile {
  private static final int READ_WRITE = 2;
  private static final int CLOSE_ON_EXEC = 0x80000;
  private static final Path FOLDER = Path.of("/dev/shm");

  /** All that we make ourselves; no slash, so that no name leads out of the folder. */
  private static final Pattern NAME = Pattern.compile("jcomms-[A-Za-z0-9._-]+");

  private SharedFile() {}

  /**
   * The path of a file of shared memory.
   *
   * @throws IOException if it is no name of ours: names come from a store that others may write to
   */
  public static Path path(String name) throws IOException {
    if (!NAME.matcher(name).matches()) {
      throw new IOException("'" + name + "' is no name of shared memory");
    }
    return FOLDER.resolve(name);
  }

  /** Makes a file of zeros that its owner alone may open. */
  public static void create(Path path, long bytes) throws IOException {
    Files.createFile(
        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      reserve(path, bytes);
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(path);
      throw e;
    }
  }

  /**
   * Maps a whole file. Links are not followed: anybody may lay one in the folder.
   *
   * <p>The segment is a plain native one, not a mapped one: code that meets one kind of segment
   * only is compiled better.
   */
  @SuppressWarnings("restricted")
  public static MemorySegment map(Path path, long bytes, Arena arena) throws IOException {
    try (FileChannel file =
        FileChannel.open(
            path,
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS))) {
      if (file.size() < bytes) {
        throw new IOException(path + " has " + file.size() + " bytes, not " + bytes);
      }
      MemorySegment mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
      return MemorySegment.ofAddress(mapped.address()).reinterpret(bytes, arena, null);
    }
  }

  @SuppressWarnings("restricted")
  private static void reserve(Path path, long bytes) throws IOException {
    Linker linker = Linker.nativeLinker();
    MethodHandle open =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("open"),
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
            Linker.Option.firstVariadicArg(2));
    MethodHandle allocate =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("posix_fallocate"),
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
    MethodHandle close =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("close"), FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(path.toString());
      int file = (int) open.invokeExact(name, READ_WRITE | CLOSE_ON_EXEC);
      if (file < 0) {
        throw new IOException("cannot open " + path);
      }
      int error = (int) allocate.invokeExact(file, 0L, bytes);
      int ignored = (int) close.invokeExact(file);
      if (error != 0) {
        throw new IOException(
            "no room for %d bytes of shared memory in %s (errno=%d)"
                .formatted(bytes, FOLDER, error));
      }
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("a system call cannot throw", e);
    }
  }
}
