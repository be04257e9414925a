package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.internal.Elements;
import dev.jcomms.tensor.internal.SmallFloats;
import java.lang.foreign.ValueLayout;

/**
 * Runs of elements at an absolute address, to and from {@code double}.
 *
 * <p>Kernels whose arithmetic is not the bottleneck work on such lines, so that one loop serves
 * every floating dtype; sums are then kept in f64 and rounded once.
 */
final class Lines {
  private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;

  private Lines() {}

  static void read(long from, DType dtype, double[] out, int n) {
    read(from, dtype, 1, out, n);
  }

  /** Reads elements that lie {@code stride} elements apart. */
  static void read(long from, DType dtype, long stride, double[] out, int n) {
    long step = stride * dtype.bytes();
    switch (dtype) {
      case F32 -> {
        if (stride == 1) {
          for (int i = 0; i < n; i++) out[i] = Memory.ALL.get(FLOAT, from + i * 4L);
        } else {
          for (int i = 0; i < n; i++) out[i] = Memory.ALL.get(FLOAT, from + i * step);
        }
      }
      case F64 -> {
        for (int i = 0; i < n; i++) out[i] = Memory.ALL.get(DOUBLE, from + i * step);
      }
      case F16 -> {
        for (int i = 0; i < n; i++) {
          out[i] = SmallFloats.fromHalf(Memory.ALL.get(SHORT, from + i * step));
        }
      }
      case BF16 -> {
        for (int i = 0; i < n; i++) {
          out[i] = SmallFloats.fromBfloat16(Memory.ALL.get(SHORT, from + i * step));
        }
      }
      default -> {
        for (int i = 0; i < n; i++) out[i] = Elements.getDouble(Memory.ALL, dtype, from + i * step);
      }
    }
  }

  static void write(double[] in, long to, DType dtype, int n) {
    write(in, to, dtype, 1, n);
  }

  static void write(double[] in, long to, DType dtype, long stride, int n) {
    long step = stride * dtype.bytes();
    switch (dtype) {
      case F32 -> {
        if (stride == 1) {
          for (int i = 0; i < n; i++) Memory.ALL.set(FLOAT, to + i * 4L, (float) in[i]);
        } else {
          for (int i = 0; i < n; i++) Memory.ALL.set(FLOAT, to + i * step, (float) in[i]);
        }
      }
      case F64 -> {
        for (int i = 0; i < n; i++) Memory.ALL.set(DOUBLE, to + i * step, in[i]);
      }
      default -> {
        for (int i = 0; i < n; i++) Elements.putDouble(Memory.ALL, dtype, to + i * step, in[i]);
      }
    }
  }
}
