package dev.jcomms.jccl.internal.transport.shm;

import static dev.jcomms.jccl.internal.memory.Everything.EVERYTHING;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Copies a few lines that are about to be published, eight bytes at a time. Any thread.
 *
 * <p>The lines are with those who have read them last, and come back one after the other. Stores of
 * whole lines are over so soon that the line of the phase is asked for along with them: most likely
 * it is here first, and whoever waits for the phase takes it away once more before it can be
 * written. An all-reduce of 128 bytes between two processes took a sixth longer so. Not for
 * payloads that begin in the line of the phase: those are later by it.
 */
public final class Words {
  /** Beyond this the number of lines decides. */
  private static final int MOST_BYTES = 1024;

  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  private Words() {}

  /**
   * Copies all of a segment.
   *
   * @param to shared memory, in which the place is a multiple of eight
   */
  public static void copy(MemorySegment from, MemorySegment to, long at) {
    long bytes = from.byteSize();
    int words = (int) bytes & -Long.BYTES;
    boolean fits = at >= 0 && at <= to.byteSize() - bytes;
    if (fits && bytes <= MOST_BYTES && isNear(from) && isNear(to)) {
      copy(from.address(), to.address() + at, words);
    } else {
      words = 0;
    }
    if (words != bytes) {
      MemorySegment.copy(from, words, to, at + words, bytes - words);
    }
  }

  private static boolean isNear(MemorySegment segment) {
    return segment.isNative() && segment.scope().isAlive();
  }

  /** Opaque stores: the compiler would make wide ones of others. */
  private static void copy(long from, long to, int bytes) {
    for (int i = 0; i < bytes; i += Long.BYTES) {
      LONG.setOpaque(EVERYTHING, to + i, EVERYTHING.get(ValueLayout.JAVA_LONG_UNALIGNED, from + i));
    }
  }
}
