package dev.jcomms.tensor.internal.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

final class NormsTest {
  private static final boolean[] ALL = {true, true, true};

  @Test
  void rowsOfALayerHaveMeanZeroAndVarianceOne() {
    Tensor x = Arrangements.random(DType.F32, 1, 4, 3, 50);
    for (Tensor layout : Arrangements.of(x)) {
      Tensor[] out = Ops.nativeLayerNorm(layout, new long[] {3, 50}, null, null, 0);
      assertThat(out[1].shape()).isEqualTo(Shape.of(4, 1, 1));
      for (int row = 0; row < 4; row++) {
        double[] y = out[0].select(0, row).toDoubleArray();
        double sum = 0;
        double squares = 0;
        for (double v : y) {
          sum += v;
          squares += v * v;
        }
        assertThat(sum / y.length).isCloseTo(0, within(1e-6));
        assertThat(squares / y.length).isCloseTo(1, within(1e-5));
      }
    }
  }

  @Test
  void anEmptyRowHasNoDeviation() {
    Tensor[] out = Ops.nativeLayerNorm(Tensor.zeros(Shape.of(2, 0)), new long[] {0}, null, null, 1);
    assertThat(out[1].toFloatArray()).containsOnly(0);
    assertThat(out[2].toFloatArray()).containsOnly(Float.NaN);
    assertThat(
            Ops.nativeLayerNorm(Tensor.zeros(Shape.of(0, 3)), new long[] {3}, null, null, 1)[0]
                .elements())
        .isZero();
  }

  @Test
  void halfInputsKeepStatisticsInTheParametersDtype() {
    Tensor x = Arrangements.random(DType.BF16, 1, 2, 4);
    Tensor w = Tensor.ones(Shape.of(4));
    assertThat(Ops.nativeLayerNorm(x, new long[] {4}, w, w, 1e-5)[1].dtype()).isEqualTo(DType.F32);
    assertThat(Ops.nativeLayerNorm(x, new long[] {4}, null, null, 1e-5)[1].dtype())
        .isEqualTo(DType.BF16);
    Tensor wide = Tensor.ones(DType.F64, Shape.of(4));
    assertThatThrownBy(() -> Ops.nativeLayerNorm(x, new long[] {4}, wide, null, 1e-5))
        .hasMessageContaining("f64 beside an input of bf16");
  }

  @Test
  void shapesThatDoNotEndTheInputAreRefused() {
    Tensor x = Tensor.zeros(Shape.of(2, 3));
    assertThatThrownBy(() -> Ops.nativeLayerNorm(x, new long[] {2}, null, null, 1e-5))
        .hasMessageContaining("normalized_shape=[2]");
    assertThatThrownBy(() -> Ops.nativeLayerNorm(x, new long[] {}, null, null, 1e-5))
        .hasMessageContaining("must not be empty");
    Tensor two = Tensor.ones(Shape.of(2));
    assertThatThrownBy(() -> Ops.nativeLayerNorm(x, new long[] {3}, two, null, 1e-5))
        .hasMessageContaining("[3]");
  }

  @Test
  void theLayersWayBackIsTheDerivative() {
    Tensor x = Arrangements.random(DType.F64, 1, 3, 5);
    Tensor w = Arrangements.random(DType.F64, 2, 5);
    Tensor b = Arrangements.random(DType.F64, 3, 5);
    Tensor g = Arrangements.random(DType.F64, 4, 3, 5);
    long[] shape = {5};
    Tensor[] out = Ops.nativeLayerNorm(x, shape, w, b, 1e-5);
    Tensor[] back = Ops.nativeLayerNormBackward(g, x, shape, out[1], out[2], w, b, ALL);
    slope(x, g, back[0], v -> Ops.nativeLayerNorm(v, shape, w, b, 1e-5)[0]);
    slope(w, g, back[1], v -> Ops.nativeLayerNorm(x, shape, v, b, 1e-5)[0]);
    slope(b, g, back[2], v -> Ops.nativeLayerNorm(x, shape, w, v, 1e-5)[0]);
    assertThat(
            Ops.nativeLayerNormBackward(
                g, x, shape, out[1], out[2], w, b, new boolean[] {false, true, false}))
        .matches(t -> t[0] == null && t[1] != null && t[2] == null);
  }

  @Test
  void theBatchsWayBackIsTheDerivative() {
    Tensor x = Arrangements.random(DType.F64, 1, 3, 2, 2, 2);
    Tensor w = Arrangements.random(DType.F64, 2, 2);
    Tensor b = Arrangements.random(DType.F64, 3, 2);
    Tensor g = Arrangements.random(DType.F64, 4, 3, 2, 2, 2);
    Tensor mean = Arrangements.random(DType.F64, 5, 2);
    Tensor var = Tensor.of(0.5, 2.0);
    for (boolean train : new boolean[] {true, false}) {
      Tensor[] out = batch(x, w, b, mean, var, train);
      Tensor[] back =
          Ops.nativeBatchNormBackward(g, x, w, mean, var, out[1], out[2], train, 1e-5, ALL);
      slope(x, g, back[0], v -> batch(v, w, b, mean, var, train)[0]);
      slope(w, g, back[1], v -> batch(x, v, b, mean, var, train)[0]);
      slope(b, g, back[2], v -> batch(x, w, v, mean, var, train)[0]);
    }
  }

  private static Tensor[] batch(
      Tensor x, Tensor w, Tensor b, Tensor mean, Tensor var, boolean train) {
    return Ops.nativeBatchNorm(x, w, b, mean.copy(), var.copy(), train, 0.1, 1e-5);
  }

  @Test
  void trainingMovesTheRunningStatistics() {
    Tensor x = Tensor.of(1f, 2f, 3f, 6f).view(4, 1);
    Tensor mean = Tensor.zeros(Shape.of(1));
    Tensor var = Tensor.ones(Shape.of(1));
    Ops.nativeBatchNorm(x, null, null, mean, var, true, 0.5, 1e-5);
    assertThat(mean.getFloat(0)).isEqualTo(1.5f);
    assertThat(var.getFloat(0)).isCloseTo(0.5f + 0.5f * 14 / 3, within(1e-6f));
    Ops.nativeBatchNorm(x, null, null, mean, var, false, 0.5, 1e-5);
    assertThat(mean.getFloat(0)).isEqualTo(1.5f);
    assertThatThrownBy(() -> Ops.nativeBatchNorm(x, null, null, null, null, false, 0.5, 1e-5))
        .hasMessageContaining("running statistics");
    assertThatThrownBy(
            () -> Ops.nativeBatchNorm(x.narrow(0, 0, 0), null, null, mean, var, true, 0.5, 1e-5))
        .hasMessageContaining("nothing");
  }

  /** Compares a gradient with the slope of {@code sum(g * f(at))}. */
  private static void slope(Tensor at, Tensor g, Tensor gradient, UnaryOperator<Tensor> f) {
    double[] weights = g.toDoubleArray();
    double h = 1e-6;
    for (int i = 0; i < at.elements(); i++) {
      Tensor up = at.copy();
      up.view(-1).set(up.view(-1).getDouble(i) + h, i);
      Tensor down = at.copy();
      down.view(-1).set(down.view(-1).getDouble(i) - h, i);
      double[] high = f.apply(up).toDoubleArray();
      double[] low = f.apply(down).toDoubleArray();
      double slope = 0;
      for (int j = 0; j < weights.length; j++) {
        slope += weights[j] * (high[j] - low[j]) / (2 * h);
      }
      assertThat(gradient.view(-1).getDouble(i)).isCloseTo(slope, within(1e-6));
    }
  }
}
