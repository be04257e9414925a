package dev.jcomms.tensor.internal;

/**
 * The floats that Java has no type for, as bits: half, bfloat16 and the two 8-bit formats, to and
 * from {@code float}.
 *
 * <p>Narrowing rounds to nearest, ties to even, as PyTorch's does bit for bit, with one freedom: a
 * NaN's payload. Wider sources narrow through {@code float} first, so a {@code double} is rounded
 * twice; so it is in PyTorch, except that its f64 to f16 on ARM rounds once.
 */
public final class SmallFloats {
  private static final float[] E4M3 = new float[256];
  private static final float[] E5M2 = new float[256];

  static {
    for (int bits = 0; bits < 256; bits++) {
      int exponent = (bits >> 3) & 15;
      int fraction = bits & 7;
      float magnitude =
          exponent == 0
              ? Math.scalb((float) fraction, -9)
              : (bits & 0x7f) == 0x7f ? Float.NaN : Math.scalb(8f + fraction, exponent - 10);
      E4M3[bits] = bits < 128 ? magnitude : -magnitude;
      E5M2[bits] =
          Float.float16ToFloat((short) (bits << 8)); // a half cut after its second fraction bit
    }
  }

  private SmallFloats() {}

  public static float fromHalf(short bits) {
    return Float.float16ToFloat(bits);
  }

  public static short toHalf(float value) {
    return Float.floatToFloat16(value);
  }

  public static float fromBfloat16(short bits) {
    return Float.intBitsToFloat(bits << 16);
  }

  public static short toBfloat16(float value) {
    int bits = Float.floatToRawIntBits(value);
    if (value != value) {
      return 0x7fc0;
    }
    return (short) (bits + 0x7fff + (bits >>> 16 & 1) >>> 16);
  }

  public static float fromE4M3(byte bits) {
    return E4M3[bits & 0xff];
  }

  /**
   * There is no infinity: whatever rounds beyond 448 saturates there, infinity too, as in PyTorch
   * since 2.13. NaN stays NaN.
   */
  public static byte toE4M3(float value) {
    if (Math.abs(value) < 464f) {
      return narrow(value, 3, 7);
    }
    return signed(value != value ? 0x7f : 0x7e, value);
  }

  public static float fromE5M2(byte bits) {
    return E5M2[bits & 0xff];
  }

  /** Whatever rounds beyond 57344 is infinite. */
  public static byte toE5M2(float value) {
    if (Math.abs(value) < 65536f) {
      return narrow(value, 2, 15);
    }
    return signed(value != value ? 0x7f : 0x7c, value);
  }

  /** Rounds a float below the format's overflow to {@code fraction} bits and a new bias. */
  private static byte narrow(float value, int fraction, int bias) {
    int cut = 23 - fraction;
    int bits = Float.floatToRawIntBits(Math.abs(value));
    if (bits < (128 - bias) << 23) {
      // Subnormal in the format: adding a power of two makes the float unit round at its last bit.
      int magic = (127 + 24 - bias - fraction) << 23;
      float sum = Float.intBitsToFloat(bits) + Float.intBitsToFloat(magic);
      return signed(Float.floatToRawIntBits(sum) - magic, value);
    }
    int half = (1 << (cut - 1)) - 1;
    return signed(bits - ((127 - bias) << 23) + half + (bits >>> cut & 1) >>> cut, value);
  }

  private static byte signed(int magnitude, float value) {
    return (byte) (magnitude | Float.floatToRawIntBits(value) >>> 24 & 0x80);
  }
}
