package dev.jcomms.jccl.internal.exec;

import static dev.jcomms.jccl.internal.memory.Everything.EVERYTHING;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/** Packets one after the other, or two. */
final class PlainPackets implements PacketKernel {
  private static final long WORD = 0xffffffffL;

  @Override
  public void pack(long data, long packets, int bytes, int flag) {
    long high = (long) flag << 32;
    int pairs = bytes & -8;
    for (int i = 0; i < pairs; i += 8) {
      long two = EVERYTHING.get(JAVA_LONG_UNALIGNED, data + i);
      EVERYTHING.set(JAVA_LONG, packets + 2L * i, high | two & WORD);
      EVERYTHING.set(JAVA_LONG, packets + 2L * i + 8, high | two >>> 32);
    }
    if (pairs < bytes) {
      int one = EVERYTHING.get(JAVA_INT_UNALIGNED, data + pairs);
      EVERYTHING.set(JAVA_LONG, packets + 2L * pairs, high | one & WORD);
    }
  }

  @Override
  public int unpack(long packets, long data, int bytes, int flag) {
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
      EVERYTHING.set(JAVA_INT_UNALIGNED, data + i, (int) one);
    }
    return bytes;
  }
}
