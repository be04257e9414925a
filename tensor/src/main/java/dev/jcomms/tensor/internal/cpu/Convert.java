package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Memory.getByte;
import static dev.jcomms.tensor.internal.cpu.Memory.getDouble;
import static dev.jcomms.tensor.internal.cpu.Memory.getFloat;
import static dev.jcomms.tensor.internal.cpu.Memory.getInt;
import static dev.jcomms.tensor.internal.cpu.Memory.getLong;
import static dev.jcomms.tensor.internal.cpu.Memory.getShort;
import static dev.jcomms.tensor.internal.cpu.Memory.put;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.internal.SmallFloats;

/**
 * Runs of elements of any dtype, evenly spaced, into a block of a carrier and back.
 *
 * <p>Numbers convert as {@link dev.jcomms.tensor.Tensor} says: floats to integers toward zero
 * through {@code long}, or through {@code int} where both have at most its bits, integers by
 * dropping high bits, to boolean by not being zero.
 */
final class Convert {
  private Convert() {}

  /** Reads {@code n} elements, {@code step} bytes apart. */
  static void load(DType dtype, long from, long step, Carrier carrier, long to, int n) {
    if (dtype == carrier.dtype && step == carrier.bytes) {
      Memory.copy(from, to, (long) n * carrier.bytes);
      return;
    }
    if (step == 0 && n > 1) {
      load(dtype, from, 1, carrier, to, 1);
      repeat(to, carrier.bytes, n);
      return;
    }
    switch (carrier) {
      case FLOAT -> toFloat(dtype, from, step, to, n);
      case DOUBLE -> toDouble(dtype, from, step, to, n);
      case INT -> toInt(dtype, from, step, to, n);
      case LONG -> toLong(dtype, from, step, to, n);
    }
  }

  /** Writes {@code n} elements, {@code step} bytes apart. */
  static void store(Carrier carrier, long from, DType dtype, long to, long step, int n) {
    if (dtype == carrier.dtype && step == carrier.bytes) {
      Memory.copy(from, to, (long) n * carrier.bytes);
      return;
    }
    switch (carrier) {
      case FLOAT -> fromFloat(from, dtype, to, step, n);
      case DOUBLE -> fromDouble(from, dtype, to, step, n);
      case INT -> fromInt(from, dtype, to, step, n);
      case LONG -> fromLong(from, dtype, to, step, n);
    }
  }

  /** Copies the first element of a block to the others. */
  static void repeat(long at, int bytes, int n) {
    if (bytes == 4) {
      int bits = getInt(at);
      for (int i = 1; i < n; i++) {
        put(at + i * 4L, bits);
      }
    } else {
      long bits = getLong(at);
      for (int i = 1; i < n; i++) {
        put(at + i * 8L, bits);
      }
    }
  }

  private static int truth(byte stored) {
    return stored != 0 ? 1 : 0;
  }

  private static void toFloat(DType dtype, long from, long step, long to, int n) {
    switch (dtype) {
      case F64 -> {
        for (int i = 0; i < n; i++) put(to + i * 4L, (float) getDouble(from + i * step));
      }
      case F32 -> {
        for (int i = 0; i < n; i++) put(to + i * 4L, getFloat(from + i * step));
      }
      case F16 -> {
        for (int i = 0; i < n; i++)
          put(to + i * 4L, SmallFloats.fromHalf(getShort(from + i * step)));
      }
      case BF16 -> {
        for (int i = 0; i < n; i++)
          put(to + i * 4L, SmallFloats.fromBfloat16(getShort(from + i * step)));
      }
      case F8E4M3 -> {
        for (int i = 0; i < n; i++)
          put(to + i * 4L, SmallFloats.fromE4M3(getByte(from + i * step)));
      }
      case F8E5M2 -> {
        for (int i = 0; i < n; i++)
          put(to + i * 4L, SmallFloats.fromE5M2(getByte(from + i * step)));
      }
      case I64 -> {
        for (int i = 0; i < n; i++) put(to + i * 4L, (float) getLong(from + i * step));
      }
      case I32 -> {
        for (int i = 0; i < n; i++) put(to + i * 4L, (float) getInt(from + i * step));
      }
      case I16 -> {
        for (int i = 0; i < n; i++) put(to + i * 4L, (float) (getShort(from + i * step)));
      }
      case I8 -> {
        for (int i = 0; i < n; i++) put(to + i * 4L, (float) (getByte(from + i * step)));
      }
      case U8 -> {
        for (int i = 0; i < n; i++) put(to + i * 4L, (float) (0xff & getByte(from + i * step)));
      }
      case BOOL -> {
        for (int i = 0; i < n; i++) put(to + i * 4L, (float) (truth(getByte(from + i * step))));
      }
    }
  }

  private static void toDouble(DType dtype, long from, long step, long to, int n) {
    switch (dtype) {
      case F64 -> {
        for (int i = 0; i < n; i++) put(to + i * 8L, getDouble(from + i * step));
      }
      case F32 -> {
        for (int i = 0; i < n; i++) put(to + i * 8L, (double) getFloat(from + i * step));
      }
      case F16 -> {
        for (int i = 0; i < n; i++)
          put(to + i * 8L, (double) SmallFloats.fromHalf(getShort(from + i * step)));
      }
      case BF16 -> {
        for (int i = 0; i < n; i++)
          put(to + i * 8L, (double) SmallFloats.fromBfloat16(getShort(from + i * step)));
      }
      case F8E4M3 -> {
        for (int i = 0; i < n; i++)
          put(to + i * 8L, (double) SmallFloats.fromE4M3(getByte(from + i * step)));
      }
      case F8E5M2 -> {
        for (int i = 0; i < n; i++)
          put(to + i * 8L, (double) SmallFloats.fromE5M2(getByte(from + i * step)));
      }
      case I64 -> {
        for (int i = 0; i < n; i++) put(to + i * 8L, (double) getLong(from + i * step));
      }
      case I32 -> {
        for (int i = 0; i < n; i++) put(to + i * 8L, (double) (getInt(from + i * step)));
      }
      case I16 -> {
        for (int i = 0; i < n; i++) put(to + i * 8L, (double) (getShort(from + i * step)));
      }
      case I8 -> {
        for (int i = 0; i < n; i++) put(to + i * 8L, (double) (getByte(from + i * step)));
      }
      case U8 -> {
        for (int i = 0; i < n; i++) put(to + i * 8L, (double) (0xff & getByte(from + i * step)));
      }
      case BOOL -> {
        for (int i = 0; i < n; i++) put(to + i * 8L, (double) (truth(getByte(from + i * step))));
      }
    }
  }

  private static void toInt(DType dtype, long from, long step, long to, int n) {
    switch (dtype) {
      case F64 -> {
        for (int i = 0; i < n; i++) put(to + i * 4L, (int) ((long) getDouble(from + i * step)));
      }
      case F32 -> {
        for (int i = 0; i < n; i++) put(to + i * 4L, (int) getFloat(from + i * step));
      }
      case F16 -> {
        for (int i = 0; i < n; i++)
          put(to + i * 4L, (int) SmallFloats.fromHalf(getShort(from + i * step)));
      }
      case BF16 -> {
        for (int i = 0; i < n; i++)
          put(to + i * 4L, (int) SmallFloats.fromBfloat16(getShort(from + i * step)));
      }
      case F8E4M3 -> {
        for (int i = 0; i < n; i++)
          put(to + i * 4L, (int) SmallFloats.fromE4M3(getByte(from + i * step)));
      }
      case F8E5M2 -> {
        for (int i = 0; i < n; i++)
          put(to + i * 4L, (int) SmallFloats.fromE5M2(getByte(from + i * step)));
      }
      case I64 -> {
        for (int i = 0; i < n; i++) put(to + i * 4L, (int) getLong(from + i * step));
      }
      case I32 -> {
        for (int i = 0; i < n; i++) put(to + i * 4L, getInt(from + i * step));
      }
      case I16 -> {
        for (int i = 0; i < n; i++) put(to + i * 4L, (int) getShort(from + i * step));
      }
      case I8 -> {
        for (int i = 0; i < n; i++) put(to + i * 4L, (int) getByte(from + i * step));
      }
      case U8 -> {
        for (int i = 0; i < n; i++) put(to + i * 4L, 0xff & getByte(from + i * step));
      }
      case BOOL -> {
        for (int i = 0; i < n; i++) put(to + i * 4L, truth(getByte(from + i * step)));
      }
    }
  }

  private static void toLong(DType dtype, long from, long step, long to, int n) {
    switch (dtype) {
      case F64 -> {
        for (int i = 0; i < n; i++) put(to + i * 8L, (long) getDouble(from + i * step));
      }
      case F32 -> {
        for (int i = 0; i < n; i++) put(to + i * 8L, (long) getFloat(from + i * step));
      }
      case F16 -> {
        for (int i = 0; i < n; i++)
          put(to + i * 8L, (long) SmallFloats.fromHalf(getShort(from + i * step)));
      }
      case BF16 -> {
        for (int i = 0; i < n; i++)
          put(to + i * 8L, (long) SmallFloats.fromBfloat16(getShort(from + i * step)));
      }
      case F8E4M3 -> {
        for (int i = 0; i < n; i++)
          put(to + i * 8L, (long) SmallFloats.fromE4M3(getByte(from + i * step)));
      }
      case F8E5M2 -> {
        for (int i = 0; i < n; i++)
          put(to + i * 8L, (long) SmallFloats.fromE5M2(getByte(from + i * step)));
      }
      case I64 -> {
        for (int i = 0; i < n; i++) put(to + i * 8L, getLong(from + i * step));
      }
      case I32 -> {
        for (int i = 0; i < n; i++) put(to + i * 8L, (long) (getInt(from + i * step)));
      }
      case I16 -> {
        for (int i = 0; i < n; i++) put(to + i * 8L, (long) (getShort(from + i * step)));
      }
      case I8 -> {
        for (int i = 0; i < n; i++) put(to + i * 8L, (long) (getByte(from + i * step)));
      }
      case U8 -> {
        for (int i = 0; i < n; i++) put(to + i * 8L, (long) (0xff & getByte(from + i * step)));
      }
      case BOOL -> {
        for (int i = 0; i < n; i++) put(to + i * 8L, (long) (truth(getByte(from + i * step))));
      }
    }
  }

  private static void fromFloat(long from, DType dtype, long to, long step, int n) {
    switch (dtype) {
      case F64 -> {
        for (int i = 0; i < n; i++) put(to + i * step, (double) getFloat(from + i * 4L));
      }
      case F32 -> {
        for (int i = 0; i < n; i++) put(to + i * step, getFloat(from + i * 4L));
      }
      case F16 -> {
        for (int i = 0; i < n; i++) put(to + i * step, SmallFloats.toHalf(getFloat(from + i * 4L)));
      }
      case BF16 -> {
        for (int i = 0; i < n; i++)
          put(to + i * step, SmallFloats.toBfloat16(getFloat(from + i * 4L)));
      }
      case F8E4M3 -> {
        for (int i = 0; i < n; i++) put(to + i * step, SmallFloats.toE4M3(getFloat(from + i * 4L)));
      }
      case F8E5M2 -> {
        for (int i = 0; i < n; i++) put(to + i * step, SmallFloats.toE5M2(getFloat(from + i * 4L)));
      }
      case I64 -> {
        for (int i = 0; i < n; i++) put(to + i * step, (long) getFloat(from + i * 4L));
      }
      case I32 -> {
        for (int i = 0; i < n; i++) put(to + i * step, (int) getFloat(from + i * 4L));
      }
      case I16 -> {
        for (int i = 0; i < n; i++) put(to + i * step, (short) (int) getFloat(from + i * 4L));
      }
      case I8 -> {
        for (int i = 0; i < n; i++) put(to + i * step, (byte) (int) getFloat(from + i * 4L));
      }
      case U8 -> {
        for (int i = 0; i < n; i++) put(to + i * step, (byte) (long) getFloat(from + i * 4L));
      }
      case BOOL -> {
        for (int i = 0; i < n; i++)
          put(to + i * step, (byte) (getFloat(from + i * 4L) != 0 ? 1 : 0));
      }
    }
  }

  private static void fromDouble(long from, DType dtype, long to, long step, int n) {
    switch (dtype) {
      case F64 -> {
        for (int i = 0; i < n; i++) put(to + i * step, getDouble(from + i * 8L));
      }
      case F32 -> {
        for (int i = 0; i < n; i++) put(to + i * step, (float) getDouble(from + i * 8L));
      }
      case F16 -> {
        for (int i = 0; i < n; i++)
          put(to + i * step, SmallFloats.toHalf((float) getDouble(from + i * 8L)));
      }
      case BF16 -> {
        for (int i = 0; i < n; i++)
          put(to + i * step, SmallFloats.toBfloat16((float) getDouble(from + i * 8L)));
      }
      case F8E4M3 -> {
        for (int i = 0; i < n; i++)
          put(to + i * step, SmallFloats.toE4M3((float) getDouble(from + i * 8L)));
      }
      case F8E5M2 -> {
        for (int i = 0; i < n; i++)
          put(to + i * step, SmallFloats.toE5M2((float) getDouble(from + i * 8L)));
      }
      case I64 -> {
        for (int i = 0; i < n; i++) put(to + i * step, (long) getDouble(from + i * 8L));
      }
      case I32 -> {
        for (int i = 0; i < n; i++) put(to + i * step, (int) (long) getDouble(from + i * 8L));
      }
      case I16 -> {
        for (int i = 0; i < n; i++) put(to + i * step, (short) (long) getDouble(from + i * 8L));
      }
      case I8 -> {
        for (int i = 0; i < n; i++) put(to + i * step, (byte) (long) getDouble(from + i * 8L));
      }
      case U8 -> {
        for (int i = 0; i < n; i++) put(to + i * step, (byte) (long) getDouble(from + i * 8L));
      }
      case BOOL -> {
        for (int i = 0; i < n; i++)
          put(to + i * step, (byte) (getDouble(from + i * 8L) != 0 ? 1 : 0));
      }
    }
  }

  private static void fromInt(long from, DType dtype, long to, long step, int n) {
    switch (dtype) {
      case F64 -> {
        for (int i = 0; i < n; i++) put(to + i * step, (double) getInt(from + i * 4L));
      }
      case F32 -> {
        for (int i = 0; i < n; i++) put(to + i * step, (float) getInt(from + i * 4L));
      }
      case F16 -> {
        for (int i = 0; i < n; i++)
          put(to + i * step, SmallFloats.toHalf((float) getInt(from + i * 4L)));
      }
      case BF16 -> {
        for (int i = 0; i < n; i++)
          put(to + i * step, SmallFloats.toBfloat16((float) getInt(from + i * 4L)));
      }
      case F8E4M3 -> {
        for (int i = 0; i < n; i++)
          put(to + i * step, SmallFloats.toE4M3((float) getInt(from + i * 4L)));
      }
      case F8E5M2 -> {
        for (int i = 0; i < n; i++)
          put(to + i * step, SmallFloats.toE5M2((float) getInt(from + i * 4L)));
      }
      case I64 -> {
        for (int i = 0; i < n; i++) put(to + i * step, (long) getInt(from + i * 4L));
      }
      case I32 -> {
        for (int i = 0; i < n; i++) put(to + i * step, getInt(from + i * 4L));
      }
      case I16 -> {
        for (int i = 0; i < n; i++) put(to + i * step, (short) getInt(from + i * 4L));
      }
      case I8 -> {
        for (int i = 0; i < n; i++) put(to + i * step, (byte) getInt(from + i * 4L));
      }
      case U8 -> {
        for (int i = 0; i < n; i++) put(to + i * step, (byte) getInt(from + i * 4L));
      }
      case BOOL -> {
        for (int i = 0; i < n; i++) put(to + i * step, (byte) (getInt(from + i * 4L) != 0 ? 1 : 0));
      }
    }
  }

  private static void fromLong(long from, DType dtype, long to, long step, int n) {
    switch (dtype) {
      case F64 -> {
        for (int i = 0; i < n; i++) put(to + i * step, (double) getLong(from + i * 8L));
      }
      case F32 -> {
        for (int i = 0; i < n; i++) put(to + i * step, (float) getLong(from + i * 8L));
      }
      case F16 -> {
        for (int i = 0; i < n; i++)
          put(to + i * step, SmallFloats.toHalf((float) getLong(from + i * 8L)));
      }
      case BF16 -> {
        for (int i = 0; i < n; i++)
          put(to + i * step, SmallFloats.toBfloat16((float) getLong(from + i * 8L)));
      }
      case F8E4M3 -> {
        for (int i = 0; i < n; i++)
          put(to + i * step, SmallFloats.toE4M3((float) getLong(from + i * 8L)));
      }
      case F8E5M2 -> {
        for (int i = 0; i < n; i++)
          put(to + i * step, SmallFloats.toE5M2((float) getLong(from + i * 8L)));
      }
      case I64 -> {
        for (int i = 0; i < n; i++) put(to + i * step, getLong(from + i * 8L));
      }
      case I32 -> {
        for (int i = 0; i < n; i++) put(to + i * step, (int) getLong(from + i * 8L));
      }
      case I16 -> {
        for (int i = 0; i < n; i++) put(to + i * step, (short) getLong(from + i * 8L));
      }
      case I8 -> {
        for (int i = 0; i < n; i++) put(to + i * step, (byte) getLong(from + i * 8L));
      }
      case U8 -> {
        for (int i = 0; i < n; i++) put(to + i * step, (byte) getLong(from + i * 8L));
      }
      case BOOL -> {
        for (int i = 0; i < n; i++)
          put(to + i * step, (byte) (getLong(from + i * 8L) != 0 ? 1 : 0));
      }
    }
  }
}
