package dev.jcomms.tensor.internal.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
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
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The file without a name ({@code memfd_create(2)}) that this process has its tensors in, all but
 * small ones, so that other processes of its user can map them. It is as long as addresses may ever
 * be needed and holds pages only where something was written. It cannot be cut, so that no access
 * can fail.
 *
 * <p>The first page says which file it is; whoever maps one compares. Any thread.
 */
public final class MemoryFile {
  /** Bytes of tensors that may be in the file; 0 for no file. */
  private static final long MOST_BYTES =
      Long.getLong("jcomms.memory.shared", Runtime.getRuntime().maxMemory());

  /** Tensors of all sizes come and go: addresses that one size has used stay with it. */
  private static final long ADDRESSES_PER_BYTE = 8;

  /** Bytes at the beginning that are not tensors'. */
  private static final long HEADER = 64 << 10;

  private static final int CLOSE_ON_EXEC = 1;
  private static final int ALLOW_SEALING = 2;
  private static final int ADD_SEALS = 1033;
  private static final int SEAL_SEALS_SHRINKING_GROWING = 1 | 2 | 4;
  private static final int OWNER_ONLY = 0600;
  private static final int PUNCH_HOLE_AND_KEEP_SIZE = 2 | 1;
  private static final int READ_AND_WRITE = 1 | 2;
  private static final int PRIVATE_NORESERVE = 2 | 0x4000;
  private static final int MOVE_TO_FIXED = 1 | 2;
  private static final int DO_NOT_NEED = 4;
  private static final long FAILED = -1;

  /** Bytes that are copied before the file's are given back. */
  private static final long TAKEN_AT_ONCE = 2 << 20;

  private static final VarHandle INT = JAVA_INT.varHandle();

  private static final MemoryFile OWN = open();

  private final int descriptor;
  private final MemorySegment memory;
  private final UUID identity = UUID.randomUUID();
  private final Calls calls;
  private final AtomicLong end = new AtomicLong(HEADER);
  private final AtomicLong used = new AtomicLong();

  /** What is in the file no more: where ranges begin, and their ends. None overlap. */
  private final ConcurrentSkipListMap<Long, Long> withdrawn = new ConcurrentSkipListMap<>();

  /** Of these, where those begin that the system would not take out. */
  private final Set<Long> kept = new HashSet<>();

  /** The system calls that are needed later. */
  private record Calls(
      MethodHandle allocate,
      MethodHandle map,
      MethodHandle remap,
      MethodHandle unmap,
      MethodHandle advise,
      MethodHandle pageBytes) {}

  private MemoryFile(int descriptor, MemorySegment memory, Calls calls) {
    this.descriptor = descriptor;
    this.memory = memory;
    this.calls = calls;
    memory.set(JAVA_LONG, 0, identity.getMostSignificantBits());
    memory.set(JAVA_LONG, 8, identity.getLeastSignificantBits());
  }

  /** This process's; null on a system that has no such files, or lets this process have none. */
  public static MemoryFile own() {
    return OWN;
  }

  /** The file's number in this process. */
  public int descriptor() {
    return descriptor;
  }

  /** All of it. */
  public MemorySegment memory() {
    return memory;
  }

  /** What the first bytes say, those of high order first, in the machine's order. */
  public UUID identity() {
    return identity;
  }

  /** Counts bytes that are to be used, if there may be so many more. */
  boolean claim(long bytes) {
    if (used.addAndGet(bytes) <= MOST_BYTES) {
      return true;
    }
    unclaim(bytes);
    return false;
  }

  /** Counts bytes that are not used any more. */
  void unclaim(long bytes) {
    used.addAndGet(-bytes);
  }

  /** A range of zeros that nobody has had; null if there are no addresses left. */
  MemorySegment fresh(long bytes) {
    long offset = end.getAndAdd(bytes);
    if (offset + bytes > memory.byteSize()) {
      end.addAndGet(-bytes);
      return null;
    }
    return memory.asSlice(offset, bytes);
  }

  /**
   * Gives a range's pages back to the system: it reads as zeros from now on, and can be used again
   * unless it was withdrawn.
   */
  boolean release(MemorySegment range) {
    long offset = offset(range);
    long bytes = range.byteSize();
    boolean usable = !isWithdrawn(range);
    try {
      if (!usable) {
        long page = (int) calls.pageBytes.invokeExact();
        long from = upTo(page, offset);
        long to = (offset + bytes) & -page;
        if (from < to) { // the rest of a page may be another tensor's
          int unused = (int) calls.advise.invokeExact(memory.asSlice(from), to - from, DO_NOT_NEED);
        }
      }
      punch(offset, offset + bytes);
    } catch (Throwable e) {
      throw new AssertionError("a system call cannot throw", e);
    }
    return usable;
  }

  /** Gives the file's pages back to the system; what is a part of a page becomes zeros. */
  private void punch(long from, long to) throws Throwable {
    if (from < to) {
      int unused =
          (int) calls.allocate.invokeExact(descriptor, PUNCH_HOLE_AND_KEEP_SIZE, from, to - from);
    }
  }

  private static long upTo(long page, long offset) {
    return (offset + page - 1) & -page;
  }

  /**
   * Takes the pages of a range out of the file, for good: they hold what they held, and what others
   * write to the file from now on is not seen here, nor there what is written here. Other threads
   * may read and write the range meanwhile.
   *
   * @throws IOException if the system does not permit it
   */
  public synchronized void withdraw(MemorySegment range) throws IOException {
    try {
      long page = (int) calls.pageBytes.invokeExact();
      long from = offset(range) & -page;
      long end = Math.min(memory.byteSize(), upTo(page, offset(range) + range.byteSize()));
      while (from < end) {
        Map.Entry<Long, Long> before = withdrawn.floorEntry(from);
        if (before != null && before.getValue() > from) {
          if (kept.contains(before.getKey())) {
            throw new IOException("the system has not taken it out of the file before");
          }
          from = before.getValue(); // a second time would undo what was written since
          continue;
        }
        Long next = withdrawn.higherKey(from);
        long to = next == null ? end : Math.min(end, next);
        withdrawn.put(from, to); // so nobody is told any more that it is there
        kept.add(from);
        mapPrivately(from, to);
        takeOver(from, to, page, range);
        kept.remove(from);
        from = to;
      }
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("a system call cannot throw", e);
    }
  }

  /** Elsewhere first: a system that refuses has then taken nothing away. */
  private void mapPrivately(long from, long to) throws Throwable {
    long bytes = to - from;
    MemorySegment place = memory.asSlice(from, bytes);
    long mapped =
        (long)
            calls.map.invokeExact(
                MemorySegment.NULL, bytes, READ_AND_WRITE, PRIVATE_NORESERVE, descriptor, from);
    if (mapped == FAILED) {
      throw new IOException("mmap of " + bytes + " bytes failed");
    }
    long moved =
        (long)
            calls.remap.invokeExact(
                MemorySegment.ofAddress(mapped), bytes, bytes, MOVE_TO_FIXED, place);
    if (moved != place.address()) {
      int unused = (int) calls.unmap.invokeExact(MemorySegment.ofAddress(mapped), bytes);
      throw new IOException("mremap of " + bytes + " bytes failed");
    }
  }

  /**
   * Makes copies of pages that are mapped privately, and leaves the file none that are of the range
   * alone: never much is there twice.
   */
  private void takeOver(long from, long to, long page, MemorySegment range) throws Throwable {
    long first = upTo(page, offset(range));
    long last = (offset(range) + range.byteSize()) & -page;
    for (long at = from; at < to; at += TAKEN_AT_ONCE) {
      long next = Math.min(to, at + TAKEN_AT_ONCE);
      for (long own = at; own < next; own += page) {
        int unused = (int) INT.getAndAdd(memory, own, 0); // it is the file's until written to here
      }
      punch(Math.max(at, first), Math.min(next, last));
    }
  }

  /** Whether any page of a range was withdrawn. */
  public boolean isWithdrawn(MemorySegment range) {
    if (withdrawn.isEmpty()) {
      return false;
    }
    Map.Entry<Long, Long> last = withdrawn.lowerEntry(offset(range) + range.byteSize());
    return last != null && last.getValue() > offset(range);
  }

  private long offset(MemorySegment range) {
    return range.address() - memory.address();
  }

  private static MemoryFile open() {
    if (MOST_BYTES <= 0 || !System.getProperty("os.name").equals("Linux")) {
      return null;
    }
    try {
      return create();
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      System.getLogger("dev.jcomms.tensor")
          .log(System.Logger.Level.DEBUG, "tensors are not in memory that can be shared", e);
      return null;
    }
  }

  private static MemoryFile create() throws IOException {
    MethodHandle create = call("memfd_create", 2, JAVA_INT, ADDRESS, JAVA_INT);
    MethodHandle protect = call("fchmod", 2, JAVA_INT, JAVA_INT, JAVA_INT);
    MethodHandle seal = call("fcntl", 2, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
    Calls calls =
        new Calls(
            call("fallocate", 4, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG),
            call("mmap", 6, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG),
            call("mremap", 4, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS),
            call("munmap", 2, JAVA_INT, ADDRESS, JAVA_LONG),
            call("madvise", 3, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT),
            call("getpagesize", 0, JAVA_INT));
    try (Arena arena = Arena.ofConfined()) {
      int file =
          (int)
              create.invokeExact(
                  arena.allocateFrom("jcomms-tensors"), CLOSE_ON_EXEC | ALLOW_SEALING);
      if (file < 0 || (int) protect.invokeExact(file, OWNER_ONLY) != 0) {
        throw new IOException("memfd_create failed");
      }
      MemorySegment memory =
          map(Path.of("/proc/self/fd/" + file), HEADER + ADDRESSES_PER_BYTE * MOST_BYTES);
      if ((int) seal.invokeExact(file, ADD_SEALS, SEAL_SEALS_SHRINKING_GROWING) != 0) {
        throw new IOException("fcntl(F_ADD_SEALS) failed");
      }
      return new MemoryFile(file, memory, calls);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("a system call cannot throw", e);
    }
  }

  /** As plain native memory: code that meets one kind of segment only is compiled better. */
  @SuppressWarnings("restricted")
  private static MemorySegment map(Path path, long bytes) throws IOException {
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MemorySegment mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, bytes, Arena.global());
      return MemorySegment.ofAddress(mapped.address()).reinterpret(bytes);
    }
  }

  @SuppressWarnings("restricted")
  private static MethodHandle call(
      String name, int fixed, MemoryLayout result, MemoryLayout... arguments) {
    Linker linker = Linker.nativeLinker();
    FunctionDescriptor type = FunctionDescriptor.of(result, arguments);
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name),
        type,
        fixed < arguments.length
            ? new Linker.Option[] {Linker.Option.firstVariadicArg(fixed)}
            : new Linker.Option[0]);
  }
}
