package dev.jcomms.tensor.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.Dispatcher;
import dev.jcomms.tensor.dispatch.RegistrationHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class GraphTest {
  private static Tensor leaf(long... sizes) {
    return Tensor.randn(DType.F64, Shape.of(sizes), 5).requiresGrad(true);
  }

  private static Tensor ones(Tensor like) {
    return Tensor.ones(like.dtype(), like.shape());
  }

  @Test
  void aLeafRequiresAGradientOnlyWhenAsked() {
    Tensor x = Tensor.zeros(Shape.of(2));
    assertThat(x.requiresGrad()).isFalse();
    assertThat(x.isLeaf()).isTrue();
    assertThat(x.requiresGrad(true)).isSameAs(x);
    assertThat(x.requiresGrad()).isTrue();
    assertThat(x.isLeaf()).isTrue();
    assertThat(x.requiresGrad(false).requiresGrad()).isFalse();
  }

  @Test
  void onlyFloatingTensorsCanRequireAGradient() {
    assertThatThrownBy(() -> Tensor.arange(3).requiresGrad(true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("only tensors of floating point dtype")
        .hasMessageContaining("i64");
  }

  @Test
  void everyViewAndCopyPassesItsGradientOn() {
    Tensor x = leaf(3, 4);
    List<Tensor> results =
        List.of(
            x.transpose(0, 1),
            x.t(),
            x.permute(1, 0),
            x.view(4, 3),
            x.reshape(2, 6),
            x.t().reshape(12),
            x.flatten(),
            x.unsqueeze(1),
            x.unsqueeze(0).squeeze(),
            x.unsqueeze(0).squeeze(0),
            x.narrow(1, 1, 3),
            x.slice(0, 0, 3, 2),
            x.select(1, -1),
            x.expand(2, 3, 4),
            x.t().contiguous(),
            x.copy(),
            x.to(DType.F32));
    for (Tensor y : results) {
      assertThat(y.requiresGrad()).isTrue();
      assertThat(y.isLeaf()).isFalse();
    }
    x.narrow(1, 1, 3).backward(Tensor.full(DType.F64, Shape.of(3, 3), 2));
    assertThat(x.grad().toDoubleArray()).containsExactly(0, 2, 2, 2, 0, 2, 2, 2, 0, 2, 2, 2);
  }

  @Test
  void aGradientHasTheDtypeOfItsLeaf() {
    Tensor x = leaf(3);
    x.to(DType.F32).backward(Tensor.of(1f, 2f, 3f));
    assertThat(x.grad().dtype()).isEqualTo(DType.F64);
    assertThat(x.grad().toDoubleArray()).containsExactly(1, 2, 3);
  }

  @Test
  void resultsOfIntegersStayOut() {
    Tensor x = leaf(3);
    Tensor whole = x.to(DType.I64);
    assertThat(whole.requiresGrad()).isFalse();
    assertThat(whole.isLeaf()).isTrue();
  }

  @Test
  void aGradientSharesNoMemoryWithWhatCameIn() {
    Tensor x = leaf(4);
    Tensor given = Tensor.of(1.0, 2, 3, 4);
    x.view(2, 2).view(4).backward(given);
    given.fill(9.0);
    assertThat(x.grad().toDoubleArray()).containsExactly(1, 2, 3, 4);
  }

  @Test
  void nothingIsRecordedInNoGradMode() {
    Tensor x = leaf(4);
    assertThat(GradMode.isEnabled()).isTrue();
    try (var _ = GradMode.noGrad()) {
      assertThat(GradMode.isEnabled()).isFalse();
      assertThat(x.view(2, 2).requiresGrad()).isFalse();
      try (var _ = GradMode.enableGrad()) {
        assertThat(x.view(2, 2).requiresGrad()).isTrue();
      }
      assertThat(x.copy().requiresGrad()).isFalse();
      x.fill(1.0);
      x.view(2, 2).select(0, 0).fill(2.0);
    }
    assertThat(GradMode.isEnabled()).isTrue();
    assertThat(x.toDoubleArray()).containsExactly(2, 2, 1, 1);
    assertThat(x.isLeaf()).isTrue();
  }

  @Test
  void noGradIsOfOneThread() throws InterruptedException {
    boolean[] seen = new boolean[1];
    try (var _ = GradMode.noGrad()) {
      Thread other = new Thread(() -> seen[0] = GradMode.isEnabled());
      other.start();
      other.join();
    }
    assertThat(seen[0]).isTrue();
  }

  @Test
  void detachSharesMemoryAndNoHistory() {
    Tensor x = leaf(3);
    Tensor y = x.view(3).detach();
    assertThat(y.requiresGrad()).isFalse();
    assertThat(y.storage()).isSameAs(x.storage());
    Tensor z = y.requiresGrad(true).view(1, 3);
    z.backward(ones(z));
    assertThat(x.grad()).isNull();
    assertThat(y.grad()).isNotNull();
  }

  @Test
  void onlyLeavesCanStopRequiringAGradient() {
    Tensor y = leaf(3).view(1, 3);
    assertThat(y.requiresGrad(true)).isSameAs(y);
    assertThatThrownBy(() -> y.requiresGrad(false))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("aten::view")
        .hasMessageContaining("detach()");
  }

  @Test
  void backwardNeedsAnOutputThatRequiresAGradient() {
    Tensor x = Tensor.zeros(Shape.of(1));
    assertThatThrownBy(x::backward)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("element 0 of the outputs does not require grad");
  }

  @Test
  void onlyANumberHasAGradientOfOne() {
    Tensor y = leaf(3).view(1, 3);
    assertThatThrownBy(y::backward)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("grad can be implicitly created only for scalar outputs")
        .hasMessageContaining("[1, 3]");
    Tensor x = leaf(1);
    x.view(1, 1).backward();
    assertThat(x.grad().toDoubleArray()).containsExactly(1);
  }

  @Test
  void aGradientMustFitItsOutput() {
    Tensor y = leaf(3).view(1, 3);
    assertThatThrownBy(() -> y.backward(Tensor.zeros(DType.F64, Shape.of(3))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("gradient 0 has shape [3]; its output has [1, 3]");
    assertThatThrownBy(
            () -> Gradients.backward(List.of(y), List.of(ones(y), ones(y)), false, false))
        .hasMessageContaining("2 gradients given for 1 outputs");
    assertThatThrownBy(() -> Gradients.backward(List.of(), null, false, false))
        .hasMessageContaining("no outputs");
  }

  @Test
  void gradLeavesTheLeavesAlone() {
    Tensor x = leaf(4);
    Tensor middle = x.view(2, 2);
    Tensor y = middle.t();
    List<Tensor> found =
        Gradients.grad(
            List.of(y),
            List.of(x, middle, x),
            List.of(Tensor.of(1.0, 2, 3, 4).view(2, 2)),
            false,
            false,
            false);
    assertThat(found.get(0).toDoubleArray()).containsExactly(1, 3, 2, 4);
    assertThat(found.get(1).shape()).isEqualTo(Shape.of(2, 2));
    assertThat(found.get(2).toDoubleArray()).containsExactly(1, 3, 2, 4);
    assertThat(x.grad()).isNull();
  }

  @Test
  void anUnusedInputIsAnErrorUnlessAllowed() {
    Tensor x = leaf(1);
    Tensor other = leaf(1);
    Tensor y = x.view(1, 1);
    assertThatThrownBy(
            () -> Gradients.grad(List.of(y), List.of(x, other), null, true, false, false))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no output depends on input 1")
        .hasMessageContaining("allowUnused=true");
    List<Tensor> found = Gradients.grad(List.of(y), List.of(x, other), null, true, false, true);
    assertThat(found.get(0)).isNotNull();
    assertThat(found.get(1)).isNull();
    assertThatThrownBy(() -> Gradients.grad(y, Tensor.zeros(Shape.of(1))))
        .hasMessageContaining("input 0 does not require grad");
  }

  @Test
  void anOutputCanBeItsOwnInput() {
    Tensor x = leaf(1);
    assertThat(Gradients.grad(x, x).toDoubleArray()).containsExactly(1);
    x.backward();
    assertThat(x.grad().toDoubleArray()).containsExactly(1);
  }

  @Test
  void hooksSeeGradientsInOrderAndMayChangeThem() {
    Tensor x = leaf(2);
    Tensor y = x.view(1, 2);
    List<String> seen = new ArrayList<>();
    x.registerHook(
        g -> {
          seen.add("leaf " + Arrays.toString(g.toDoubleArray()));
          return null;
        });
    RegistrationHandle closed =
        y.registerHook(
            g -> {
              throw new AssertionError("closed");
            });
    y.registerHook(
        g -> {
          seen.add("result " + Arrays.toString(g.toDoubleArray()));
          return Tensor.full(DType.F64, Shape.of(1, 2), 7);
        });
    y.registerHook(
        g -> {
          seen.add("again " + Arrays.toString(g.toDoubleArray()));
          return g;
        });
    closed.close();
    y.backward(ones(y));
    assertThat(seen).containsExactly("result [1.0, 1.0]", "again [7.0, 7.0]", "leaf [7.0, 7.0]");
    assertThat(x.grad().toDoubleArray()).containsExactly(7, 7);
  }

  @Test
  void aHookMustReturnAGradientThatFits() {
    Tensor x = leaf(2);
    x.registerHook(_ -> Tensor.zeros(DType.F64, Shape.of(3)));
    assertThatThrownBy(() -> x.view(1, 2).backward(Tensor.zeros(DType.F64, Shape.of(1, 2))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a hook on")
        .hasMessageContaining("[3]");
    assertThatThrownBy(() -> Tensor.zeros(Shape.of(1)).registerHook(g -> g))
        .hasMessageContaining("does not require grad");
  }

  @Test
  void aHookAfterAccumulationSeesTheNewGradient() {
    Tensor x = leaf(2);
    List<Thread> threads = new ArrayList<>();
    List<Double> first = new ArrayList<>();
    RegistrationHandle hook =
        x.registerPostAccumulateGradHook(
            leaf -> {
              assertThat(leaf).isSameAs(x);
              threads.add(Thread.currentThread());
              first.add(leaf.grad().getDouble(0));
            });
    x.view(1, 2).backward(Tensor.full(DType.F64, Shape.of(1, 2), 3));
    hook.close();
    x.zeroGrad();
    x.view(1, 2).backward(Tensor.full(DType.F64, Shape.of(1, 2), 4));
    assertThat(threads).containsExactly(Thread.currentThread());
    assertThat(first).containsExactly(3.0);
    assertThatThrownBy(() -> x.view(1, 2).registerPostAccumulateGradHook(_ -> {}))
        .hasMessageContaining("only leaves accumulate");
  }

  @Test
  void aResultKeepsItsGradientOnRequest() {
    Tensor x = leaf(2);
    Tensor y = x.view(1, 2).retainGrad();
    Tensor z = y.view(2, 1);
    z.backward(ones(z));
    assertThat(y.grad().shape()).isEqualTo(Shape.of(1, 2));
    assertThat(z.grad()).isNull();
  }

  @Test
  void setGradTakesOnlyWhatFits() {
    Tensor x = leaf(2);
    Tensor g = Tensor.of(1.0, 2);
    assertThat(x.setGrad(g).grad()).isSameAs(g);
    x.zeroGrad();
    assertThat(x.grad()).isNull();
    assertThatThrownBy(() -> x.setGrad(Tensor.of(1.0))).hasMessageContaining("does not fit");
    assertThatThrownBy(() -> x.setGrad(Tensor.of(1f, 2f))).hasMessageContaining("does not fit");
    assertThatThrownBy(() -> x.setGrad(x)).hasMessageContaining("its own gradient");
  }

  @Test
  void aGraphOfManyCallsNeedsNoStack() {
    Tensor x = leaf(2, 3);
    Tensor y = x;
    for (int i = 0; i < 100_000; i++) {
      y = y.t();
    }
    y.backward(ones(y));
    assertThat(x.grad().toDoubleArray()).containsOnly(1);
  }

  @Test
  void aPassCanRunInsideAPass() {
    Tensor x = leaf(2);
    Tensor inner = leaf(3);
    x.registerHook(
        g -> {
          try (var _ = GradMode.enableGrad()) { // off in hooks, unless a graph is made
            inner.view(1, 3).backward(Tensor.ones(DType.F64, Shape.of(1, 3)));
          }
          return g;
        });
    x.view(1, 2).backward(Tensor.ones(DType.F64, Shape.of(1, 2)));
    assertThat(x.grad()).isNotNull();
    assertThat(inner.grad()).isNotNull();
  }

  @Test
  void theGradientsOfPartsCanComeFromSomeOfThem() {
    Tensor x = leaf(5);
    List<?> parts = (List<?>) Dispatcher.call("aten::split.Tensor", x, 2, 0);
    assertThat(parts).hasSize(3);
    ((Tensor) parts.get(2)).backward(Tensor.of(4.0));
    assertThat(x.grad().toDoubleArray()).containsExactly(0, 0, 0, 0, 4);
  }
}
