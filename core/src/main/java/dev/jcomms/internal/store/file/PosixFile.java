package dev.jcomms.internal.store.file;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;

/**
 * An open file with {@code flock(2)}, by system calls. Java's own file locks are {@code fcntl}
 * locks: they exclude neither those who use {@code flock}, as PyTorch does, nor other threads of
 * this process. One thread.
 */
final class PosixFile implements AutoCloseable {
  static final int LOCK_SHARED = 1;
  static final int LOCK_EXCLUSIVE = 2;
  private static final int LOCK_AT_ONCE = 4;

  private static final int READ_WRITE = 2;
  private static final int OWNER_ONLY = 0600;
  private static final int FROM_START = 0;
  private static final int FROM_END = 2;

  private static final int ENOENT = 2;
  private static final int EINTR = 4;

  private static final boolean MAC = System.getProperty("os.name").startsWith("Mac");
  private static final int CREATE = MAC ? 0x200 : 0x40;
  private static final int CLOSE_ON_EXEC = MAC ? 0x1000000 : 0x80000;
  private static final int EWOULDBLOCK = MAC ? 35 : 11;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final MethodHandle OPEN =
      link(
          "open",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle FLOCK =
      link("flock", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle SEEK =
      link("lseek", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
  private static final MethodHandle READ =
      link("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
  private static final MethodHandle WRITE =
      link("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
  private static final MethodHandle TRUNCATE =
      link("ftruncate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
  private static final MethodHandle CLOSE =
      link("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  private final Arena arena;
  private final MemorySegment state;
  private final int fd;

  private PosixFile(Arena arena, Path path, boolean create) throws IOException {
    this.arena = arena;
    this.state = arena.allocate(STATE);
    MemorySegment name = arena.allocateFrom(path.toString());
    int flags = READ_WRITE | CLOSE_ON_EXEC | (create ? CREATE : 0);
    this.fd = (int) call(() -> (int) OPEN.invokeExact(state, name, flags, OWNER_ONLY));
    if (fd < 0 && errno() == ENOENT) throw new NoSuchFileException(path.toString());
    check("open " + path, fd);
  }

  /** Opens for reading and writing; a file made now is its owner's only. */
  static PosixFile open(Path path, boolean create) throws IOException {
    Arena arena = Arena.ofConfined();
    try {
      return new PosixFile(arena, path, create);
    } catch (IOException | RuntimeException e) {
      arena.close();
      throw e;
    }
  }

  /** Takes a lock if that can be done at once; closing the file gives it back. */
  boolean tryLock(int kind) throws IOException {
    long result = call(() -> (int) FLOCK.invokeExact(state, fd, kind | LOCK_AT_ONCE));
    if (result < 0 && errno() == EWOULDBLOCK) return false;
    check("flock", result);
    return true;
  }

  /**
   * Whether it is still the file at a path: whoever waited for its lock may find that it was
   * removed meanwhile. Where the system does not show what is open, it counts as that.
   */
  boolean isAt(Path path) throws IOException {
    Object open;
    try {
      open = identity(Path.of("/dev/fd/" + fd));
    } catch (IOException e) {
      return true;
    }
    try {
      return open.equals(identity(path));
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static Object identity(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }

  /** How long the file is. */
  long length() throws IOException {
    return seek(0, FROM_END);
  }

  /** A part of the file that is there. */
  byte[] read(long offset, int bytes) throws IOException {
    seek(offset, FROM_START);
    MemorySegment buffer = arena.allocate(bytes);
    for (long done = 0; done < bytes; ) {
      MemorySegment rest = buffer.asSlice(done);
      long read = call(() -> (long) READ.invokeExact(state, fd, rest, rest.byteSize()));
      check("read", read);
      if (read == 0) throw new IOException("file ended at " + (offset + done));
      done += read;
    }
    return buffer.toArray(JAVA_BYTE);
  }

  /**
   * Writes at the end, in one system call unless the system cuts it short. All of it or, where the
   * disk is full, nothing: half a record would make the file useless to everybody.
   */
  void append(byte[] bytes) throws IOException {
    long end = seek(0, FROM_END);
    try {
      write(arena.allocateFrom(JAVA_BYTE, bytes));
    } catch (IOException e) {
      if (call(() -> (int) TRUNCATE.invokeExact(state, fd, end)) < 0) {
        e.addSuppressed(new IOException("ftruncate: errno=" + errno()));
      }
      throw e;
    }
  }

  private void write(MemorySegment bytes) throws IOException {
    for (long done = 0; done < bytes.byteSize(); ) {
      MemorySegment rest = bytes.asSlice(done);
      long written = call(() -> (long) WRITE.invokeExact(state, fd, rest, rest.byteSize()));
      check("write", written);
      done += written;
    }
  }

  @Override
  public void close() {
    try {
      // Not tried again when interrupted: the descriptor is gone, and may be another's by then.
      int ignored = (int) CLOSE.invokeExact(state, fd);
    } catch (Throwable e) {
      throw new AssertionError(e);
    } finally {
      arena.close();
    }
  }

  private long seek(long offset, int whence) throws IOException {
    long position = call(() -> (long) SEEK.invokeExact(state, fd, offset, whence));
    check("lseek", position);
    return position;
  }

  @FunctionalInterface
  private interface SystemCall {
    long run() throws Throwable;
  }

  private long call(SystemCall body) {
    try {
      long result;
      do {
        result = body.run();
      } while (result < 0 && errno() == EINTR);
      return result;
    } catch (Throwable e) {
      throw new AssertionError("a system call cannot throw", e);
    }
  }

  private void check(String what, long result) throws IOException {
    if (result < 0) throw new IOException(what + ": errno=" + errno());
  }

  private int errno() {
    return (int) ERRNO.get(state, 0L);
  }

  @SuppressWarnings("restricted")
  private static MethodHandle link(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    Linker.Option[] all = Arrays.copyOf(options, options.length + 1);
    all[options.length] = Linker.Option.captureCallState("errno");
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, all);
  }
}
