package dev.jcomms.jccl.internal.reduce;

import dev.jcomms.tensor.DType;

/**
 * Blocks of f16 and bf16, to and from f32. Narrowing rounds to nearest, ties to even.
 *
 * <p>The loops over f16 compile to the hardware's own vector conversions.
 */
final class SmallFloats {
  private SmallFloats() {}

  static void widen(DType type, short[] from, float[] to, int count) {
    if (type == DType.F16) {
      for (int i = 0; i < count; i++) {
        to[i] = Float.float16ToFloat(from[i]);
      }
    } else {
      for (int i = 0; i < count; i++) {
        to[i] = Float.intBitsToFloat(from[i] << 16);
      }
    }
  }

  /** A NaN becomes the canonical one. */
  static void narrow(DType type, float[] from, short[] to, int count, Scratch scratch) {
    if (type == DType.F16) {
      for (int i = 0; i < count; i++) {
        to[i] = Float.floatToFloat16(from[i]);
      }
      NanScan.canonise(to, count, scratch);
    } else {
      NanScan.canonise(from, count, scratch); // first, since others could be rounded to zero
      for (int i = 0; i < count; i++) {
        int bits = Float.floatToRawIntBits(from[i]);
        to[i] = (short) (bits + 0x7fff + (bits >>> 16 & 1) >>> 16);
      }
    }
  }
}
