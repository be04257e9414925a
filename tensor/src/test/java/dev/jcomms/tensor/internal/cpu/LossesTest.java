package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Losses.MEAN;
import static dev.jcomms.tensor.internal.cpu.Losses.NONE;
import static dev.jcomms.tensor.internal.cpu.Losses.SUM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import org.junit.jupiter.api.Test;

final class LossesTest {
  private final Tensor scores = Tensor.of(1f, 2f, 3f, 4f, 5f, 6f, 7f, 8f, 9f).view(3, 3);
  private final Tensor target = Tensor.of(0L, 2L, -100L);

  @Test
  void eachSampleLosesTheScoreOfItsClass() {
    assertThat(loss(null, NONE).toFloatArray()).containsExactly(-1, -6, 0);
    assertThat(loss(null, SUM).getFloat()).isEqualTo(-7);
    assertThat(loss(null, MEAN).getFloat()).isEqualTo(-3.5f);
  }

  @Test
  void weightsCountInTheMeanToo() {
    Tensor weight = Tensor.of(1f, 10f, 3f);
    assertThat(loss(weight, SUM).getFloat()).isEqualTo(-19);
    assertThat(loss(weight, MEAN).getFloat()).isEqualTo(-19f / 4);
  }

  private Tensor loss(Tensor weight, long reduction) {
    return Ops.nllLossForward(scores, target, weight, reduction, -100)[0];
  }

  @Test
  void theGradientGoesToTheClassesAlone() {
    Tensor weight = Tensor.of(1f, 10f, 3f);
    Tensor total = Ops.nllLossForward(scores, target, weight, MEAN, -100)[1];
    assertThat(total.getFloat()).isEqualTo(4);
    Tensor back =
        Ops.nllLossBackward(Tensor.scalar(2.0), scores, target, weight, MEAN, -100, total);
    assertThat(back.toFloatArray()).containsExactly(-.5f, 0, 0, 0, 0, -1.5f, 0, 0, 0);
  }

  @Test
  void imagesAreSamplesPlaceByPlace() {
    Tensor image = Arrangements.random(dev.jcomms.tensor.DType.F32, 1, 2, 3, 4, 5);
    Tensor classes = Tensor.random(dev.jcomms.tensor.DType.U8, Shape.of(2, 4, 5), 2);
    Tensor labels = Tensor.empty(dev.jcomms.tensor.DType.I64, classes.shape());
    for (int i = 0; i < 40; i++) {
      labels.view(-1).set(classes.view(-1).getLong(i) % 3, i);
    }
    float[] flat =
        Ops.nllLossForward(
            image.permute(0, 2, 3, 1).reshape(-1, 3), labels.view(-1), null, NONE, -100)[0]
            .toFloatArray();
    Tensor out = Ops.nllLoss2dForward(image, labels, null, NONE, -100)[0];
    assertThat(out.shape()).isEqualTo(labels.shape());
    assertThat(out.toFloatArray()).containsExactly(flat);
  }

  @Test
  void nothingToAverageIsNotANumber() {
    Tensor none = Tensor.of(-100L, -100L, -100L);
    assertThat(Ops.nllLossForward(scores, none, null, MEAN, -100)[0].getFloat()).isNaN();
    assertThat(Ops.nllLossForward(scores, none, null, SUM, -100)[0].getFloat()).isZero();
  }

  @Test
  void targetsMustBeClasses() {
    assertThatThrownBy(() -> Ops.nllLossForward(scores, Tensor.of(0L, 1L, 3L), null, MEAN, -100))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContaining("target=3 is not one of the 3 classes");
    assertThatThrownBy(() -> Ops.nllLossForward(scores, Tensor.of(0, 1, 2), null, MEAN, -100))
        .hasMessageContaining("i64");
    assertThatThrownBy(() -> Ops.nllLossForward(scores, Tensor.of(0L, 1L), null, MEAN, -100))
        .hasMessageContaining("does not go with");
  }
}
