package dev.jcomms.tensor.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who waits for the end of a backward pass is told on time, once, and how it went. */
final class PassEndTest {
  private final Tensor a = Tensor.ones(Shape.of(2)).requiresGrad(true);
  private final Tensor b = Tensor.ones(Shape.of(2)).requiresGrad(true);
  private final List<String> told = new ArrayList<>();

  @Test
  void theEndComesAfterAllGradientsAndBeforeTheReturn() {
    a.registerPostAccumulateGradHook(_ -> Gradients.whenPassEnds(this::tell));
    b.registerPostAccumulateGradHook(_ -> told.add("b"));
    loss().backward();
    assertThat(told).containsExactly("b", "well");
    assertThat(a.grad()).isNotNull();
    loss().backward();
    assertThat(told).containsExactly("b", "well", "b", "well");
  }

  @Test
  void aPassThatFailsSaysHow() {
    a.registerPostAccumulateGradHook(_ -> Gradients.whenPassEnds(this::tell));
    b.registerPostAccumulateGradHook(
        _ -> {
          throw new IllegalStateException("stop");
        });
    assertThatThrownBy(() -> loss().backward()).hasMessage("stop");
    assertThat(told).isSubsetOf("stop");
  }

  @Test
  void whatTheEndThrowsThePassThrows() {
    a.registerPostAccumulateGradHook(
        _ ->
            Gradients.whenPassEnds(
                _ -> {
                  throw new IllegalStateException("refused");
                }));
    assertThatThrownBy(() -> loss().backward()).hasMessage("refused");
    assertThat(b.grad()).isNotNull();
  }

  @Test
  void anInnerPassEndsByItself() {
    a.registerPostAccumulateGradHook(
        _ -> {
          Gradients.whenPassEnds(failure -> told.add("outer"));
          Tensor c = Tensor.ones(Shape.of(2)).requiresGrad(true);
          c.registerPostAccumulateGradHook(
              _ -> Gradients.whenPassEnds(failure -> told.add("inner")));
          try (var _ = GradMode.enableGrad()) {
            Ops.sum(Ops.mul(c, c)).backward();
          }
          told.add("hook");
        });
    loss().backward();
    assertThat(told).containsExactly("inner", "hook", "outer");
  }

  @Test
  void outsideOfAPassThereIsNoEnd() {
    assertThatThrownBy(() -> Gradients.whenPassEnds(this::tell))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no backward pass runs on this thread");
  }

  private Tensor loss() {
    return Ops.sum(Ops.mul(a, b));
  }

  private void tell(Throwable failure) {
    told.add(failure == null ? "well" : failure.getMessage());
  }
}
