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
 *
 * <p>The typed loops know dense runs only, because a step that is a constant lets the compiler drop
 * the bounds checks (three times the speed); other runs are first gathered, or last scattered,
 * through a dense scratch by {@link #move}.
 */
public final class Runs {
  /** Elements that a caller should move through a carrier array at a time: it stays in cache. */
  public static final int BLOCK = 512;

  private Runs() {}

  /** Reads {@code n} elements of a floating dtype (others lose what a double cannot hold). */
  public static void read(MemorySegment s, DType dtype, long at, long step, double[] out, int n) {
    int bytes = dtype.bytes();
    if (step != bytes && n > 1) {
      MemorySegment scratch = scratch(bytes, n);
      move(s, at, step, scratch, 0, bytes, bytes, n);
      read(scratch, dtype, 0, bytes, out, n);
      return;
    }
    switch (dtype) {
      case F64 -> {
        for (int i = 0; i < n; i++) out[i] = s.get(DOUBLE, at + i * 8L);
      }
      case F32 -> {
        for (int i = 0; i < n; i++) out[i] = s.get(FLOAT, at + i * 4L);
      }
      case F16 -> {
        for (int i = 0; i < n; i++) out[i] = SmallFloats.fromHalf(s.get(SHORT, at + i * 2L));
      }
      case BF16 -> {
        for (int i = 0; i < n; i++) out[i] = SmallFloats.fromBfloat16(s.get(SHORT, at + i * 2L));
      }
      default -> {
        for (int i = 0; i < n; i++) out[i] = Elements.getDouble(s, dtype, at + (long) i * bytes);
      }
    }
  }

  /** Reads {@code n} elements of an integer or boolean dtype (others are truncated). */
  public static void read(MemorySegment s, DType dtype, long at, long step, long[] out, int n) {
    int bytes = dtype.bytes();
    if (step != bytes && n > 1) {
      MemorySegment scratch = scratch(bytes, n);
      move(s, at, step, scratch, 0, bytes, bytes, n);
      read(scratch, dtype, 0, bytes, out, n);
      return;
    }
    switch (dtype) {
      case I64 -> {
        for (int i = 0; i < n; i++) out[i] = s.get(LONG, at + i * 8L);
      }
      case I32 -> {
        for (int i = 0; i < n; i++) out[i] = s.get(INT, at + i * 4L);
      }
      case U8 -> {
        for (int i = 0; i < n; i++) out[i] = s.get(BYTE, at + i) & 0xff;
      }
      default -> {
        for (int i = 0; i < n; i++) out[i] = Elements.getLong(s, dtype, at + (long) i * bytes);
      }
    }
  }

  /** Writes {@code n} elements, converting as {@link Elements#putDouble}. */
  public static void write(MemorySegment s, DType dtype, long at, long step, double[] in, int n) {
    int bytes = dtype.bytes();
    if (step != bytes && n > 1) {
      MemorySegment scratch = scratch(bytes, n);
      write(scratch, dtype, 0, bytes, in, n);
      move(scratch, 0, bytes, s, at, step, bytes, n);
      return;
    }
    switch (dtype) {
      case F64 -> {
        for (int i = 0; i < n; i++) s.set(DOUBLE, at + i * 8L, in[i]);
      }
      case F32 -> {
        for (int i = 0; i < n; i++) s.set(FLOAT, at + i * 4L, (float) in[i]);
      }
      case F16 -> {
        for (int i = 0; i < n; i++) s.set(SHORT, at + i * 2L, SmallFloats.toHalf((float) in[i]));
      }
      case BF16 -> {
        for (int i = 0; i < n; i++) {
          s.set(SHORT, at + i * 2L, SmallFloats.toBfloat16((float) in[i]));
        }
      }
      default -> {
        for (int i = 0; i < n; i++) Elements.putDouble(s, dtype, at + (long) i * bytes, in[i]);
      }
    }
  }

  /** Writes {@code n} elements, converting as {@link Elements#putLong}. */
  public static void write(MemorySegment s, DType dtype, long at, long step, long[] in, int n) {
    int bytes = dtype.bytes();
    if (step != bytes && n > 1) {
      MemorySegment scratch = scratch(bytes, n);
      write(scratch, dtype, 0, bytes, in, n);
      move(scratch, 0, bytes, s, at, step, bytes, n);
      return;
    }
    switch (dtype) {
      case I64 -> {
        for (int i = 0; i < n; i++) s.set(LONG, at + i * 8L, in[i]);
      }
      case I32 -> {
        for (int i = 0; i < n; i++) s.set(INT, at + i * 4L, (int) in[i]);
      }
      case F32 -> {
        for (int i = 0; i < n; i++) s.set(FLOAT, at + i * 4L, in[i]);
      }
      default -> {
        for (int i = 0; i < n; i++) Elements.putLong(s, dtype, at + (long) i * bytes, in[i]);
      }
    }
  }

  private static MemorySegment scratch(int bytes, int n) {
    return MemorySegment.ofArray(new byte[bytes * n]);
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
