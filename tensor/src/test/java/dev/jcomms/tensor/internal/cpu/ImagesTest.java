package dev.jcomms.tensor.internal.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ImagesTest {
  private static final long[] NONE = {0, 0};

  /** The definition, tap by tap. */
  private static double[] naive(
      Tensor x, Tensor w, long[] stride, long[] pad, long[] dilation, int groups, int[] out) {
    int o = (int) w.shape().size(0);
    int c = (int) w.shape().size(1);
    double[] y = new double[(int) x.shape().size(0) * o * out[0] * out[1]];
    int at = 0;
    for (int n = 0; n < x.shape().size(0); n++) {
      for (int oc = 0; oc < o; oc++) {
        for (int i = 0; i < out[0]; i++) {
          for (int j = 0; j < out[1]; j++, at++) {
            for (int ic = 0; ic < c; ic++) {
              for (int ki = 0; ki < w.shape().size(2); ki++) {
                for (int kj = 0; kj < w.shape().size(3); kj++) {
                  long row = i * stride[0] - pad[0] + ki * dilation[0];
                  long column = j * stride[1] - pad[1] + kj * dilation[1];
                  if (row >= 0
                      && column >= 0
                      && row < x.shape().size(2)
                      && column < x.shape().size(3)) {
                    int channel = oc / (o / groups) * c + ic;
                    y[at] += x.getDouble(n, channel, row, column) * w.getDouble(oc, ic, ki, kj);
                  }
                }
              }
            }
          }
        }
      }
    }
    return y;
  }

  @Test
  void convolutionIsItsDefinition() {
    Random random = new Random(1);
    for (int round = 0; round < 40; round++) {
      int groups = 1 + random.nextInt(2);
      long[] stride = {1 + random.nextInt(3), 1 + random.nextInt(2)};
      long[] pad = {random.nextInt(3), random.nextInt(3)};
      long[] dilation = {1 + random.nextInt(2), 1 + random.nextInt(2)};
      DType dtype = round % 3 == 0 ? DType.F64 : DType.F32;
      Tensor x =
          Arrangements.random(
              dtype, round, 2, groups * 2L, 5 + random.nextInt(4), 5 + random.nextInt(4));
      Tensor w =
          Arrangements.random(
              dtype, round + 1, groups * 3L, 2, 1 + random.nextInt(3), 1 + random.nextInt(3));
      for (Tensor layout : Arrangements.of(x)) {
        Tensor y = Ops.convolution(layout, w, null, stride, pad, dilation, false, NONE, groups);
        int[] out = {(int) y.shape().size(2), (int) y.shape().size(3)};
        Arrangements.assertClose(y, naive(x, w, stride, pad, dilation, groups, out), 1e-4);
      }
    }
  }

  @Test
  void theProductsOfAConvolutionAreEachOthersAdjoints() {
    Random random = new Random(2);
    for (int round = 0; round < 20; round++) {
      long[] stride = {1 + random.nextInt(3), 1 + random.nextInt(2)};
      long[] pad = {random.nextInt(2), random.nextInt(2)};
      long[] dilation = {1 + random.nextInt(2), 1};
      Tensor x = Arrangements.random(DType.F64, round, 2, 4, 6, 7);
      Tensor w = Arrangements.random(DType.F64, round + 1, 6, 2, 2, 3);
      Tensor y = Ops.convolution(x, w, null, stride, pad, dilation, false, NONE, 2);
      Tensor g = Tensor.randn(DType.F64, y.shape(), round + 2);
      Tensor[] back =
          Ops.convolutionBackward(
              g,
              x,
              w,
              new long[] {6},
              stride,
              pad,
              dilation,
              false,
              NONE,
              2,
              new boolean[] {true, true, true});
      double expected = dot(y, g);
      assertThat(dot(x, back[0])).isCloseTo(expected, org.assertj.core.api.Assertions.within(1e-9));
      assertThat(dot(w, back[1])).isCloseTo(expected, org.assertj.core.api.Assertions.within(1e-9));
      Tensor bias = Tensor.zeros(DType.F64, Shape.of(6)).set(1, 4);
      double shifted =
          dot(Ops.convolution(x, w, bias, stride, pad, dilation, false, NONE, 2), g) - expected;
      assertThat(back[2].getDouble(4))
          .isCloseTo(shifted, org.assertj.core.api.Assertions.within(1e-9));
      Tensor transposed = Ops.convolution(g, w, null, stride, pad, dilation, true, NONE, 2);
      long rows = transposed.shape().size(2);
      long columns = transposed.shape().size(3);
      assertThat(
              transposed.allClose(
                  back[0].narrow(2, 0, rows).narrow(3, 0, columns), 1e-9, 1e-9, false))
          .isTrue();
    }
  }

  private static double dot(Tensor a, Tensor b) {
    return Ops.dot(a.reshape(-1), b.reshape(-1)).getDouble();
  }

  @Test
  void convolutionsThatCannotBeAreRefused() {
    Tensor x = Tensor.ones(Shape.of(1, 2, 4, 4));
    Tensor w = Tensor.ones(Shape.of(3, 2, 3, 3));
    long[] one = {1};
    assertThatThrownBy(
            () -> Ops.conv2d(x, Tensor.ones(Shape.of(3, 1, 3, 3)), null, one, NONE, one, 1))
        .hasMessageContaining("2 channels");
    assertThatThrownBy(
            () -> Ops.conv2d(x, Tensor.ones(Shape.of(3, 2, 5, 5)), null, one, NONE, one, 1))
        .hasMessageContaining("larger than the padded input");
    assertThatThrownBy(() -> Ops.conv2d(x, w, Tensor.ones(Shape.of(2)), one, NONE, one, 1))
        .hasMessageContaining("bias must have 3");
    assertThatThrownBy(() -> Ops.conv2d(x, w, null, new long[] {0}, NONE, one, 1))
        .hasMessageContaining("stride");
    assertThatThrownBy(() -> Ops.conv2d(x, w, null, one, new long[] {-1}, one, 1))
        .hasMessageContaining("padding");
    assertThatThrownBy(() -> Ops.conv2d(x, w, null, new long[] {1, 1, 1}, NONE, one, 1))
        .hasMessageContaining("1 or 2 numbers");
    assertThatThrownBy(() -> Ops.conv2d(x, w.to(DType.F64), null, one, NONE, one, 1))
        .hasMessageContaining("same dtype");
    assertThatThrownBy(
            () -> Ops.conv2d(x, Tensor.ones(Shape.of(3, 1, 3, 3)), null, one, NONE, one, 2))
        .hasMessageContaining("groups=2");
    assertThat(Ops.conv2d(x.narrow(0, 0, 0), w, null, one, NONE, one, 1).shape())
        .isEqualTo(Shape.of(0, 3, 2, 2));
  }

  @Test
  void poolingTakesTheLargestAndSaysWhere() {
    Tensor x = Tensor.arange(16.0).view(1, 4, 4);
    Tensor[] out =
        Ops.maxPool2dWithIndices(x, new long[] {2}, new long[] {}, NONE, new long[] {1}, false);
    assertThat(out[0].view(-1).toFloatArray()).containsExactly(5, 7, 13, 15);
    assertThat(out[1].view(-1).toLongArray()).containsExactly(5, 7, 13, 15);
    Tensor back =
        Ops.maxPool2dWithIndicesBackward(
            Tensor.ones(Shape.of(1, 2, 2)),
            x,
            new long[] {2},
            new long[] {2},
            NONE,
            new long[] {1},
            false,
            out[1]);
    assertThat(Ops.nonzero(back.view(-1)).view(-1).toLongArray()).containsExactly(5, 7, 13, 15);
    Tensor nan = Tensor.of(1f, Float.NaN, 2f, Float.NaN).view(1, 2, 2);
    assertThat(
            Ops.maxPool2dWithIndices(
                nan, new long[] {2}, new long[] {}, NONE, new long[] {1}, false)[1]
                .getLong(0, 0, 0))
        .isEqualTo(3);
    assertThatThrownBy(
            () ->
                Ops.maxPool2d(
                    x, new long[] {2}, new long[] {}, new long[] {2}, new long[] {1}, false))
        .hasMessageContaining("half the window");
    assertThatThrownBy(
            () -> Ops.maxPool2d(x, new long[] {5}, new long[] {}, NONE, new long[] {1}, false))
        .hasMessageContaining("leaves nothing");
  }

  @Test
  void averagesCountThePaddingIfAsked() {
    Tensor x = Tensor.ones(Shape.of(1, 2, 2));
    long[] three = {3};
    long[] one = {1};
    assertThat(Ops.avgPool2d(x, three, one, one, false, true, null).view(-1).toFloatArray())
        .containsOnly(4f / 9);
    assertThat(Ops.avgPool2d(x, three, one, one, false, false, null).view(-1).toFloatArray())
        .containsOnly(1);
    assertThat(Ops.avgPool2d(x, three, one, one, false, true, 2L).view(-1).toFloatArray())
        .containsOnly(2);
    assertThatThrownBy(() -> Ops.avgPool2d(x, three, one, one, false, true, 0L))
        .hasMessageContaining("divisor_override");
    Tensor wide = Tensor.arange(6.0).view(1, 1, 6);
    assertThat(Ops.adaptiveAvgPool2d(wide, new long[] {1, 4}).view(-1).toFloatArray())
        .containsExactly(.5f, 1.5f, 3.5f, 4.5f);
  }
}
