package dev.jcomms.tensor.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.RegistrationHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Hooks and functions as PyTorch runs them. */
final class HookRulesTest {
  private static Tensor leaf(double... values) {
    return Tensor.of(values).requiresGrad(true);
  }

  @Test
  void aHookMayChangeNeitherShapeNorDtype() {
    for (Tensor other : List.of(Tensor.of(1.0), Tensor.zeros(Shape.of(3, 2)), Tensor.of(1f, 1f))) {
      Tensor x = leaf(1, 2);
      x.registerHook(_ -> other);
      assertThatThrownBy(() -> x.mul(2.0).sum().backward())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("a hook on")
          .hasMessageContaining("it was f64, shape [2], on cpu");
      assertThat(x.grad()).isNull();
    }
  }

  @Test
  void aHookMayRemoveItself() {
    Tensor x = leaf(1);
    int[] calls = {0};
    RegistrationHandle[] hook = new RegistrationHandle[1];
    hook[0] =
        x.registerHook(
            g -> {
              calls[0]++;
              hook[0].close();
              return g.mul(10);
            });
    x.mul(2.0).sum().backward();
    x.mul(2.0).sum().backward();
    assertThat(calls[0]).isEqualTo(1);
    assertThat(x.grad().toDoubleArray()).containsExactly(22);
  }

  @Test
  void theSameHookTwiceIsTwoAndEachIsRemovedByItself() {
    Tensor x = leaf(1);
    List<String> order = new ArrayList<>();
    UnaryOperator<Tensor> twice =
        g -> {
          order.add("twice");
          return null;
        };
    x.registerHook(twice);
    x.registerHook(
        g -> {
          order.add("once");
          return null;
        });
    RegistrationHandle last = x.registerHook(twice);
    last.close();
    x.mul(2.0).sum().backward();
    assertThat(order).containsExactly("twice", "once");
  }

  @Test
  void gradSeesWhatTheHooksOfALeafGive() {
    Tensor x = leaf(1, 2);
    x.registerHook(g -> g.mul(10));
    assertThat(Gradients.grad(x.mul(2.0).sum(), x).toDoubleArray()).containsExactly(20, 20);
    assertThat(x.grad()).isNull();
  }

  @Test
  void aHookAfterAccumulationMayTakeTheGradientAway() {
    Tensor x = leaf(1);
    x.registerPostAccumulateGradHook(leaf -> leaf.setGrad(null));
    x.mul(2.0).sum().backward();
    assertThat(x.grad()).isNull();
  }

  @Test
  void theGradientOfAnOutputMayBeOfAnyDtype() {
    Tensor x = Tensor.of(1f, 2).requiresGrad(true);
    x.mul(1.0).backward(Tensor.of(3L, 4));
    x.mul(1.0).backward(Tensor.of(1.0, 1));
    assertThat(x.grad().dtype()).isEqualTo(x.dtype());
    assertThat(x.grad().toDoubleArray()).containsExactly(4, 5);
  }

  @Test
  void aLeafThatNoLongerRequiresAGradientGetsNone() {
    Tensor x = leaf(2);
    Tensor y = x.mul(3.0).sum();
    x.requiresGrad(false);
    y.backward();
    assertThat(x.grad()).isNull();
  }

  @Test
  void aGradientThatIsThereIsAddedToInPlace() {
    Tensor x = leaf(2);
    Tensor given = Tensor.of(10.0);
    x.setGrad(given);
    x.mul(3.0).sum().backward();
    assertThat(x.grad()).isSameAs(given);
    assertThat(given.toDoubleArray()).containsExactly(13);
  }

  // ---- functions

  /** Twice its input; the gradient is what {@code back} makes of it. */
  private static Tensor twice(UnaryOperator<Tensor> back, Tensor x) {
    return DifferentiableFunction.apply(
        new DifferentiableFunction() {
          @Override
          protected Tensor[] forward(Context c, Tensor... inputs) {
            return new Tensor[] {inputs[0].mul(2.0)};
          }

          @Override
          protected Tensor[] backward(Context c, Tensor... gradients) {
            return new Tensor[] {back.apply(gradients[0])};
          }
        },
        x);
  }

  @Test
  void aFunctionBehindOneThatGivesNothingGetsZeros() {
    Tensor x = leaf(1, 2);
    List<Tensor> came = new ArrayList<>();
    Tensor y =
        twice(
            g -> {
              came.add(g);
              return g;
            },
            x);
    twice(_ -> null, y).sum().backward();
    assertThat(came).hasSize(1);
    assertThat(came.getFirst().toDoubleArray()).containsExactly(0, 0);
    assertThat(x.grad().toDoubleArray()).containsExactly(0, 0);
  }

  @Test
  void anOperatorBehindAFunctionThatGivesNothingGivesNothing() {
    Tensor x = leaf(1, 2);
    twice(_ -> null, x.mul(3.0)).sum().backward();
    assertThat(x.grad()).isNull();
  }

  @Test
  void aFunctionWithoutANameIsStillNamedInErrors() {
    assertThatThrownBy(() -> twice(_ -> Tensor.zeros(Shape.of(7)), leaf(1, 2)).sum().backward())
        .hasMessageContaining("HookRulesTest$1 gave a gradient of shape [7] where [2] is wanted");
  }

  @Test
  void aDirtyInputMustBeAmongTheResults() {
    DifferentiableFunction forgets =
        new DifferentiableFunction() {
          @Override
          protected Tensor[] forward(Context c, Tensor... inputs) {
            c.markDirty(inputs[0]);
            return new Tensor[] {inputs[0].mul(2.0)};
          }

          @Override
          protected Tensor[] backward(Context c, Tensor... gradients) {
            return gradients;
          }
        };
    assertThatThrownBy(() -> DifferentiableFunction.apply(forgets, leaf(1).mul(1.0)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("marked as dirty")
        .hasMessageContaining("not returned");
  }

  // ---- threads

  @Test
  void threadsThatShareAFreshParameterShareItsGradient() throws InterruptedException {
    int threads = 8;
    for (int round = 0; round < 200; round++) {
      Tensor x = leaf(1);
      CountDownLatch go = new CountDownLatch(1);
      List<Thread> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        all.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      try {
                        go.await();
                      } catch (InterruptedException e) {
                        return;
                      }
                      x.mul(2.0).sum().backward();
                    }));
      }
      go.countDown();
      for (Thread thread : all) {
        thread.join(10_000);
      }
      assertThat(x.grad().getDouble(0)).isEqualTo(2.0 * threads);
    }
  }
}
