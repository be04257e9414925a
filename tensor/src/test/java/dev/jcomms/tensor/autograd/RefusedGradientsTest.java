package dev.jcomms.tensor.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.Dispatcher;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Calls that PyTorch has no gradient for, and those where it has one against expectation. */
final class RefusedGradientsTest {
  private static Tensor leaf(long... sizes) {
    return Tensor.randn(DType.F64, Shape.of(sizes), 7).requiresGrad(true);
  }

  @Test
  void aWholeResultOfWhatHasADerivativeIsRefused() {
    Tensor x = leaf(3);
    assertThatThrownBy(() -> Ops.sum(x, null, false, DType.I32))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a result of dtype i32 has no gradient");
    assertThatThrownBy(() -> Dispatcher.call("aten::cumsum", x, 0L, DType.I64))
        .hasMessageContaining("i64");
    assertThat(Ops.sum(Ops.detach(x), null, false, DType.I32).dtype()).isSameAs(DType.I32);
  }

  @Test
  void conversionsAndComparisonsJustEndTheGraph() {
    Tensor x = leaf(3);
    assertThat(x.to(DType.I64).requiresGrad()).isFalse();
    assertThat(Ops.gt(x, Scalar.ZERO).requiresGrad()).isFalse();
    assertThat(Ops.argmax(x, null, false).requiresGrad()).isFalse();
  }

  @Test
  void weightsThatAreNotLearntMustNotRequireAGradient() {
    Tensor x = leaf(2, 3);
    Tensor target = Tensor.zeros(DType.F64, Shape.of(2, 3));
    for (boolean positive : new boolean[] {false, true}) {
      Tensor weight = leaf(3);
      assertThatThrownBy(
              () ->
                  Dispatcher.call(
                      "aten::binary_cross_entropy_with_logits",
                      x,
                      target,
                      positive ? null : weight,
                      positive ? weight : null,
                      1L))
          .hasMessageContaining(positive ? "'pos_weight'" : "'weight'");
    }
    assertThatThrownBy(
            () ->
                Dispatcher.call(
                    "aten::native_batch_norm",
                    x,
                    null,
                    null,
                    leaf(3),
                    Tensor.ones(DType.F64, Shape.of(3)),
                    true,
                    0.1,
                    1e-5))
        .hasMessageContaining("'running_mean'");
  }

  @Test
  void aCountOfNumbersHasNoGradientAtAll() {
    Tensor x = leaf(4);
    Tensor count = Ops.vectorNorm(x, Scalar.ZERO, null, false, null);
    Tensor one = Tensor.ones(DType.F64, Shape.scalar());
    assertThat(Gradients.grad(List.of(count), List.of(x), List.of(one), false, false, true))
        .containsExactly((Tensor) null);
  }

  @Test
  void elementsThatShareMemoryShareTheGradientOfAStridedView() {
    Tensor x = Tensor.of(1.0, 2, 3).unsqueeze(0).expand(4, 3).requiresGrad(true);
    Tensor view = (Tensor) Dispatcher.call("aten::as_strided", x, new long[] {2}, new long[] {1});
    view.backward(Tensor.of(4.0, 8));
    assertThat(x.grad().toDoubleArray()).containsExactly(1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0);
  }
}
