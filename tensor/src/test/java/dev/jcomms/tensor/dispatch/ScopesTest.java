package dev.jcomms.tensor.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.GradMode;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a thread adds to its calls and takes from them. */
final class ScopesTest {
  @AfterEach
  void nothingIsLeftBehind() {
    assertThat(GradMode.isEnabled()).isTrue();
    assertThat(Keys.local().innermost).isNull();
  }

  @Test
  void anExceptionInsideAScopeBringsBackWhatWasThere() {
    assertThatThrownBy(
            () -> {
              try (var _ = GradMode.noGrad();
                  var _ = Dispatcher.exclude(DispatchKeySet.of(DispatchKey.CPU))) {
                throw new IllegalArgumentException("from inside");
              }
            })
        .hasMessage("from inside");
    assertThat(Keys.local().exclude).isZero();
    assertThat(Keys.local().include).isZero();
  }

  @Test
  void gradientsCanBeTurnedOnInsideOff() {
    try (var _ = GradMode.noGrad()) {
      try (var _ = GradMode.enableGrad()) {
        assertThat(GradMode.isEnabled()).isTrue();
      }
      assertThat(GradMode.isEnabled()).isFalse();
    }
  }

  @Test
  void closingTwiceDoesNothingMore() {
    Dispatcher.Scope outer = GradMode.noGrad();
    Dispatcher.Scope inner = GradMode.enableGrad();
    inner.close();
    inner.close();
    assertThat(GradMode.isEnabled()).isFalse();
    outer.close();
    outer.close();
  }

  @Test
  void theOuterScopeWaitsForTheInnerOne() {
    Dispatcher.Scope outer = GradMode.noGrad();
    Dispatcher.Scope inner = GradMode.enableGrad();
    assertThatThrownBy(outer::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("still open");
    assertThat(GradMode.isEnabled()).isTrue();
    inner.close();
    outer.close();
  }

  @Test
  void anotherThreadCannotCloseAScope() throws InterruptedException {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Dispatcher.Scope mine = GradMode.noGrad();
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    mine.close();
                  } catch (IllegalStateException e) {
                    thrown.set(e);
                  }
                });
    other.join(10_000);
    assertThat(GradMode.isEnabled()).isFalse();
    mine.close();
    assertThat(thrown.get()).hasMessageContaining("another thread");
  }

  @Test
  void aKeyThatIsIncludedIsServedFirst() {
    try (var _ = Library.define("scopes", m -> m.def("who(Tensor self) -> str"));
        var _ = Library.impl("scopes", DispatchKey.CPU, m -> m.boxed("who", (_, _, _) -> "cpu"));
        var _ =
            Library.impl(
                "scopes", DispatchKey.PRIVATE_USE_3, m -> m.boxed("who", (_, _, _) -> "third"))) {
      Tensor x = Tensor.zeros(Shape.of(1));
      assertThat(Dispatcher.call("scopes::who", x)).isEqualTo("cpu");
      try (var _ = Dispatcher.include(DispatchKeySet.of(DispatchKey.PRIVATE_USE_3))) {
        try (var _ =
            Dispatcher.exclude(
                DispatchKeySet.of(DispatchKey.AUTOGRAD_CPU, DispatchKey.AUTOGRAD_PRIVATE_USE_3))) {
          assertThat(Dispatcher.call("scopes::who", x)).isEqualTo("third");
        }
      }
      assertThat(Dispatcher.call("scopes::who", x)).isEqualTo("cpu");
    }
  }
}
