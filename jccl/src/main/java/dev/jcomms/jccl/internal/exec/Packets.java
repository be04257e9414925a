package dev.jcomms.jccl.internal.exec;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Packets: each four bytes of data travel with a flag in one long, which is written and read as a
 * whole. So no fence is needed, and no signal: who sees the flag has the data.
 *
 * <p>Packets are made and taken apart in memory of one's own and copied from there to scratch and
 * back: copies of aligned longs are made of whole longs, and they are wide, so that many lines of a
 * peer's cache are on their way at a time. That is worth more than the copy costs.
 *
 * <p>One segment spans all memory: a constant, it is compiled to plain loads and stores. Who calls
 * has made sure that the memory is there.
 */
final class Packets {
  private static final VarHandle LONG = JAVA_LONG.varHandle();

  @SuppressWarnings("restricted")
  private static final MemorySegment EVERYTHING = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private static final long WORD = 0xffffffffL;

  /** Where in a packet its data are: in the low half. */
  private static final long DATA = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 0 : 4;

  private static final long FLAG = 4 - DATA;

  private Packets() {}

  /** Writes data as packets, from one address to another; {@code bytes} is a multiple of four. */
  static void pack(long data, long packets, int bytes, int flag) {
    long high = (long) flag << 32;
    int pairs = bytes & -8;
    for (int i = 0; i < pairs; i += 8) {
      long two = EVERYTHING.get(JAVA_LONG_UNALIGNED, data + i);
      EVERYTHING.set(JAVA_LONG, packets + 2L * i, high | two & WORD);
      EVERYTHING.set(JAVA_LONG, packets + 2L * i + 8, high | two >>> 32);
    }
    if (pairs < bytes) {
      int one = EVERYTHING.get(JAVA_INT, data + pairs);
      EVERYTHING.set(JAVA_LONG, packets + 2L * pairs, high | one & WORD);
    }
  }

  /**
   * Copies packets out of scratch, if the last one is there. That is mostly the last to come, and
   * who looks at lines that are being written takes them away from the writer.
   */
  static boolean fetch(MemorySegment scratch, long at, MemorySegment into, int bytes, int flag) {
    long last = (long) LONG.getOpaque(scratch, at + 2L * bytes - 8);
    if ((int) (last >>> 32) != flag) {
      return false;
    }
    MemorySegment.copy(scratch, at, into, 0, 2L * bytes);
    return true;
  }

  /** Takes packets apart as far as they have come; how many bytes of data that is. */
  static int unpack(long packets, long data, int bytes, int flag) {
    long high = (long) flag << 32;
    int i = 0;
    for (; i <= bytes - 8; i += 8) {
      long first = EVERYTHING.get(JAVA_LONG, packets + 2L * i) ^ high;
      long second = EVERYTHING.get(JAVA_LONG, packets + 2L * i + 8) ^ high;
      if ((first | second) >>> 32 != 0) {
        break;
      }
      EVERYTHING.set(JAVA_LONG_UNALIGNED, data + i, first | second << 32);
    }
    for (; i < bytes; i += 4) {
      long one = EVERYTHING.get(JAVA_LONG, packets + 2L * i);
      if ((int) (one >>> 32) != flag) {
        return i;
      }
      EVERYTHING.set(JAVA_INT, data + i, (int) one);
    }
    return bytes;
  }

  /** Adds floats of packets to data, as far as they have come; how many bytes that is. */
  static int addFloats(long packets, long data, int bytes, int flag) {
    int come = come(packets, bytes, flag);
    for (int i = 0; i < come; i += 4) {
      float one = EVERYTHING.get(JAVA_FLOAT, packets + 2L * i + DATA);
      EVERYTHING.set(JAVA_FLOAT, data + i, EVERYTHING.get(JAVA_FLOAT, data + i) + one);
    }
    return come;
  }

  /** Adds ints of packets to data, as far as they have come; how many bytes that is. */
  static int addInts(long packets, long data, int bytes, int flag) {
    int come = come(packets, bytes, flag);
    for (int i = 0; i < come; i += 4) {
      int one = EVERYTHING.get(JAVA_INT, packets + 2L * i + DATA);
      EVERYTHING.set(JAVA_INT, data + i, EVERYTHING.get(JAVA_INT, data + i) + one);
    }
    return come;
  }

  /**
   * How many bytes of data have come without a gap. All of them, as a rule: so all flags are looked
   * at before any is asked about.
   */
  private static int come(long packets, int bytes, int flag) {
    int wrong = 0;
    for (int i = 0; i < bytes; i += 4) {
      wrong |= EVERYTHING.get(JAVA_INT, packets + 2L * i + FLAG) ^ flag;
    }
    if (wrong == 0) {
      return bytes;
    }
    int come = 0;
    while (EVERYTHING.get(JAVA_INT, packets + 2L * come + FLAG) == flag) {
      come += 4;
    }
    return come;
  }

  /** What somebody waits for who has so many bytes of data. */
  static String missing(Spot spot, long come) {
    return "packets in its scratch, %d of %d bytes from offset %d have come"
        .formatted(come, spot.bytes(), spot.offset());
  }
}
