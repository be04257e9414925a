package dev.jcomms.jccl.internal.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The processor that a thread runs on, and the way off it: {@code sched_getcpu(3)} and {@code
 * sched_setaffinity(2)}. Any thread, for itself.
 */
public final class Processor {
  /** In place of a processor, where it cannot be told. */
  public static final int UNKNOWN = -1;

  /** Bytes of a set of processors, a bit for each, in longs; refused if the kernel has more. */
  private static final int SET_BYTES = 1024;

  private static final MethodHandle CURRENT = link("sched_getcpu", FunctionDescriptor.of(JAVA_INT));
  private static final MethodHandle ALLOWED = linkSet("sched_getaffinity");
  private static final MethodHandle ALLOW = linkSet("sched_setaffinity");

  private Processor() {}

  /** Where the calling thread runs just now; a virtual one runs nowhere. */
  public static int current() {
    if (CURRENT == null || Thread.currentThread().isVirtual()) {
      return UNKNOWN;
    }
    try {
      return (int) CURRENT.invokeExact();
    } catch (Throwable e) {
      throw new AssertionError("a system call cannot throw", e);
    }
  }

  /**
   * Moves the calling thread to another processor, and leaves it as free as it was: the scheduler
   * may move it again at once.
   *
   * @return whether it may run on another
   */
  public static boolean leave() {
    int here = current();
    if (here == UNKNOWN || here >= SET_BYTES * Byte.SIZE || ALLOWED == null || ALLOW == null) {
      return false;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment allowed = arena.allocate(SET_BYTES, Long.BYTES);
      if (call(ALLOWED, allowed) < 0) {
        return false;
      }
      MemorySegment others = arena.allocate(SET_BYTES, Long.BYTES).copyFrom(allowed);
      long some = others.getAtIndex(JAVA_LONG, here / Long.SIZE);
      others.setAtIndex(JAVA_LONG, here / Long.SIZE, some & ~(1L << here));
      // Refused if it is empty.
      boolean moved = call(ALLOW, others) == 0;
      call(ALLOW, allowed);
      return moved;
    }
  }

  private static int call(MethodHandle handle, MemorySegment set) {
    try {
      return (int) handle.invokeExact(0, (long) SET_BYTES, set);
    } catch (Throwable e) {
      throw new AssertionError("a system call cannot throw", e);
    }
  }

  private static MethodHandle linkSet(String name) {
    return link(name, FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));
  }

  @SuppressWarnings("restricted")
  private static MethodHandle link(String name, FunctionDescriptor descriptor) {
    Linker linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find(name)
        .map(symbol -> linker.downcallHandle(symbol, descriptor))
        .orElse(null);
  }
}
