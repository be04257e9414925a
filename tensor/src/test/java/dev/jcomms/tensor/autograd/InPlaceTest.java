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

final class InPlaceTest {
  private static Tensor leaf(long... sizes) {
    return Tensor.randn(DType.F64, Shape.of(sizes), 5).requiresGrad(true);
  }

  private static Tensor zeros(long... sizes) {
    return Tensor.zeros(DType.F64, Shape.of(sizes));
  }

  @Test
  void aLeafThatRequiresAGradientIsNotWritten() {
    Tensor x = leaf(2, 2);
    double[] before = x.toDoubleArray();
    assertThatThrownBy(() -> x.fill(0.0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a leaf that requires grad is being used in an in-place operation");
    assertThatThrownBy(() -> x.select(0, 1).fill(0.0))
        .hasMessageContaining("a view of a leaf that requires grad");
    assertThatThrownBy(() -> x.copyFrom(zeros(2, 2))).hasMessageContaining("in-place");
    assertThat(x.toDoubleArray()).isEqualTo(before);
  }

  @Test
  void writingAViewGivesItsBaseAHistory() {
    Tensor x = leaf(3);
    Tensor base = zeros(2, 3);
    Tensor sibling = base.t();
    base.select(0, 1).copyFrom(x);
    assertThat(base.requiresGrad()).isTrue();
    assertThat(sibling.requiresGrad()).isTrue();
    assertThat(sibling.isLeaf()).isFalse();
    sibling.backward(Tensor.of(1.0, 2, 3, 4, 5, 6).view(3, 2));
    assertThat(x.grad().toDoubleArray()).containsExactly(2, 4, 6);
  }

  @Test
  void whatAViewOverwritesGetsNoGradient() {
    Tensor x = leaf(2, 2);
    Tensor row = leaf(2);
    Tensor y = x.copy();
    y.select(0, 0).copyFrom(row);
    y.backward(Tensor.of(1.0, 2, 3, 4).view(2, 2));
    assertThat(x.grad().toDoubleArray()).containsExactly(0, 0, 3, 4);
    assertThat(row.grad().toDoubleArray()).containsExactly(1, 2);
  }

  @Test
  void severalWritesFollowOneAnother() {
    Tensor a = leaf(2);
    Tensor b = leaf(2);
    Tensor y = zeros(2, 2);
    y.select(0, 0).copyFrom(a);
    y.select(0, 1).copyFrom(b);
    y.select(1, 1).fill(0.0);
    y.backward(Tensor.of(1.0, 2, 3, 4).view(2, 2));
    assertThat(a.grad().toDoubleArray()).containsExactly(1, 0);
    assertThat(b.grad().toDoubleArray()).containsExactly(3, 0);
  }

  @Test
  void oneOfSeveralViewsIsNotWritten() {
    Tensor x = leaf(4).copy();
    List<?> parts = (List<?>) Dispatcher.call("aten::split.Tensor", x, 2, 0);
    Tensor part = (Tensor) parts.getFirst();
    assertThatThrownBy(() -> part.fill(0.0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("one of several views");
  }

  @Test
  void aDetachedViewWritesNoHistory() {
    Tensor x = leaf(2);
    Tensor base = zeros(2, 2);
    base.select(0, 0).detach().copyFrom(x);
    assertThat(base.requiresGrad()).isFalse();
    assertThat(base.getDouble(0, 1)).isEqualTo(x.getDouble(1));
  }

  @Test
  void fillingCutsTheHistory() {
    Tensor x = leaf(2);
    Tensor y = x.copy();
    y.fill(1.0);
    assertThat(y.requiresGrad()).isTrue();
    y.backward(Tensor.of(1.0, 1));
    assertThat(x.grad().toDoubleArray()).containsExactly(0, 0);
  }

  @Test
  void whatIsCopiedInGetsAHistory() {
    Tensor x = leaf(3);
    Tensor y = zeros(2, 3);
    y.copyFrom(x);
    assertThat(y.requiresGrad()).isTrue();
    assertThat(y.isLeaf()).isFalse();
    y.backward(Tensor.of(1.0, 2, 3, 10, 20, 30).view(2, 3));
    assertThat(x.grad().toDoubleArray()).containsExactly(11, 22, 33);
  }

  @Test
  void aBaseThatBeginsInTheMiddleOfItsMemoryIsWrittenThere() {
    Tensor x = leaf(2);
    Tensor memory = zeros(4, 3);
    Tensor base = memory.narrow(0, 1, 3).detach().t(); // strided, with an offset
    base.select(1, 2).copyFrom(x.expand(1, 2).narrow(1, 0, 1).expand(1, 3).view(3));
    base.backward(Tensor.arange(9).to(DType.F64).view(3, 3));
    assertThat(x.grad().toDoubleArray()).containsExactly(2 + 5 + 8, 0);
  }

  @Test
  void aViewOfAViewWritesTheSameBase() {
    Tensor x = leaf(1);
    Tensor base = zeros(2, 3, 2);
    base.select(0, 1).t().narrow(1, 1, 1).copyFrom(x);
    base.backward(Tensor.arange(12).to(DType.F64).view(2, 3, 2));
    assertThat(x.grad().toDoubleArray()).containsExactly(8 + 9);
  }

  @Test
  void aResultThatItsKernelMadeAsAViewIsWrittenLikeAnyOther() {
    Tensor x = leaf(2);
    Tensor y = Ops.repeat(x, new long[] {2, 2}); // a view of what the kernel has copied
    Ops.mul_(y, Scalar.of(3));
    y.select(1, 0).fill(0.0);
    y.backward(Tensor.of(1.0, 2, 10, 20, 100, 200, 1000, 2000).view(2, 4));
    assertThat(x.grad().toDoubleArray()).containsExactly(3 * 1010, 3 * 2222);
  }
}
