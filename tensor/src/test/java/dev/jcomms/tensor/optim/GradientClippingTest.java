package dev.jcomms.tensor.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.jcomms.tensor.Tensor;
import java.util.List;
import org.junit.jupiter.api.Test;

final class GradientClippingTest {
  /** A parameter with that gradient. */
  private static Tensor with(double... gradient) {
    Tensor p = Tensor.of(gradient.clone()).requiresGrad(true);
    p.backward(Tensor.of(gradient));
    return p;
  }

  @Test
  void gradientsThatAreTooLongAreScaledTogether() {
    Tensor a = with(3, 0);
    Tensor b = with(0, 4);
    assertThat(GradientClipping.clipNorm(List.of(a, b), 1)).isCloseTo(5, within(1e-9));
    assertThat(a.grad().toDoubleArray()).containsExactly(new double[] {0.6, 0}, within(1e-6));
    assertThat(b.grad().toDoubleArray()).containsExactly(new double[] {0, 0.8}, within(1e-6));
  }

  @Test
  void gradientsThatAreShortStayAsTheyAre() {
    Tensor a = with(0.3, -0.4);
    assertThat(GradientClipping.clipNorm(List.of(a), 1)).isCloseTo(0.5, within(1e-9));
    assertThat(a.grad().toDoubleArray()).containsExactly(0.3, -0.4);
  }

  @Test
  void theLargestElementIsALengthToo() {
    Tensor a = with(1, -8);
    Tensor b = with(2);
    assertThat(GradientClipping.clipNorm(List.of(a, b), 4, Double.POSITIVE_INFINITY)).isEqualTo(8);
    assertThat(a.grad().toDoubleArray()).containsExactly(new double[] {0.5, -4}, within(1e-5));
    assertThat(b.grad().toDoubleArray()).containsExactly(new double[] {1}, within(1e-5));
  }

  @Test
  void whatHasNoGradientIsPassedOver() {
    Tensor idle = Tensor.of(1.0).requiresGrad(true);
    assertThat(GradientClipping.clipNorm(List.of(idle), 1)).isZero();
    assertThat(GradientClipping.clipNorm(List.of(idle, with(2)), 1)).isEqualTo(2);
    assertThat(idle.grad()).isNull();
  }

  @Test
  void elementsAreCutToARange() {
    Tensor a = with(0.2, -3, 7);
    GradientClipping.clipValue(List.of(a), 1);
    assertThat(a.grad().toDoubleArray()).containsExactly(0.2, -1, 1);
  }

  @Test
  void aNegativeLimitIsRefused() {
    assertThatThrownBy(() -> GradientClipping.clipNorm(List.of(), -1))
        .hasMessage("clipNorm: maxNorm=-1.0 must not be negative");
    assertThatThrownBy(() -> GradientClipping.clipValue(List.of(), Double.NaN))
        .hasMessage("clipValue: limit=NaN must not be negative");
  }
}
