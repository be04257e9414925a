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
 * The time for which a thread may have a processor until it is others' turn: {@code
 * sched_setattr(2)}. Any thread, for itself.
 *
 * <p>Who gives a turn away while it waits is charged with the rest of its slice, three milliseconds
 * if it has not said otherwise. One that looks again after a microsecond is charged so a thousand
 * times too much, and whoever computes on that processor, a compiler say, gets it for nearly all
 * the time. So it asks for short slices first, which Linux grants since 6.12; elsewhere nothing
 * changes.
 */
public final class Slice {
  /** In place of a length, where the kernel does not tell. */
  static final long UNKNOWN = 0;

  /** The least that the kernel grants. */
  static final long SHORT_NANOS = 100_000;

  // The attributes, as the first version of the call has them: size, policy, flags, niceness,
  // priority, and slice, deadline and period in longs.
  private static final int ATTRIBUTES_BYTES = 48;
  private static final int POLICY_AT = 4;
  private static final int SLICE_AT = 24;

  /** The policy of all threads that have not asked for another. */
  private static final int NORMAL = 0;

  private static final int SELF = 0;

  private static final long SET;
  private static final long GET;
  private static final MethodHandle SYSCALL;

  static {
    boolean linux = System.getProperty("os.name").equals("Linux");
    String processor = linux ? System.getProperty("os.arch") : "";
    SET =
        switch (processor) {
          case "amd64" -> 314;
          case "aarch64", "riscv64" -> 274;
          default -> 0;
        };
    GET = SET + 1;
    SYSCALL = SET == 0 ? null : link();
  }

  private static final ThreadLocal<Boolean> SHORTENED = ThreadLocal.withInitial(Slice::shorten);

  private Slice() {}

  /** Lets others run on this processor first, at the price of a short slice. */
  public static void giveAway() {
    SHORTENED.get();
    Thread.yield();
  }

  /** How long the calling thread's is. */
  static long nanos() {
    if (SYSCALL == null || Thread.currentThread().isVirtual()) {
      return UNKNOWN;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = attributes(arena);
      return attributes == null ? UNKNOWN : attributes.get(JAVA_LONG, SLICE_AT);
    }
  }

  /** Asks for short slices; whether the calling thread has them then. */
  private static boolean shorten() {
    if (SYSCALL == null || Thread.currentThread().isVirtual()) {
      return false;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = attributes(arena);
      if (attributes == null
          || attributes.get(JAVA_INT, POLICY_AT) != NORMAL
          || attributes.get(JAVA_LONG, SLICE_AT) == UNKNOWN) {
        return false;
      }
      if (attributes.get(JAVA_LONG, SLICE_AT) <= SHORT_NANOS) {
        return true;
      }
      attributes.set(JAVA_LONG, SLICE_AT, SHORT_NANOS);
      return call(SET, attributes, 0, 0) == 0;
    }
  }

  /** The calling thread's, as they are; null if the kernel does not tell. */
  private static MemorySegment attributes(Arena arena) {
    MemorySegment attributes = arena.allocate(ATTRIBUTES_BYTES, Long.BYTES);
    return call(GET, attributes, ATTRIBUTES_BYTES, 0) == 0 ? attributes : null;
  }

  private static long call(long number, MemorySegment attributes, int third, int fourth) {
    try {
      return (long) SYSCALL.invokeExact(number, SELF, attributes, third, fourth);
    } catch (Throwable e) {
      throw new AssertionError("a system call cannot throw", e);
    }
  }

  @SuppressWarnings("restricted")
  private static MethodHandle link() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("syscall"),
        FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT),
        Linker.Option.firstVariadicArg(1));
  }
}
