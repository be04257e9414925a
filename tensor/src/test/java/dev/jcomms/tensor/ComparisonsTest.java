package dev.jcomms.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ComparisonsTest {
  private static final double INF = Double.POSITIVE_INFINITY;
  private static final double NAN = Double.NaN;

  @ParameterizedTest
  @EnumSource
  void oneDifferenceAnywhereIsFound(DType dtype) {
    for (long n : new long[] {1, 2, 511, 512, 513, 1025}) {
      Tensor a = Tensor.random(dtype, Shape.of(n), 3);
      Tensor b = a.copy();
      assertThat(a.equal(b)).isTrue();
      assertThat(a.allClose(b)).isTrue();
      for (long i : new long[] {0, n / 2, n - 1}) {
        double kept = b.getDouble(i);
        b.set(kept == 0 ? 1 : 0, i);
        assertThat(a.equal(b)).as("%s element %d of %d", dtype, i, n).isFalse();
        assertThat(a.allClose(b)).isFalse();
        b.set(kept, i);
      }
    }
  }

  @Test
  void equalIsOfValuesNotBits() {
    assertThat(Tensor.of(0f).equal(Tensor.of(-0f))).isTrue();
    assertThat(Tensor.of(NAN).equal(Tensor.of(NAN))).isFalse();
    assertThat(Tensor.of(INF).equal(Tensor.of(INF))).isTrue();
    assertThat(Tensor.of(1L, 2).equal(Tensor.of(1f, 2f))).isTrue();
    assertThat(Tensor.of(1f).equal(Tensor.of(1f, 1f))).isFalse();
    assertThat(Tensor.of(1f, 2f).equal(Tensor.of(1f, 2f).view(2, 1))).isFalse();
    assertThat(Tensor.of((1L << 53) + 1).equal(Tensor.of(1L << 53))).isFalse();
    assertThat(Tensor.arange(4).view(2, 2).t().equal(Tensor.of(0L, 2, 1, 3).view(2, 2))).isTrue();
    assertThat(Tensor.empty(Shape.of(0)).equal(Tensor.empty(Shape.of(0)))).isTrue();
  }

  @Test
  void closenessIsMeasuredAgainstTheOther() {
    assertThat(Tensor.of(1.0).allClose(Tensor.of(1.000009))).isTrue();
    assertThat(Tensor.of(1.0).allClose(Tensor.of(1.00002))).isFalse();
    assertThat(Tensor.of(10.0).allClose(Tensor.of(9.0), 0.11, 0, false)).isFalse();
    assertThat(Tensor.of(9.0).allClose(Tensor.of(10.0), 0.11, 0, false)).isTrue();
    assertThat(Tensor.of(1L).allClose(Tensor.of(3L), 0, 2, false)).isTrue();
    assertThat(Tensor.of(1L).allClose(Tensor.of(4L), 0, 2, false)).isFalse();
  }

  @Test
  void infinitiesAndNansAreCloseOnlyToTheirOwn() {
    assertThat(Tensor.of(INF).allClose(Tensor.of(INF))).isTrue();
    assertThat(Tensor.of(INF).allClose(Tensor.of(-INF), 1, INF, true)).isFalse();
    assertThat(Tensor.of(1e308).allClose(Tensor.of(INF))).isFalse();
    assertThat(Tensor.of(NAN).allClose(Tensor.of(NAN))).isFalse();
    assertThat(Tensor.of(NAN).allClose(Tensor.of(NAN), 0, 0, true)).isTrue();
    assertThat(Tensor.of(NAN).allClose(Tensor.of(1.0), 0, 0, true)).isFalse();
  }

  @Test
  void closenessBroadcastsAndWantsOneDtype() {
    assertThat(Tensor.ones(Shape.of(2, 3)).allClose(Tensor.scalar(1.0))).isTrue();
    assertThat(Tensor.of(1f, 1f, 1f).allClose(Tensor.ones(Shape.of(2, 1)))).isTrue();
    assertThatThrownBy(() -> Tensor.of(1f).allClose(Tensor.of(1.0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("allClose: dtypes differ: f32 and f64");
    assertThatThrownBy(() -> Tensor.of(1f, 2f).allClose(Tensor.of(1f, 2f, 3f)))
        .hasMessage("allClose: shapes [2] and [3] do not broadcast: sizes 2 and 3 at dim=0");
    assertThatThrownBy(() -> Tensor.of(1f).allClose(Tensor.of(1f), -1, 0, false))
        .hasMessage("allClose: rtol=-1.0 atol=0.0 must not be negative");
  }
}
