package dev.jcomms.tensor.internal.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class SoftmaxTest {
  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"F64", "F32", "F16", "BF16"})
  void linesOfEveryDimensionAddUpToOne(DType dtype) {
    double tolerance = dtype == DType.F64 ? 1e-14 : dtype == DType.F32 ? 1e-6 : 2e-2;
    Tensor t = Arrangements.random(dtype, 1, 3, 4, 5);
    for (int dim = -3; dim < 3; dim++) {
      for (Tensor x : Arrangements.of(t)) {
        double[] y = Ops.softmax(x, dim, null).permute(order(dim)).toDoubleArray();
        double[] log = Ops.logSoftmax(x, dim, null).permute(order(dim)).toDoubleArray();
        int n = (int) t.shape().size(dim);
        for (int line = 0; line < y.length; line += n) {
          double sum = 0;
          for (int i = line; i < line + n; i++) {
            sum += y[i];
            assertThat(Math.exp(log[i])).isCloseTo(y[i], within(tolerance));
          }
          assertThat(sum).isCloseTo(1, within(tolerance * n));
        }
      }
    }
  }

  private static int[] order(int dim) {
    return switch (Math.floorMod(dim, 3)) {
      case 0 -> new int[] {1, 2, 0};
      case 1 -> new int[] {0, 2, 1};
      default -> new int[] {0, 1, 2};
    };
  }

  @Test
  void largeNumbersDoNotOverflowAndSmallOnesVanish() {
    assertThat(Ops.softmax(Tensor.of(1000f, 0f, -1000f), 0, null).toFloatArray())
        .containsExactly(1, 0, 0);
    assertThat(Ops.logSoftmax(Tensor.of(1000f, 0f), 0, null).toFloatArray())
        .containsExactly(0, -1000);
  }

  @Test
  void infinitiesAreNotNumbersAfterwards() {
    float inf = Float.POSITIVE_INFINITY;
    assertThat(Ops.softmax(Tensor.of(-inf, -inf), 0, null).toFloatArray()).containsOnly(Float.NaN);
    assertThat(Ops.softmax(Tensor.of(inf, 1f), 0, null).toFloatArray()).containsOnly(Float.NaN);
    assertThat(Ops.softmax(Tensor.of(-inf, 1f), 0, null).toFloatArray()).containsExactly(0, 1);
  }

  @Test
  void scalarsAndEmptyTensorsAreFine() {
    assertThat(Ops.softmax(Tensor.scalar(3.0), 0, null).getFloat()).isEqualTo(1);
    assertThat(Ops.softmax(Tensor.zeros(Shape.of(2, 0)), 1, null).shape())
        .isEqualTo(Shape.of(2, 0));
  }

  @Test
  void integersNeedADtype() {
    assertThatThrownBy(() -> Ops.softmax(Tensor.of(1L, 2L), 0, null)).hasMessageContaining("i64");
    assertThat(Ops.softmax(Tensor.of(1L, 1L), 0, DType.F32).toFloatArray()).containsOnly(.5f);
    assertThatThrownBy(() -> Ops.softmax(Tensor.of(1f), 1, null))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void theWayBackIsTheDerivative() {
    Tensor x = Arrangements.random(DType.F64, 1, 2, 5);
    Tensor g = Arrangements.random(DType.F64, 2, 2, 5);
    for (boolean log : new boolean[] {false, true}) {
      Tensor y = log ? Ops.logSoftmax(x, 1, null) : Ops.softmax(x, 1, null);
      Tensor back =
          log
              ? Ops._logSoftmaxBackwardData(g, y, 1, DType.F64)
              : Ops._softmaxBackwardData(g, y, 1, DType.F64);
      for (int i = 0; i < 10; i++) {
        double h = 1e-6;
        Tensor up = x.copy().set(x.getDouble(i / 5, i % 5) + h, i / 5, i % 5);
        Tensor down = x.copy().set(x.getDouble(i / 5, i % 5) - h, i / 5, i % 5);
        Tensor high = log ? Ops.logSoftmax(up, 1, null) : Ops.softmax(up, 1, null);
        Tensor low = log ? Ops.logSoftmax(down, 1, null) : Ops.softmax(down, 1, null);
        double slope = 0;
        for (int j = 0; j < 10; j++) {
          slope +=
              g.getDouble(j / 5, j % 5)
                  * (high.getDouble(j / 5, j % 5) - low.getDouble(j / 5, j % 5))
                  / (2 * h);
        }
        assertThat(back.getDouble(i / 5, i % 5)).isCloseTo(slope, within(1e-7));
      }
    }
  }
}
