package dev.jcomms.tensor.internal.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/** Our own functions are within 2 units in the last place, everywhere. */
class FloatMathTest {
  private interface Of {
    float apply(float x);
  }

  /** Looks at every so-many-th float between two, both signs. */
  private static void check(
      String name, Of f, DoubleUnaryOperator truth, float from, float to, double most) {
    for (int bits = Float.floatToIntBits(from); bits <= Float.floatToIntBits(to); bits += 4999) {
      for (float x : new float[] {Float.intBitsToFloat(bits), -Float.intBitsToFloat(bits)}) {
        double expected = truth.applyAsDouble(x);
        float got = f.apply(x);
        if (Double.isNaN(expected)) {
          assertThat(got).as("%s(%s)", name, x).isNaN();
          continue;
        }
        if (got == (float) expected) {
          continue;
        }
        double ulps = Math.abs(got - expected) / Math.ulp((float) expected);
        assertThat(ulps).as("%s(%s) = %s, not %s", name, x, got, expected).isLessThan(most);
      }
    }
  }

  @Test
  void exponentials() {
    check("exp", FloatMath::exp, Math::exp, Float.MIN_VALUE, 110f, 2);
    assertThat(FloatMath.exp(0f)).isEqualTo(1f);
    assertThat(FloatMath.exp(Float.NEGATIVE_INFINITY)).isEqualTo(0f);
    assertThat(FloatMath.exp(Float.POSITIVE_INFINITY)).isEqualTo(Float.POSITIVE_INFINITY);
    assertThat(FloatMath.exp(Float.NaN)).isNaN();
    assertThat(FloatMath.exp(-100f)).isEqualTo((float) Math.exp(-100)); // subnormal
  }

  @Test
  void logarithms() {
    check("log", FloatMath::log, Math::log, Float.MIN_VALUE, Float.MAX_VALUE, 2);
    assertThat(FloatMath.log(1f)).isEqualTo(0f);
    assertThat(FloatMath.log(0f)).isEqualTo(Float.NEGATIVE_INFINITY);
    assertThat(FloatMath.log(-0f)).isEqualTo(Float.NEGATIVE_INFINITY);
    assertThat(FloatMath.log(-1f)).isNaN();
    assertThat(FloatMath.log(Float.NaN)).isNaN();
    assertThat(FloatMath.log(Float.POSITIVE_INFINITY)).isEqualTo(Float.POSITIVE_INFINITY);
  }

  @Test
  void wavesNearAndFar() {
    check("sin", FloatMath::sin, Math::sin, Float.MIN_VALUE, 1000f, 2);
    check("cos", FloatMath::cos, Math::cos, Float.MIN_VALUE, 1000f, 2);
    check("sin", FloatMath::sin, Math::sin, 40000f, Float.MAX_VALUE, 2);
    assertThat(FloatMath.sin(Float.POSITIVE_INFINITY)).isNaN();
    assertThat(FloatMath.cos(Float.NaN)).isNaN();
    assertThat(FloatMath.sin(30000f)).isCloseTo((float) Math.sin(30000), within(1e-6f));
  }

  @Test
  void sigmoidsAndTheirKind() {
    check("tanh", FloatMath::tanh, Math::tanh, Float.MIN_VALUE, 100f, 2.5);
    check("sigmoid", FloatMath::sigmoid, x -> 1 / (1 + Math.exp(-x)), Float.MIN_VALUE, 80f, 3);
    check("erf", FloatMath::erf, DoubleMath::erf, Float.MIN_VALUE, 100f, 2.5);
    assertThat(FloatMath.tanh(Float.NEGATIVE_INFINITY)).isEqualTo(-1f);
    assertThat(FloatMath.tanh(Float.NaN)).isNaN();
    assertThat(FloatMath.erf(Float.POSITIVE_INFINITY)).isEqualTo(1f);
  }

  @Test
  void powers() {
    float[] numbers = {
      0f,
      -0f,
      1f,
      -1f,
      2f,
      -2f,
      0.5f,
      -0.5f,
      3f,
      -3f,
      1e10f,
      1e-10f,
      2.5f,
      -2.5f,
      1e-40f,
      Float.NaN,
      Float.POSITIVE_INFINITY,
      Float.NEGATIVE_INFINITY,
      16777217f,
      1.0001f,
      0.9999f
    };
    for (float x : numbers) {
      for (float y : numbers) {
        boolean one = x == 1f || x == -1f && Float.isInfinite(y);
        float expected = one ? 1f : (float) Math.pow(x, y);
        float got = FloatMath.pow(x, y);
        if (Float.isNaN(expected) || Float.isInfinite(expected) || expected == 0) {
          assertThat((Object) got).as("%s^%s", x, y).isEqualTo(expected);
        } else {
          assertThat(Math.abs(got - expected))
              .as("%s^%s = %s, not %s", x, y, got, expected)
              .isLessThanOrEqualTo(2 * Math.ulp(expected));
        }
      }
    }
  }

  @Test
  void errorFunctionOfDoubles() {
    // From a table of 20 digits.
    assertThat(DoubleMath.erf(0.5)).isCloseTo(0.52049987781304653768, within(2e-16));
    assertThat(DoubleMath.erf(-1)).isCloseTo(-0.84270079294971486934, within(2e-16));
    assertThat(DoubleMath.erf(2)).isCloseTo(0.99532226501895273416, within(2e-16));
    assertThat(DoubleMath.erfc(3)).isCloseTo(2.2090496998585441373e-5, within(2e-20));
    assertThat(DoubleMath.erfc(10)).isCloseTo(2.0884875837625447570e-45, within(3e-60));
    assertThat(DoubleMath.erfc(-2)).isCloseTo(1.9953222650189527342, within(4e-16));
    assertThat(DoubleMath.erf(Double.NaN)).isNaN();
    assertThat(DoubleMath.erfc(Double.POSITIVE_INFINITY)).isEqualTo(0);
    assertThat(DoubleMath.erfc(Double.NEGATIVE_INFINITY)).isEqualTo(2);
  }
}
