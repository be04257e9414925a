package dev.jcomms.tensor.internal;

import static dev.jcomms.tensor.internal.Elements.BYTE;
import static dev.jcomms.tensor.internal.Elements.DOUBLE;
import static dev.jcomms.tensor.internal.Elements.FLOAT;
import static dev.jcomms.tensor.internal.Elements.INT;
import static dev.jcomms.tensor.internal.Elements.LONG;
import static dev.jcomms.tensor.internal.Elements.SHORT;

import dev.jcomms.tensor.DType;
import java.lang.foreign.MemorySegment;

/**
 * Many elements at equal distances: {@link Elements} for a run, with the dtype decided outside the
 * loop. Offsets and steps are bytes.
 */
public final class Runs {
  /** Elements that a caller should move through a carrier array at a time: it stays in cache. */
  public static final int BLOCK = 512;

  private Runs() {}

  /** Reads {@code n} elements of a floating dtype (others lose what a double cannot hold). */
  public static void read(MemorySegment s, DType dtype, long at, long step, double[] out, int n) {
    switch (dtype) {
      case F64 -> {
        for (int i = 0; i < n; i++) out[i] = s.get(DOUBLE, at + i * step);
      }
      case F32 -> {
        for (int i = 0; i < n; i++) out[i] = s.get(FLOAT, at + i * step);
      }
      case F16 -> {
        for (int i = 0; i < n; i++) out[i] = SmallFloats.fromHalf(s.get(SHORT, at + i * step));
      }
      case BF16 -> {
        for (int i = 0; i < n; i++) out[i] = SmallFloats.fromBfloat16(s.get(SHORT, at + i * step));
      }
      default -> {
        for (int i = 0; i < n; i++) out[i] = Elements.getDouble(s, dtype, at + i * step);
      }
    }
  }

  /** Reads {@code n} elements of an integer or boolean dtype (others are truncated). */
  public static void read(MemorySegment s, DType dtype, long at, long step, long[] out, int n) {
    switch (dtype) {
      case I64 -> {
        for (int i = 0; i < n; i++) out[i] = s.get(LONG, at + i * step);
      }
      case I32 -> {
        for (int i = 0; i < n; i++) out[i] = s.get(INT, at + i * step);
      }
      case U8 -> {
        for (int i = 0; i < n; i++) out[i] = s.get(BYTE, at + i * step) & 0xff;
      }
      default -> {
        for (int i = 0; i < n; i++) out[i] = Elements.getLong(s, dtype, at + i * step);
      }
    }
  }

  /** Writes {@code n} elements, converting as {@link Elements#putDouble}. */
  public static void write(MemorySegment s, DType dtype, long at, long step, double[] in, int n) {
    switch (dtype) {
      case F64 -> {
        for (int i = 0; i < n; i++) s.set(DOUBLE, at + i * step, in[i]);
      }
      case F32 -> {
        for (int i = 0; i < n; i++) s.set(FLOAT, at + i * step, (float) in[i]);
      }
      case F16 -> {
        for (int i = 0; i < n; i++) s.set(SHORT, at + i * step, SmallFloats.toHalf((float) in[i]));
      }
      case BF16 -> {
        for (int i = 0; i < n; i++) {
          s.set(SHORT, at + i * step, SmallFloats.toBfloat16((float) in[i]));
        }
      }
      default -> {
        for (int i = 0; i < n; i++) Elements.putDouble(s, dtype, at + i * step, in[i]);
      }
    }
  }

  /** Writes {@code n} elements, converting as {@link Elements#putLong}. */
  public static void write(MemorySegment s, DType dtype, long at, long step, long[] in, int n) {
    switch (dtype) {
      case I64 -> {
        for (int i = 0; i < n; i++) s.set(LONG, at + i * step, in[i]);
      }
      case I32 -> {
        for (int i = 0; i < n; i++) s.set(INT, at + i * step, (int) in[i]);
      }
      case F32 -> {
        for (int i = 0; i < n; i++) s.set(FLOAT, at + i * step, in[i]);
      }
      default -> {
        for (int i = 0; i < n; i++) Elements.putLong(s, dtype, at + i * step, in[i]);
      }
    }
  }

  /**
   * Copies {@code n} elements of {@code bytes} bytes bit for bit. The two runs must not overlap.
   */
  public static void move(
      MemorySegment src,
      long from,
      long fromStep,
      MemorySegment dst,
      long to,
      long toStep,
      int bytes,
      long n) {
    if (fromStep == bytes && toStep == bytes) {
      MemorySegment.copy(src, from, dst, to, n * bytes);
      return;
    }
    switch (bytes) {
      case 8 -> {
        for (long i = 0; i < n; i++)
          dst.set(LONG, to + i * toStep, src.get(LONG, from + i * fromStep));
      }
      case 4 -> {
        for (long i = 0; i < n; i++)
          dst.set(INT, to + i * toStep, src.get(INT, from + i * fromStep));
      }
      case 2 -> {
        for (long i = 0; i < n; i++)
          dst.set(SHORT, to + i * toStep, src.get(SHORT, from + i * fromStep));
      }
      default -> {
        for (long i = 0; i < n; i++)
          dst.set(BYTE, to + i * toStep, src.get(BYTE, from + i * fromStep));
      }
    }
  }
}
