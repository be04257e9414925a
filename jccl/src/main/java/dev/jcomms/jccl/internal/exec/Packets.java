package dev.jcomms.jccl.internal.exec;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * Packing and unpacking, by address: each four bytes of data travel with a flag in one long, which
 * is written and read as a whole. So no fence is needed, and no signal: who sees the flag has the
 * data.
 *
 * <p>One segment spans all memory: a constant, it is compiled to plain loads and stores. Who calls
 * has made sure that the memory is there.
 */
final class Packets {
  private static final VarHandle LONG = JAVA_LONG.varHandle();

  @SuppressWarnings("restricted")
  private static final MemorySegment EVERYTHING = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private static final long WORD = 0xffffffffL;

  private Packets() {}

  /** Writes data as packets; {@code bytes} is a multiple of four. */
  static void pack(long data, long packets, int bytes, int flag) {
    long high = (long) flag << 32;
    int i = 0;
    for (; i <= bytes - 8; i += 8) {
      long two = EVERYTHING.get(JAVA_LONG_UNALIGNED, data + i);
      LONG.setOpaque(EVERYTHING, packets + 2L * i, high | two & WORD);
      LONG.setOpaque(EVERYTHING, packets + 2L * i + 8, high | two >>> 32);
    }
    if (i < bytes) {
      int one = EVERYTHING.get(JAVA_INT, data + i);
      LONG.setOpaque(EVERYTHING, packets + 2L * i, high | one & WORD);
    }
  }

  /** Reads packets as far as they have come; how many bytes of data that is. */
  static int unpack(long packets, long data, int bytes, int flag) {
    int i = 0;
    for (; i <= bytes - 8; i += 8) {
      long first = (long) LONG.getOpaque(EVERYTHING, packets + 2L * i);
      long second = (long) LONG.getOpaque(EVERYTHING, packets + 2L * i + 8);
      if ((int) (first >>> 32) != flag || (int) (second >>> 32) != flag) {
        return i;
      }
      EVERYTHING.set(JAVA_LONG_UNALIGNED, data + i, first & WORD | second << 32);
    }
    if (i < bytes) {
      long one = (long) LONG.getOpaque(EVERYTHING, packets + 2L * i);
      if ((int) (one >>> 32) != flag) {
        return i;
      }
      EVERYTHING.set(JAVA_INT, data + i, (int) one);
    }
    return bytes;
  }

  /** What somebody waits for who has so many bytes of data. */
  static String missing(Spot spot, long come) {
    return "packets in its scratch, %d of %d bytes from offset %d have come"
        .formatted(come, spot.bytes(), spot.offset());
  }
}
