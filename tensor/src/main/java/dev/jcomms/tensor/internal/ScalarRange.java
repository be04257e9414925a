package dev.jcomms.tensor.internal;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Scalar;

/**
 * Which numbers may be given where elements of a dtype are written: what PyTorch converts without
 * overflow. Fractions are cut off, NaN and infinities are floats' alone, and a negative integer for
 * u8 counts for its bits.
 */
public final class ScalarRange {
  private ScalarRange() {}

  public static void require(String op, DType dtype, Scalar value) {
    if (!holds(dtype, value)) {
      throw new IllegalArgumentException(
          op + ": number " + value + " cannot be converted to " + dtype + " without overflow");
    }
  }

  private static boolean holds(DType dtype, Scalar value) {
    double v = value.toDouble();
    return switch (dtype) {
      case BOOL, F64, F8E4M3, F8E5M2 -> true;
      case F32 -> !(Math.abs(v) > Float.MAX_VALUE) || Double.isInfinite(v);
      case BF16 -> !(Math.abs(v) > 0x1.fep127) || Double.isInfinite(v);
      case F16 -> !(Math.abs(v) > 65504) || Double.isInfinite(v);
      case I64 -> !value.isFloating() || v >= -0x1p63 && v < 0x1p63;
      case I32, I16, I8 -> {
        double limit = Math.scalb(1.0, dtype.bytes() * 8 - 1);
        yield v >= -limit && v <= limit - 1;
      }
      case U8 -> v <= 255 && v >= (value.isFloating() ? 0 : -255);
    };
  }
}
