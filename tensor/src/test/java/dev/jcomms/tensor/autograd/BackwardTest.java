package dev.jcomms.tensor.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.DispatchKey;
import dev.jcomms.tensor.dispatch.Dispatcher;
import dev.jcomms.tensor.dispatch.Library;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BackwardTest {
  private static Tensor leaf(double... values) {
    return Tensor.of(values).requiresGrad(true);
  }

  @Test
  void gradientsAddUpOverUsesAndPasses() {
    Tensor x = leaf(2, 3);
    x.mul(x).add(x).sum().backward();
    assertThat(x.grad().toDoubleArray()).containsExactly(5, 7);
    Tensor first = x.grad();
    x.mul(10).sum().backward();
    assertThat(x.grad()).isSameAs(first);
    assertThat(first.toDoubleArray()).containsExactly(15, 17);
    assertThat(first.requiresGrad()).isFalse();
  }

  @Test
  void broadcastInputsGetSums() {
    Tensor row = leaf(1, 2, 3);
    Tensor number = leaf(2).view(Shape.scalar()).detach().requiresGrad(true);
    Tensor x = Tensor.ones(DType.F64, Shape.of(4, 3));
    x.mul(row).mul(number).sum().backward();
    assertThat(row.grad().toDoubleArray()).containsExactly(8, 8, 8);
    assertThat(number.grad().shape()).isEqualTo(Shape.scalar());
    assertThat(number.grad().item().toDouble()).isEqualTo(24);
  }

  @Test
  void gradientsOfMixedDtypesHaveTheirLeafsOwn() {
    Tensor x = Tensor.of(1f, 2f).requiresGrad(true);
    Tensor y = leaf(3, 4);
    x.mul(y).sum().backward();
    assertThat(x.grad().dtype()).isEqualTo(DType.F32);
    assertThat(x.grad().toDoubleArray()).containsExactly(3, 4);
    assertThat(y.grad().dtype()).isEqualTo(DType.F64);
  }

  @Test
  void noTwoLeavesShareAGradientsMemory() {
    Tensor a = leaf(1, 2);
    Tensor b = leaf(3, 4);
    a.add(b).backward(Tensor.of(1.0, 1));
    assertThat(a.grad().storage()).isNotSameAs(b.grad().storage());
    a.sum().add(b.sum()).backward();
    assertThat(a.grad().toDoubleArray()).containsExactly(2, 2);
    assertThat(b.grad().toDoubleArray()).containsExactly(2, 2);
    Tensor c = leaf(1, 2, 3);
    c.sum().backward(); // an expanded number becomes a tensor of its own
    assertThat(c.grad().isContiguous()).isTrue();
    c.grad().set(9, 0);
    assertThat(c.grad().toDoubleArray()).containsExactly(9, 1, 1);
  }

  @Test
  void aFreedGraphIsNotGoneThroughAgain() {
    Tensor x = leaf(2, 3);
    Tensor y = x.mul(x).sum();
    Gradients.backward(List.of(y), null, true, false);
    y.backward();
    assertThat(x.grad().toDoubleArray()).containsExactly(8, 12);
    assertThatThrownBy(y::backward)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Trying to backward through the graph a second time")
        .hasMessageContaining("aten::mul.Tensor");
  }

  @Test
  void aGraphThatKeptNothingCanBeGoneThroughAgain() {
    Tensor x = leaf(2, 3);
    Tensor y = x.add(x).sum();
    y.backward();
    y.backward();
    assertThat(x.grad().toDoubleArray()).containsExactly(4, 4);
  }

  @Test
  void whatAFormulaKeptMayNotChange() {
    Tensor x = leaf(2, 3);
    Tensor y = x.exp();
    Tensor z = y.mul(2).sum();
    y.add_(1);
    assertThatThrownBy(z::backward)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("aten::exp: one of the variables needed for gradient computation")
        .hasMessageContaining("[f64 [2]]")
        .hasMessageContaining("is at version 1; expected version 0 instead");
  }

  @Test
  void whatNobodyKeptMayChange() {
    Tensor x = leaf(2, 3);
    Tensor y = x.mul(3);
    Tensor z = y.mul(2).sum();
    y.zero();
    z.backward();
    assertThat(x.grad().toDoubleArray()).containsExactly(6, 6);
  }

  @Test
  void anInPlaceProductKnowsItsOldValue() {
    Tensor x = leaf(2, 3);
    Tensor w = leaf(5, 7);
    Tensor y = x.mul(1);
    y.mul_(w);
    y.sum().backward();
    assertThat(x.grad().toDoubleArray()).containsExactly(5, 7);
    assertThat(w.grad().toDoubleArray()).containsExactly(2, 3);
  }

  @Test
  void outArgumentsAndGradientsDoNotMix() {
    Tensor x = leaf(2, 3);
    Tensor out = Tensor.zeros(DType.F64, Shape.of(2));
    assertThatThrownBy(() -> Dispatcher.call("aten::mul.out", x, x, out))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("functions with out=... arguments don't support automatic");
    try (var _ = GradMode.noGrad()) {
      Dispatcher.call("aten::mul.out", x, x, out);
    }
    assertThat(out.toDoubleArray()).containsExactly(4, 9);
  }

  @Test
  void aGradientCanBeDifferentiated() {
    Tensor x = leaf(2, 3);
    Tensor y = x.pow(3).sum();
    Tensor first = Gradients.grad(List.of(y), List.of(x), null, true, true, false).getFirst();
    assertThat(first.requiresGrad()).isTrue();
    Tensor second =
        Gradients.grad(List.of(first.sum()), List.of(x), null, true, true, false).getFirst();
    assertThat(second.toDoubleArray()).containsExactly(12, 18);
    Tensor third = Gradients.grad(second.sum(), x);
    assertThat(third.toDoubleArray()).containsExactly(6, 6);
    assertThat(x.grad()).isNull();
  }

  @Test
  void indexesOfTheLargestRequireNoGradient() {
    Tensor[] both = Ops.max(leaf(2, 3).view(1, 2), 1, false);
    assertThat(both[0].requiresGrad()).isTrue();
    assertThat(both[1].requiresGrad()).isFalse();
    assertThat(Ops.eq(leaf(1), leaf(1)).requiresGrad()).isFalse();
  }

  @Test
  void leavesAreReadyWhileThePassStillRuns() {
    List<String> seen = new ArrayList<>();
    Tensor w1 = leaf(2);
    Tensor w2 = leaf(3);
    Tensor w3 = leaf(4);
    int i = 1;
    for (Tensor w : List.of(w1, w2, w3)) {
      String name = "w" + i++;
      w.registerPostAccumulateGradHook(_ -> seen.add(name));
    }
    for (int step = 0; step < 2; step++) {
      Tensor h = w1.mul(1);
      h.registerHook(
          _ -> {
            seen.add("h");
            return null;
          });
      h.mul(w2).mul(w3).sum().backward();
    }
    assertThat(seen).containsExactly("w3", "w2", "h", "w1", "w3", "w2", "h", "w1");
  }

  @Test
  void anotherThreadCanGoThroughTheGraph() throws InterruptedException {
    Tensor x = leaf(2, 3);
    Tensor y = x.mul(x).sum();
    Thread other = new Thread(y::backward);
    other.start();
    other.join();
    assertThat(x.grad().toDoubleArray()).containsExactly(4, 6);
  }

  @Test
  void aPassFreesWhatTheGraphHadKept() throws InterruptedException {
    Tensor x = leaf(2, 3);
    Tensor[] middle = {x.exp()};
    Tensor y = middle[0].mul(middle[0]).sum();
    WeakReference<Tensor> kept = new WeakReference<>(middle[0]);
    middle[0] = null;
    y.backward();
    long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (kept.get() != null && System.nanoTime() < deadline) {
      System.gc();
      Thread.onSpinWait();
    }
    assertThat(kept.get()).isNull();
    assertThat(y.requiresGrad()).isTrue(); // still here, and so is its graph
  }

  @Test
  void anAutogradKernelTakesOverAltogether() {
    Tensor x = leaf(2, 3);
    DifferentiableFunction half =
        new DifferentiableFunction() {
          @Override
          protected Tensor[] forward(Context c, Tensor... inputs) {
            try (var _ = Dispatcher.belowAutograd()) {
              return new Tensor[] {Ops.square(inputs[0])};
            }
          }

          @Override
          protected Tensor[] backward(Context c, Tensor... gradients) {
            return new Tensor[] {gradients[0].mul(100)};
          }
        };
    try (var _ =
        Library.impl(
            "aten",
            DispatchKey.AUTOGRAD_CPU,
            m -> m.impl("square", (Tensor self) -> DifferentiableFunction.apply(half, self)))) {
      Ops.square(x).sum().backward();
    }
    assertThat(x.grad().toDoubleArray()).containsExactly(100, 100);
    x.zeroGrad();
    Ops.square(x).sum().backward();
    assertThat(x.grad().toDoubleArray()).containsExactly(4, 6);
  }

  @Test
  void aStepOfDescentNeedsNoGraph() {
    Tensor w = leaf(4);
    for (int step = 0; step < 50; step++) {
      w.zeroGrad();
      w.sub(1).pow(2).sum().backward();
      try (var _ = GradMode.noGrad()) {
        Ops.add_(w, w.grad(), Scalar.of(-0.2));
      }
    }
    assertThat(w.isLeaf()).isTrue();
    assertThat(w.getDouble(0)).isCloseTo(1, org.assertj.core.data.Offset.offset(1e-6));
  }

  @Test
  void tensorsSayThatTheyRequireAGradient() {
    Tensor x = Tensor.of(1f, 2f).requiresGrad(true);
    assertThat(x.toString()).isEqualTo("tensor([1., 2.], requires_grad=True)");
    assertThat(x.mul(2).toString()).isEqualTo("tensor([2., 4.], grad_fn=<MulBackward0>)");
    assertThat(Ops.logSoftmax(x, 0, null).toString()).contains("grad_fn=<LogSoftmaxBackward0>");
    assertThat(x.detach().toString()).isEqualTo("tensor([1., 2.])");
  }

  @Test
  void anErrorInAFormulaNamesItsOperator() {
    Tensor x = leaf(1, 2);
    Tensor y = x.view(2, 1);
    y.registerHook(
        _ -> {
          throw new ArithmeticException("mine");
        });
    assertThatThrownBy(() -> y.sum().backward())
        .isInstanceOf(ArithmeticException.class)
        .hasMessage("mine")
        .satisfies(
            e -> assertThat(e.getSuppressed()[0]).hasMessageContaining("backward of aten::view"));
  }

  @Test
  void theAngleOfTheOriginHasNoSlope() {
    Tensor y = Tensor.of(0.0, 1).requiresGrad(true);
    Tensor x = Tensor.of(0.0, 2).requiresGrad(true);
    Ops.atan2(y, x).backward(Tensor.of(1.0, 1));
    assertThat(y.grad().equal(Tensor.of(0, 0.4))).isTrue();
    assertThat(x.grad().equal(Tensor.of(0, -0.2))).isTrue();
  }
}
