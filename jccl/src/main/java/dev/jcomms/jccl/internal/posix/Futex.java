package dev.jcomms.jccl.internal.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code futex(2)}: sleeping until a word of memory changes, also between processes. Any thread.
 *
 * <p>Where there is none, and on virtual threads, which must not hold their carrier, a sleep is a
 * short nap after which the caller looks again.
 */
public final class Futex {
  private static final int WAIT = 0;
  private static final int WAKE = 1;
  private static final long NAP_NANOS = 50_000;

  /** The number of the call on this kernel; 0 where there is none. */
  private static final long CALL =
      !System.getProperty("os.name").equals("Linux")
          ? 0
          : switch (System.getProperty("os.arch")) {
            case "amd64" -> 202;
            case "aarch64", "riscv64" -> 98;
            default -> 0;
          };

  private static final MethodHandle SYSCALL = CALL == 0 ? null : link();

  /** Seconds and nanoseconds; a thread's own, since it is read while the thread sleeps. */
  private static final ThreadLocal<MemorySegment> TIME =
      ThreadLocal.withInitial(() -> java.lang.foreign.Arena.ofAuto().allocate(16, 8));

  private Futex() {}

  /**
   * Sleeps while the int at an offset has a value, until woken, and not longer than a time. May
   * return early for no reason.
   */
  public static void sleep(MemorySegment memory, long offset, int value, long nanos) {
    if (nanos <= 0) {
      return;
    }
    if (SYSCALL == null || Thread.currentThread().isVirtual()) {
      LockSupport.parkNanos(Math.min(nanos, NAP_NANOS));
      return;
    }
    MemorySegment time = TIME.get();
    time.set(JAVA_LONG, 0, nanos / 1_000_000_000L);
    time.set(JAVA_LONG, 8, nanos % 1_000_000_000L);
    call(memory.asSlice(offset, 4), WAIT, value, time);
  }

  /** Wakes all who sleep on the int at an offset. */
  public static void wake(MemorySegment memory, long offset) {
    if (SYSCALL != null) {
      call(memory.asSlice(offset, 4), WAKE, Integer.MAX_VALUE, MemorySegment.NULL);
    }
  }

  private static void call(MemorySegment word, int operation, int value, MemorySegment time) {
    try {
      // EAGAIN, EINTR and ETIMEDOUT all mean: look again.
      long ignored = (long) SYSCALL.invokeExact(CALL, word, operation, value, time, 0L, 0);
    } catch (Throwable e) {
      throw new AssertionError("a system call cannot throw", e);
    }
  }

  @SuppressWarnings("restricted")
  private static MethodHandle link() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("syscall"),
        FunctionDescriptor.of(
            JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT),
        Linker.Option.firstVariadicArg(1));
  }
}
