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

/**
 * {@code process_vm_readv(2)}: copying out of another process's memory, in one go, where the kernel
 * permits it: the same user, and no stricter rule. One thread.
 */
public final class PeerMemory {
  private static final MethodHandle READ = link();

  /** A place and a length for each side: here, and there. */
  private final MemorySegment places = Arena.ofAuto().allocate(32, 8);

  /** Whether this system has the call at all. */
  public static boolean exists() {
    return READ != null;
  }

  /**
   * Copies from an address in a process to native memory here.
   *
   * @throws IOException if the kernel refuses, or the process or its memory is gone
   */
  public void read(long pid, long address, MemorySegment into, long at, long bytes)
      throws IOException {
    long done = 0;
    while (done < bytes) {
      places.set(JAVA_LONG, 0, into.address() + at + done);
      places.set(JAVA_LONG, 8, bytes - done);
      places.set(JAVA_LONG, 16, address + done);
      places.set(JAVA_LONG, 24, bytes - done);
      long read = call(pid);
      if (read <= 0) {
        throw new IOException("memory of process " + pid + " cannot be read");
      }
      done += read;
    }
  }

  private long call(long pid) {
    try {
      return (long) READ.invokeExact((int) pid, places, 1L, places.asSlice(16), 1L, 0L);
    } catch (Throwable e) {
      throw new AssertionError("a system call cannot throw", e);
    }
  }

  @SuppressWarnings("restricted")
  private static MethodHandle link() {
    Linker linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find("process_vm_readv")
        .map(
            symbol ->
                linker.downcallHandle(
                    symbol,
                    FunctionDescriptor.of(
                        JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG)))
        .orElse(null);
  }
}
