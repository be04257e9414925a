package dev.jcomms.tensor.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Views and in-place calls: where PyTorch refuses, so do we; where it counts, the counts agree. */
final class ViewRulesTest {
  private static final String UNFOLLOWED = "created in no_grad mode";

  private static Tensor leaf(double... values) {
    return Tensor.of(values).requiresGrad(true);
  }

  @Test
  void aViewMadeInNoGradIsNotWrittenWhereOthersRecord() {
    Tensor x = leaf(1, 2);
    Tensor y = x.mul(1.0);
    Tensor view;
    try (var _ = GradMode.noGrad()) {
      view = y.narrow(0, 0, 1);
    }
    assertThatThrownBy(() -> view.mul_(2)).hasMessageContaining(UNFOLLOWED);
    assertThatThrownBy(() -> view.mul_(leaf(3))).hasMessageContaining(UNFOLLOWED);
    assertThatThrownBy(() -> view.fill(3.0)).hasMessageContaining(UNFOLLOWED);
    assertThatThrownBy(() -> view.copyFrom(leaf(3))).hasMessageContaining(UNFOLLOWED);
    assertThatThrownBy(() -> view.set(3, 0)).hasMessageContaining(UNFOLLOWED);
    assertThatThrownBy(() -> view.view(1, 1).mul_(2)).hasMessageContaining(UNFOLLOWED);
    assertThat(y.toDoubleArray()).containsExactly(1, 2);
    try (var _ = GradMode.noGrad()) {
      view.mul_(2);
    }
    y.sum().backward();
    assertThat(x.grad().toDoubleArray()).containsExactly(1, 1); // as PyTorch counts
  }

  @Test
  void aViewOfAParameterMadeInNoGradIsNotWrittenEither() {
    Tensor x = leaf(1, 2);
    Tensor view;
    try (var _ = GradMode.noGrad()) {
      view = x.narrow(0, 0, 1);
    }
    assertThatThrownBy(() -> view.mul_(2)).hasMessageContaining(UNFOLLOWED);
    assertThat(x.detach().narrow(0, 0, 1).mul_(2).getDouble(0)).isEqualTo(2);
  }

  @Test
  void aFunctionThatReturnsAViewOfItsInputHandsOutNothingToWriteInto() {
    DifferentiableFunction half =
        new DifferentiableFunction() {
          @Override
          protected Tensor[] forward(Context c, Tensor... inputs) {
            return new Tensor[] {inputs[0].narrow(0, 0, 1)};
          }

          @Override
          protected Tensor[] backward(Context c, Tensor... gradients) {
            return new Tensor[] {Ops.cat(java.util.List.of(gradients[0], gradients[0]), 0)};
          }
        };
    Tensor x = leaf(1, 2);
    Tensor y = DifferentiableFunction.apply(half, x.mul(1.0));
    assertThatThrownBy(() -> y.mul_(2)).hasMessageContaining(UNFOLLOWED);
    y.sum().backward();
    assertThat(x.grad().toDoubleArray()).containsExactly(1, 1);
  }

  @Test
  void oneOfSeveralViewsIsNotUsedAfterItsBaseWasWritten() {
    Tensor x = leaf(1, 2);
    Tensor y = x.mul(1.0);
    Tensor part = Ops.split(y, 1, 0).getFirst();
    y.mul_(2);
    assertThatThrownBy(() -> part.sum())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("one of several views");
    assertThat(y.narrow(0, 0, 1).sum().getDouble()).isEqualTo(2);
  }

  @Test
  void oneElementIsWrittenAsAnInPlaceCall() {
    Tensor x = leaf(1, 2);
    Tensor y = x.mul(2.0);
    y.set(3, 0);
    y.sum().backward();
    assertThat(x.grad().toDoubleArray()).containsExactly(0, 2);
  }

  @Test
  void oneElementOfALeafIsGivenAnotherValue() {
    Tensor x = leaf(1, 2);
    Tensor square = x.mul(x).sum();
    x.set(3, 0);
    x.view(2, 1).setLong(4, 1, 0);
    assertThat(x.toDoubleArray()).containsExactly(3, 4);
    assertThat(x.isLeaf()).isTrue();
    assertThatThrownBy(square::backward).hasMessageContaining("modified by an inplace operation");
    x.mul(x).sum().backward();
    assertThat(x.grad().toDoubleArray()).containsExactly(6, 8);
  }

  @Test
  void aKeptGradientIsThatOfTheNewestValue() {
    Tensor x = leaf(1, 2);
    Tensor y = x.mul(2.0).retainGrad();
    y.mul_(3);
    y.sum().backward();
    assertThat(y.grad().toDoubleArray()).containsExactly(1, 1);
    assertThat(x.grad().toDoubleArray()).containsExactly(6, 6);
  }

  @Test
  void aKeptGradientOfABaseFollowsAWriteThroughItsView() {
    Tensor x = leaf(1, 2);
    Tensor base = x.mul(2.0).retainGrad();
    Tensor view = base.narrow(0, 0, 1).retainGrad();
    view.mul_(3);
    base.sum().add(view.sum()).backward();
    assertThat(base.grad().toDoubleArray()).containsExactly(2, 1);
    assertThat(view.grad().toDoubleArray()).containsExactly(1);
    assertThat(x.grad().toDoubleArray()).containsExactly(12, 2);
  }

  @Test
  void whatAnInPlaceCallReadsAndOverwritesIsNotKept() {
    Tensor x = leaf(3, 2);
    Tensor y = x.mul(1.0);
    y.mul_(y);
    assertThatThrownBy(() -> y.sum().backward())
        .hasMessageContaining("aten::mul_.Tensor: one of the variables needed")
        .hasMessageContaining("modified by an inplace operation");
    Tensor z = x.mul(1.0);
    z.mul_(z.view(2)); // the same memory by another name
    assertThatThrownBy(() -> z.sum().backward()).hasMessageContaining("inplace operation");
    Tensor sum = x.mul(1.0);
    sum.add_(sum); // keeps nothing
    sum.sum().backward();
    assertThat(x.grad().toDoubleArray()).containsExactly(2, 2);
    Tensor product = x.mul(1.0);
    product.mul_(Tensor.of(4.0, 5)); // its old value is nobody else's
    x.zeroGrad();
    product.sum().backward();
    assertThat(x.grad().toDoubleArray()).containsExactly(4, 5);
  }

  @Test
  void detachSharesTheCountOfChanges() {
    Tensor x = leaf(1, 2);
    for (var write :
        java.util.List.<java.util.function.Consumer<Tensor>>of(
            t -> t.fill(0.0),
            t -> t.set(5, 0),
            t -> t.copyFrom(Tensor.of(1.0, 1)),
            t -> t.narrow(0, 1, 1).mul_(2))) {
      Tensor y = x.mul(1.0);
      Tensor z = y.mul(y).sum();
      write.accept(y.detach());
      assertThatThrownBy(z::backward).hasMessageContaining("modified by an inplace operation");
    }
  }

  @Test
  void aWriteThroughAViewCanBeDifferentiatedTwice() {
    Tensor x = leaf(1, 2, 3);
    Tensor base = x.mul(1.0);
    base.narrow(0, 0, 2).mul_(x.narrow(0, 1, 2));
    Tensor first =
        Gradients.grad(
                java.util.List.of(base.mul(base).sum()),
                java.util.List.of(x),
                null,
                false,
                true,
                false)
            .getFirst();
    assertThat(first.toDoubleArray()).containsExactly(8, 40, 30);
    assertThat(Gradients.grad(first.sum(), x).toDoubleArray()).containsExactly(16, 52, 34);
  }
}
