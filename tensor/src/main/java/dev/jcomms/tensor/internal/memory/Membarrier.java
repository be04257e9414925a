package dev.jcomms.tensor.internal.memory;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/**
 * {@code membarrier(2)}: a fence that one thread orders for all, in every process that takes part.
 * Any thread.
 *
 * <p>It lets whoever does something often go without a fence, and whoever does its rare counterpart
 * pay for both. Where there is none it does nothing: who relies on it looks again now and then.
 */
public final class Membarrier {
  private static final int GLOBAL_EXPEDITED = 1 << 1;
  private static final int REGISTER_GLOBAL_EXPEDITED = 1 << 2;

  /** The number of the call on this kernel; 0 where there is none. */
  private static final long CALL =
      !System.getProperty("os.name").equals("Linux")
          ? 0
          : switch (System.getProperty("os.arch")) {
            case "amd64" -> 324;
            case "aarch64", "riscv64" -> 283;
            default -> 0;
          };

  private static final MethodHandle SYSCALL = CALL == 0 ? null : link();
  private static final boolean TAKES_PART = SYSCALL != null && call(REGISTER_GLOBAL_EXPEDITED) == 0;

  private Membarrier() {}

  /** From now on this process passes the fences of others; false where there are none. */
  public static boolean takePart() {
    return TAKES_PART;
  }

  /** Every thread that runs now, in any process that takes part, passes a fence. */
  public static void fence() {
    if (TAKES_PART) {
      call(GLOBAL_EXPEDITED);
    }
  }

  private static long call(int command) {
    try {
      return (long) SYSCALL.invokeExact(CALL, command, 0, 0);
    } catch (Throwable e) {
      throw new AssertionError("a system call cannot throw", e);
    }
  }

  @SuppressWarnings("restricted")
  private static MethodHandle link() {
    Linker linker = Linker.nativeLinker();
    try {
      return linker.downcallHandle(
          linker.defaultLookup().findOrThrow("syscall"),
          FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT),
          Linker.Option.firstVariadicArg(1));
    } catch (IllegalCallerException denied) {
      return null; // native access is
    }
  }
}
