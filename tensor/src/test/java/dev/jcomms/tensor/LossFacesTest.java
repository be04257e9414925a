package dev.jcomms.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** The short faces of losses have PyTorch's defaults. */
final class LossFacesTest {
  @Test
  void crossEntropyIsTheMeanOverTargetsThatCount() {
    Tensor scores = Tensor.of(1.0, 2, 3, 3, 2, 1).view(2, 3);
    Tensor targets = Tensor.of(2L, -100);
    Tensor loss = Ops.crossEntropyLoss(scores, targets);
    assertThat(loss.shape()).isEqualTo(Shape.scalar());
    assertThat(loss.getDouble()).isCloseTo(0.40760596444438, within(1e-12));
    assertThat(loss.equal(Ops.crossEntropyLoss(scores, targets, null, 1, -100, 0))).isTrue();
  }

  @Test
  void squaresAreAveraged() {
    Tensor loss = Ops.mseLoss(Tensor.of(1.0, 2, 4), Tensor.of(1.0, 0, 0));
    assertThat(loss.getDouble()).isCloseTo(20.0 / 3, within(1e-12));
  }
}
