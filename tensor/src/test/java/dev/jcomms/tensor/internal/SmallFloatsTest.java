package dev.jcomms.tensor.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every bit pattern of every format, and every tie between neighbours. */
final class SmallFloatsTest {
  interface Decoder {
    float decode(int bits);
  }

  interface Encoder {
    int encode(float value);
  }

  /** What defines a format, said apart from the code under test. */
  record Format(
      String name,
      int exponentBits,
      int fractionBits,
      boolean infinities,
      Decoder decoder,
      Encoder encoder) {
    int signBit() {
      return 1 << (exponentBits + fractionBits);
    }

    int bias() {
      return (1 << (exponentBits - 1)) - 1;
    }

    /** The largest finite positive pattern. */
    int largest() {
      int ones = signBit() - 1;
      return infinities ? ones - (1 << fractionBits) : ones - 1;
    }

    double valueOf(int bits) {
      int exponent = (bits & (signBit() - 1)) >> fractionBits;
      double fraction = (bits & ((1 << fractionBits) - 1)) / (double) (1 << fractionBits);
      double magnitude =
          exponent == 0
              ? fraction * Math.pow(2, 1 - bias())
              : (1 + fraction) * Math.pow(2, exponent - bias());
      return (bits & signBit()) != 0 ? -magnitude : magnitude;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Format> formats() {
    return Stream.of(
        new Format(
            "f16",
            5,
            10,
            true,
            b -> SmallFloats.fromHalf((short) b),
            v -> SmallFloats.toHalf(v) & 0xffff),
        new Format(
            "bf16",
            8,
            7,
            true,
            b -> SmallFloats.fromBfloat16((short) b),
            v -> SmallFloats.toBfloat16(v) & 0xffff),
        new Format(
            "f8e4m3",
            4,
            3,
            false,
            b -> SmallFloats.fromE4M3((byte) b),
            v -> SmallFloats.toE4M3(v) & 0xff),
        new Format(
            "f8e5m2",
            5,
            2,
            true,
            b -> SmallFloats.fromE5M2((byte) b),
            v -> SmallFloats.toE5M2(v) & 0xff));
  }

  @ParameterizedTest
  @MethodSource("formats")
  void everyPatternDecodesToItsValueAndEncodesBack(Format f) {
    for (int bits = 0; bits < 2 * f.signBit(); bits++) {
      int magnitude = bits & (f.signBit() - 1);
      float value = f.decoder.decode(bits);
      if (magnitude <= f.largest()) {
        assertThat(Double.doubleToRawLongBits(value))
            .as("pattern %x", bits)
            .isEqualTo(Double.doubleToRawLongBits(f.valueOf(bits)));
        assertThat(f.encoder.encode(value)).as("value %s", value).isEqualTo(bits);
      } else if (f.infinities && magnitude == f.largest() + 1) {
        assertThat(value)
            .isEqualTo(bits == magnitude ? Float.POSITIVE_INFINITY : Float.NEGATIVE_INFINITY);
        assertThat(f.encoder.encode(value)).isEqualTo(bits);
      } else {
        assertThat(value).as("pattern %x", bits).isNaN();
        assertThat(f.decoder.decode(f.encoder.encode(value))).isNaN();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("formats")
  void valuesBetweenNeighboursGoToTheNearestAndTiesToTheEven(Format f) {
    for (int low = 0; low < f.largest(); low++) {
      float middle = (float) ((f.valueOf(low) + f.valueOf(low + 1)) / 2);
      int even = low % 2 == 0 ? low : low + 1;
      assertRounds(f, middle, even);
      assertRounds(f, Math.nextDown(middle), low);
      assertRounds(f, Math.nextUp(middle), low + 1);
    }
  }

  private static void assertRounds(Format f, float value, int bits) {
    assertThat(f.encoder.encode(value)).as("%s", value).isEqualTo(bits);
    assertThat(f.encoder.encode(-value)).as("%s", -value).isEqualTo(bits | f.signBit());
  }

  @ParameterizedTest
  @MethodSource("formats")
  void beyondTheLargestIsInfinityOrWhereThereIsNoneTheLargest(Format f) {
    double step = f.valueOf(f.largest()) - f.valueOf(f.largest() - 1);
    float limit =
        (float) (f.valueOf(f.largest()) + step / 2); // the tie with the value that is not there
    int beyond = f.infinities ? f.largest() + 1 : f.largest();
    assertRounds(f, Math.nextDown(limit), f.largest());
    assertRounds(f, limit, beyond);
    assertRounds(f, Float.MAX_VALUE, beyond);
    assertRounds(f, Float.POSITIVE_INFINITY, beyond);
  }

  @ParameterizedTest
  @MethodSource("formats")
  void belowHalfOfTheSmallestIsZeroWithItsSign(Format f) {
    float tie = (float) (f.valueOf(1) / 2);
    assertRounds(f, 0f, 0);
    assertRounds(f, tie, 0);
    assertRounds(f, Math.nextUp(tie), 1);
    assertRounds(f, Float.MIN_VALUE, 0);
  }

  @ParameterizedTest
  @MethodSource("formats")
  void everyNanStaysOne(Format f) {
    for (int bits :
        new int[] {0x7fc00000, 0x7f800001, 0x7fffffff, 0xffc00000, 0xff800001, 0xffffffff}) {
      assertThat(f.decoder.decode(f.encoder.encode(Float.intBitsToFloat(bits))))
          .as("%x", bits)
          .isNaN();
    }
  }

  @Test
  void theLargestValuesAreTheOnesThatTheFormatsAreKnownBy() {
    assertThat(SmallFloats.fromHalf((short) 0x7bff)).isEqualTo(65504f);
    assertThat(SmallFloats.fromE4M3((byte) 0x7e)).isEqualTo(448f);
    assertThat(SmallFloats.fromE5M2((byte) 0x7b)).isEqualTo(57344f);
  }
}
