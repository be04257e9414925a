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
import java.util.List;
import org.junit.jupiter.api.Test;

final class DifferentiableFunctionTest {
  /** Elementwise by a factor, done by hand. */
  private static Tensor scaled(Tensor t, Tensor by) {
    Tensor out = Tensor.zeros(t.dtype(), t.shape());
    for (int i = 0; i < t.elements(); i++) {
      out.set(t.getDouble(i) * by.getDouble(i), i);
    }
    return out;
  }

  private static class Product extends DifferentiableFunction {
    boolean[] needed;

    @Override
    protected Tensor[] forward(Context c, Tensor... inputs) {
      assertThat(GradMode.isEnabled()).isFalse();
      c.saveForBackward(inputs);
      return new Tensor[] {scaled(inputs[0], inputs[1])};
    }

    @Override
    protected Tensor[] backward(Context c, Tensor... gradients) {
      Tensor[] saved = c.saved();
      needed = new boolean[] {c.needsInputGrad(0), c.needsInputGrad(1)};
      return new Tensor[] {scaled(gradients[0], saved[1]), scaled(gradients[0], saved[0])};
    }
  }

  private static Tensor leaf(double... values) {
    return Tensor.of(values).requiresGrad(true);
  }

  @Test
  void aFunctionGivesItsOwnGradient() {
    Tensor x = leaf(2, 3);
    Tensor y = Tensor.of(5.0, 7);
    Product product = new Product();
    Tensor z = DifferentiableFunction.apply(product, x, y);
    assertThat(z.requiresGrad()).isTrue();
    z.backward(Tensor.of(1.0, 10));
    assertThat(x.grad().toDoubleArray()).containsExactly(5, 70);
    assertThat(y.grad()).isNull();
    assertThat(product.needed).containsExactly(true, false);
  }

  @Test
  void aResultThatForwardMadeAsAViewIsWrittenLikeAnyOther() {
    Tensor x = leaf(2, 3);
    Product product =
        new Product() {
          @Override
          protected Tensor[] forward(Context c, Tensor... inputs) {
            return new Tensor[] {super.forward(c, inputs)[0].view(2)};
          }
        };
    Tensor z = DifferentiableFunction.apply(product, x, Tensor.of(5.0, 7));
    Ops.mul_(z, Scalar.of(2));
    z.backward(Tensor.of(1.0, 10));
    assertThat(x.grad().toDoubleArray()).containsExactly(10, 140);
  }

  @Test
  void withoutAGradientNothingIsRecorded() {
    assertThat(
            DifferentiableFunction.apply(new Product(), Tensor.of(1.0), Tensor.of(2.0))
                .requiresGrad())
        .isFalse();
    try (var _ = GradMode.noGrad()) {
      assertThat(DifferentiableFunction.apply(new Product(), leaf(1), leaf(2)).requiresGrad())
          .isFalse();
    }
  }

  @Test
  void whatWasKeptMayNotChange() {
    Tensor x = leaf(2, 3);
    Tensor y = Tensor.of(5.0, 7);
    Tensor z = DifferentiableFunction.apply(new Product(), x, y);
    y.set(1, 0);
    assertThatThrownBy(() -> z.backward(Tensor.of(1.0, 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has been modified by an inplace operation")
        .hasMessageContaining("is at version 1; expected version 0 instead");
  }

  @Test
  void aFreedGraphIsNotGoneThroughAgain() {
    Tensor x = leaf(2, 3);
    Tensor z = DifferentiableFunction.apply(new Product(), x, Tensor.of(5.0, 7));
    Tensor one = Tensor.of(1.0, 1);
    Gradients.backward(List.of(z), List.of(one), true, false);
    x.zeroGrad();
    z.backward(one);
    x.zeroGrad();
    assertThatThrownBy(() -> z.backward(one))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a second time")
        .hasMessageContaining("retainGraph=true");
  }

  @Test
  void resultsCanBeMarkedAsConstant() {
    DifferentiableFunction function =
        new DifferentiableFunction() {
          @Override
          protected Tensor[] forward(Context c, Tensor... inputs) {
            Tensor constant = inputs[0].copy();
            c.markNonDifferentiable(constant);
            return new Tensor[] {inputs[0].copy(), constant, Tensor.arange(2)};
          }

          @Override
          protected Tensor[] backward(Context c, Tensor... gradients) {
            assertThat(gradients[1]).isNull();
            return new Tensor[] {gradients[0]};
          }
        };
    Tensor x = leaf(1, 2);
    Tensor[] results = DifferentiableFunction.applyAll(function, x);
    assertThat(results[0].requiresGrad()).isTrue();
    assertThat(results[1].requiresGrad()).isFalse();
    assertThat(results[2].requiresGrad()).isFalse();
    results[0].backward(Tensor.of(3.0, 4));
    assertThat(x.grad().toDoubleArray()).containsExactly(3, 4);
    assertThatThrownBy(() -> DifferentiableFunction.apply(function, x))
        .hasMessageContaining("3 results");
  }

  @Test
  void aDirtyInputGetsANewHistory() {
    DifferentiableFunction zero =
        new DifferentiableFunction() {
          @Override
          protected Tensor[] forward(Context c, Tensor... inputs) {
            inputs[0].fill(0.0);
            c.markDirty(inputs[0]);
            return inputs;
          }

          @Override
          protected Tensor[] backward(Context c, Tensor... gradients) {
            return new Tensor[] {Tensor.full(DType.F64, Shape.of(2), 9)};
          }
        };
    Tensor x = leaf(1, 2);
    Tensor y = x.copy();
    assertThat(DifferentiableFunction.apply(zero, y)).isSameAs(y);
    y.backward(Tensor.of(1.0, 1));
    assertThat(x.grad().toDoubleArray()).containsExactly(9, 9);
    assertThatThrownBy(() -> DifferentiableFunction.apply(zero, x))
        .hasMessageContaining("a leaf that requires");
  }

  @Test
  void anInputThatIsReturnedGetsAHeaderOfItsOwn() {
    DifferentiableFunction same =
        new DifferentiableFunction() {
          @Override
          protected Tensor[] forward(Context c, Tensor... inputs) {
            return inputs;
          }

          @Override
          protected Tensor[] backward(Context c, Tensor... gradients) {
            return gradients;
          }
        };
    Tensor x = leaf(1, 2);
    Tensor y = DifferentiableFunction.apply(same, x);
    assertThat(y).isNotSameAs(x);
    assertThat(x.isLeaf()).isTrue();
    y.backward(Tensor.of(1.0, 2));
    assertThat(x.grad().toDoubleArray()).containsExactly(1, 2);
  }

  @Test
  void backwardGivesOneGradientAnInput() {
    DifferentiableFunction wrong =
        new DifferentiableFunction() {
          @Override
          protected Tensor[] forward(Context c, Tensor... inputs) {
            return new Tensor[] {inputs[0].copy()};
          }

          @Override
          protected Tensor[] backward(Context c, Tensor... gradients) {
            return new Tensor[0];
          }
        };
    assertThatThrownBy(() -> DifferentiableFunction.apply(wrong, leaf(1)).backward())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("backward gave 0 gradients; there are 1 inputs");
  }

  // ---- operators of users

  @Test
  void anOperatorGetsItsGradientFromALibrary() {
    try (var _ =
            Library.define(
                "gradtest", m -> m.def("scale(Tensor self, Tensor by, *, int times=1) -> Tensor"));
        var _ =
            Library.impl(
                "gradtest",
                DispatchKey.CPU,
                m -> m.impl("scale", (Tensor self, Tensor by, Long times) -> scaled(self, by)))) {
      Tensor x = leaf(2, 3);
      Tensor y = leaf(5, 7);
      Tensor unknown = (Tensor) Dispatcher.call("gradtest::scale", x, y);
      assertThat(unknown.requiresGrad()).isTrue();
      assertThatThrownBy(() -> unknown.backward(Tensor.of(1.0, 1)))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageStartingWith("derivative for gradtest::scale is not implemented");
      Derivative formula =
          Derivative.of()
              .wrt("self", c -> scaled(c.grad(), c.tensor("by")), "by")
              .wrt("by", c -> scaled(c.grad(), c.tensor("self")), "self");
      try (var _ =
          Library.impl("gradtest", DispatchKey.AUTOGRAD, m -> m.derivative("scale", formula))) {
        Tensor z = (Tensor) Dispatcher.call("gradtest::scale", x, y);
        z.backward(Tensor.of(1.0, 10));
        assertThat(x.grad().toDoubleArray()).containsExactly(5, 70);
        assertThat(y.grad().toDoubleArray()).containsExactly(2, 30);
        assertThatThrownBy(() -> z.backward(Tensor.of(1.0, 10)))
            .hasMessageContaining("gradtest::scale had kept was freed");
      }
      Tensor again = (Tensor) Dispatcher.call("gradtest::scale", x, y);
      assertThatThrownBy(() -> again.backward(Tensor.of(1.0, 1)))
          .hasMessageStartingWith("derivative for gradtest::scale");
    }
  }

  @Test
  void aDerivativeMayNameOnlyWhatTheSchemaHas() {
    try (var _ = Library.define("gradtest", m -> m.def("one(Tensor self, int n) -> Tensor"))) {
      assertThatThrownBy(() -> give(Derivative.of().wrt("other", Derivative.Context::grad)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("no argument or result is named 'other'")
          .hasMessageContaining("one(Tensor self, int n)");
      assertThatThrownBy(() -> give(Derivative.of().wrt("n", Derivative.Context::grad)))
          .hasMessageContaining("'n' is no tensor");
      assertThatThrownBy(() -> give(Derivative.of().wrt("result", Derivative.Context::grad)))
          .hasMessageContaining("is a result, not an input");
      assertThatThrownBy(
              () ->
                  Library.impl(
                      "gradtest", DispatchKey.CPU, m -> m.derivative("one", Derivative.of())))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("needs a block of Autograd");
      assertThatThrownBy(() -> Derivative.of().wrt("self", c -> null).wrt("self", c -> null))
          .hasMessageContaining("two formulas for 'self'");
    }
  }

  private static void give(Derivative derivative) {
    Library.impl("gradtest", DispatchKey.AUTOGRAD, m -> m.derivative("one", derivative)).close();
  }

  @Test
  void aFormulaMustNameWhatItUses() {
    try (var _ = Library.define("gradtest", m -> m.def("one(Tensor self) -> Tensor"));
        var _ =
            Library.impl(
                "gradtest", DispatchKey.CPU, m -> m.impl("one", (Tensor self) -> self.copy()));
        var _ =
            Library.impl(
                "gradtest",
                DispatchKey.AUTOGRAD,
                m -> m.derivative("one", Derivative.of().wrt("self", c -> c.tensor("self"))))) {
      Tensor y = (Tensor) Dispatcher.call("gradtest::one", leaf(1));
      assertThatThrownBy(y::backward)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("uses tensor 'self' but does not name it");
    }
  }
}
