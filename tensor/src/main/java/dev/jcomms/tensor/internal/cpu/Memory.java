package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.Storage;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * All of the process's memory as one segment, read and written by absolute address.
 *
 * <p>An access through a segment whose class the compiler has to guess is a virtual call wherever
 * the process has met native, mapped and heap segments. Through one constant it is an instruction.
 * The price is that nothing is checked: {@link #address} does so once for the whole tensor, and
 * whoever has an address keeps the tensor reachable until he is done.
 */
public final class Memory {
  /** Every address there is. */
  @SuppressWarnings("restricted") // what the module's native access is for
  public static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;
  static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

  private Memory() {}

  /** Whether the tensor's elements have addresses: not so those of a Java array. */
  public static boolean isAddressable(Tensor t) {
    return t.storage().segment().isNative();
  }

  /**
   * The address of the tensor's first element.
   *
   * @throws IllegalStateException if Java cannot touch the memory, or its arena has been closed
   */
  public static long address(Tensor t) {
    Storage storage = t.storage();
    MemorySegment segment = storage.segment();
    if (storage.isOpaque()) {
      throw new IllegalStateException(
          "a CPU kernel cannot access the memory of "
              + t.dtype()
              + t.shape()
              + " on "
              + storage.device()
              + "; copy it to the cpu");
    }
    if (!segment.scope().isAlive()) {
      throw new IllegalStateException(
          "the memory of " + t.dtype() + t.shape() + " was freed when its arena was closed");
    }
    if (!segment.isAccessibleBy(Thread.currentThread())) {
      throw new WrongThreadException(
          "the memory of " + t.dtype() + t.shape() + " belongs to the arena of another thread");
    }
    return segment.address() + t.offset() * t.dtype().bytes();
  }

  /** The address of what is to be written. */
  public static long writableAddress(Tensor t) {
    if (t.storage().isReadOnly()) {
      throw new UnsupportedOperationException(
          "the memory of " + t.dtype() + t.shape() + " is read-only");
    }
    return address(t);
  }

  /** The tensor, or a native copy of it where it is over a Java array. */
  public static Tensor addressable(Tensor t) {
    return t == null || isAddressable(t) || t.storage().isOpaque()
        ? t
        : Tensor.empty(t.dtype(), t.shape()).copyFrom(t);
  }

  static float getFloat(long at) {
    return ALL.get(FLOAT, at);
  }

  static double getDouble(long at) {
    return ALL.get(DOUBLE, at);
  }

  static int getInt(long at) {
    return ALL.get(INT, at);
  }

  static long getLong(long at) {
    return ALL.get(LONG, at);
  }

  static short getShort(long at) {
    return ALL.get(SHORT, at);
  }

  static byte getByte(long at) {
    return ALL.get(BYTE, at);
  }

  static void put(long at, float value) {
    ALL.set(FLOAT, at, value);
  }

  static void put(long at, double value) {
    ALL.set(DOUBLE, at, value);
  }

  static void put(long at, int value) {
    ALL.set(INT, at, value);
  }

  static void put(long at, long value) {
    ALL.set(LONG, at, value);
  }

  static void put(long at, short value) {
    ALL.set(SHORT, at, value);
  }

  static void put(long at, byte value) {
    ALL.set(BYTE, at, value);
  }

  /** Copies bytes; the two places may overlap. */
  static void copy(long from, long to, long bytes) {
    MemorySegment.copy(ALL, from, ALL, to, bytes);
  }
}
