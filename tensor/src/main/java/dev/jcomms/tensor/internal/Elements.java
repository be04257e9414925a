package dev.jcomms.tensor.internal;

import dev.jcomms.tensor.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * One element of any dtype, at a byte offset that need not be aligned.
 *
 * <p>Every conversion goes through one of two carriers: {@code double} for floats, {@code long} for
 * integers and booleans; both hold all that their dtypes hold. A float becomes an integer by
 * truncation to {@code long} as Java defines it (NaN is 0, out of range saturates) and then by
 * dropping high bits; a number becomes a boolean by not being zero.
 */
public final class Elements {
  static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;
  static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

  private Elements() {}

  public static double getDouble(MemorySegment s, DType dtype, long at) {
    return switch (dtype) {
      case F64 -> s.get(DOUBLE, at);
      case F32 -> s.get(FLOAT, at);
      case F16 -> SmallFloats.fromHalf(s.get(SHORT, at));
      case BF16 -> SmallFloats.fromBfloat16(s.get(SHORT, at));
      case F8E4M3 -> SmallFloats.fromE4M3(s.get(BYTE, at));
      case F8E5M2 -> SmallFloats.fromE5M2(s.get(BYTE, at));
      case I64, I32, I16, I8, U8, BOOL -> getLong(s, dtype, at);
    };
  }

  /** As {@link #getDouble}, but an integer is rounded once, straight to float. */
  public static float getFloat(MemorySegment s, DType dtype, long at) {
    if (dtype == DType.F32) {
      return s.get(FLOAT, at);
    }
    return dtype.isFloating() ? (float) getDouble(s, dtype, at) : getLong(s, dtype, at);
  }

  public static long getLong(MemorySegment s, DType dtype, long at) {
    return switch (dtype) {
      case I64 -> s.get(LONG, at);
      case I32 -> s.get(INT, at);
      case I16 -> s.get(SHORT, at);
      case I8 -> s.get(BYTE, at);
      case U8 -> s.get(BYTE, at) & 0xff;
      case BOOL -> s.get(BYTE, at) != 0 ? 1 : 0;
      case F64, F32, F16, BF16, F8E4M3, F8E5M2 -> (long) getDouble(s, dtype, at);
    };
  }

  public static void putDouble(MemorySegment s, DType dtype, long at, double value) {
    switch (dtype) {
      case F64 -> s.set(DOUBLE, at, value);
      case F32 -> s.set(FLOAT, at, (float) value);
      case F16 -> s.set(SHORT, at, SmallFloats.toHalf((float) value));
      case BF16 -> s.set(SHORT, at, SmallFloats.toBfloat16((float) value));
      case F8E4M3 -> s.set(BYTE, at, SmallFloats.toE4M3((float) value));
      case F8E5M2 -> s.set(BYTE, at, SmallFloats.toE5M2((float) value));
      case BOOL -> s.set(BYTE, at, (byte) (value != 0 ? 1 : 0));
      case I64, I32, I16, I8, U8 -> putLong(s, dtype, at, (long) value);
    }
  }

  /** Whether floats of at most 32 bits become such an integer through {@code int}. */
  public static boolean isSignedWithinInt(DType dtype) {
    return dtype == DType.I32 || dtype == DType.I16 || dtype == DType.I8;
  }

  public static void putLong(MemorySegment s, DType dtype, long at, long value) {
    switch (dtype) {
      case I64 -> s.set(LONG, at, value);
      case I32 -> s.set(INT, at, (int) value);
      case I16 -> s.set(SHORT, at, (short) value);
      case I8, U8 -> s.set(BYTE, at, (byte) value);
      case BOOL -> s.set(BYTE, at, (byte) (value != 0 ? 1 : 0));
      case F64 -> s.set(DOUBLE, at, value);
      case F32, F16, BF16, F8E4M3, F8E5M2 -> putDouble(s, dtype, at, (float) value);
    }
  }
}
