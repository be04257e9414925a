package dev.jcomms.cli.launch;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;

/** The few calls of the C library that Java has no name for. */
@SuppressWarnings("restricted")
final class Posix {
  static final int SIGKILL = 9;
  static final int SIGTERM = 15;

  private static final Linker LINKER = Linker.nativeLinker();

  private Posix() {}

  /** Sends a signal to a process, or to a whole process group where {@code pid} is negative. */
  static boolean kill(long pid, int signal) {
    final class Handle {
      static final MethodHandle KILL =
          function("kill", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
    }
    try {
      return (int) Handle.KILL.invokeExact((int) pid, signal) == 0;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** The number of the user this process acts for. */
  static int uid() {
    MethodHandle geteuid = function("geteuid", ValueLayout.JAVA_INT);
    try {
      return (int) geteuid.invokeExact();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Whether an open descriptor is a terminal. */
  static boolean isTerminal(int descriptor) {
    MethodHandle isatty = function("isatty", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
    try {
      return (int) isatty.invokeExact(descriptor) == 1;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Becomes another program: same process, same streams. Returns only if that failed. */
  static void exec(List<String> words) {
    MethodHandle execv =
        function("execv", ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment argv = arena.allocate(ValueLayout.ADDRESS, words.size() + 1L);
      for (int i = 0; i < words.size(); i++) {
        argv.setAtIndex(ValueLayout.ADDRESS, i, arena.allocateFrom(words.get(i)));
      }
      int _ = (int) execv.invokeExact(arena.allocateFrom(words.getFirst()), argv);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static MethodHandle function(String name, MemoryLayout result, MemoryLayout... args) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, args));
  }
}
