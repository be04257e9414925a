package dev.jcomms.tensor.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Steps against PyTorch 2.13: the expected values are what torch.optim gave. */
final class OptimizersTest {
  private interface Making extends Function<List<Tensor>, Optimizer> {}

  private static Arguments row(String name, Making making, double... expected) {
    return Arguments.of(name, making, expected);
  }

  static Stream<Arguments> steps() {
    return Stream.of(
        row("sgd", p -> Sgd.newBuilder(p).lr(0.1).build(), 0.39999999999999997, -1.17, 2.0, 0),
        row("sgd by default", p -> Sgd.newBuilder(p).build(), 0.499, -1.2492, 2.0, 0),
        row(
            "momentum",
            p -> Sgd.newBuilder(p).lr(0.1).momentum(0.9).build(),
            0.3144099999999999,
            -1.0690199999999999,
            1.9511299999999998,
            0),
        row(
            "dampening and decay",
            p -> Sgd.newBuilder(p).lr(0.1).momentum(0.9).dampening(0.3).weightDecay(0.05).build(),
            0.3420380972859375,
            -1.0577787743754687,
            1.862353380215,
            0),
        row(
            "nesterov",
            p -> Sgd.newBuilder(p).lr(0.1).momentum(0.9).nesterov(true).weightDecay(0.05).build(),
            0.2056166592689062,
            -0.9356981954397031,
            1.8383248053605,
            0),
        row(
            "maximize",
            p -> Sgd.newBuilder(p).lr(0.1).maximize(true).build(),
            0.6000000000000001,
            -1.33,
            1.9999999999999998,
            0),
        row(
            "adam by default",
            p -> Adam.newBuilder(p).build(),
            0.4961164067212642,
            -1.2460000001999998,
            1.9987694698409786,
            0),
        row(
            "adam told more",
            p -> Adam.newBuilder(p).lr(0.05).betas(0.8, 0.95).eps(1e-3).weightDecay(0.1).build(),
            0.3012241441708202,
            -1.050920096741569,
            1.8683848162845853,
            0),
        row(
            "amsgrad",
            p -> Adam.newBuilder(p).lr(0.05).amsgrad(true).build(),
            0.3058203360632088,
            -1.0500000100000002,
            1.9384734920489415,
            0),
        row(
            "adamw by default",
            p -> Adam.decoupled(p).build(),
            0.4960964659045139,
            -1.245950060949592,
            1.9986895033459773,
            0),
        row(
            "adamw with decay",
            p -> Adam.decoupled(p).lr(0.05).weightDecay(0.3).build(),
            0.2808604454389674,
            -0.9811258668084917,
            1.8235365017245702,
            0));
  }

  private static Tensor start(DType dtype) {
    return Tensor.of(0.5, -1.25, 2.0, 0.0).to(dtype).copy().requiresGrad(true);
  }

  private static void step(Optimizer optimizer, int k) {
    Tensor parameter = optimizer.parameters().getFirst();
    Tensor grad = Tensor.of(0.1 * (k + 1), -0.2, k % 2 == 0 ? 0.3 : -0.3, 0.0);
    parameter.setGrad(grad.to(parameter.dtype()));
    optimizer.step();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("steps")
  void fourStepsGiveWhatPyTorchGives(String name, Making making, double[] expected) {
    for (DType dtype : List.of(DType.F64, DType.F32)) {
      Tensor parameter = start(dtype);
      Optimizer optimizer = making.apply(List.of(parameter));
      for (int k = 0; k < 4; k++) {
        step(optimizer, k);
      }
      double bound = dtype == DType.F64 ? 1e-14 : 1e-6;
      assertThat(parameter.detach().allClose(Tensor.of(expected).to(dtype), 0, bound, false))
          .as("%s: %s", dtype, parameter)
          .isTrue();
      assertThat(parameter.requiresGrad()).isTrue();
      assertThat(parameter.isLeaf()).isTrue();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("steps")
  void aStateThatWasKeptGoesOnTheSame(String name, Making making, double[] expected) {
    Tensor parameter = start(DType.F64);
    Optimizer optimizer = making.apply(List.of(parameter));
    step(optimizer, 0);
    step(optimizer, 1);
    Map<String, Tensor> kept = optimizer.state();
    Tensor copy = parameter.detach().copy().requiresGrad(true);
    step(optimizer, 2); // must not reach into what was kept
    Optimizer other = making.apply(List.of(copy));
    other.restore(kept);
    step(other, 2);
    step(other, 3);
    assertThat(copy.detach().allClose(Tensor.of(expected), 0, 1e-14, false)).isTrue();
  }

  @Test
  void aParameterWithoutAGradientStays() {
    Tensor used = Tensor.ones(Shape.of(2)).requiresGrad(true);
    Tensor unused = Tensor.ones(Shape.of(2)).requiresGrad(true);
    Optimizer optimizer = Adam.newBuilder(List.of(used, unused)).build();
    Ops.sum(Ops.mul(used, Scalar.of(3.0))).backward();
    optimizer.step();
    assertThat(unused.getFloat(0)).isEqualTo(1);
    assertThat(used.getFloat(0)).isLessThan(1);
    assertThat(optimizer.state().keySet())
        .containsExactlyInAnyOrder("0.step", "0.exp_avg", "0.exp_avg_sq");
    optimizer.zeroGrad();
    assertThat(used.grad()).isNull();
  }

  @Test
  void theGradientIsNotChangedByAStep() {
    Tensor parameter = start(DType.F64);
    Optimizer optimizer = Sgd.newBuilder(List.of(parameter)).momentum(0.9).weightDecay(0.1).build();
    step(optimizer, 0);
    assertThat(parameter.grad().toDoubleArray()).containsExactly(0.1, -0.2, 0.3, 0.0);
    step(optimizer, 0);
    assertThat(parameter.grad().toDoubleArray()).containsExactly(0.1, -0.2, 0.3, 0.0);
  }

  @Test
  void nonsenseIsRefused() {
    Tensor parameter = start(DType.F64);
    List<Tensor> one = List.of(parameter);
    assertThatThrownBy(() -> Sgd.newBuilder(List.of()).build())
        .hasMessage("sgd: no parameters are given");
    assertThatThrownBy(() -> Sgd.newBuilder(List.of(parameter, parameter)).build())
        .hasMessage("sgd: a parameter is given twice");
    assertThatThrownBy(() -> Sgd.newBuilder(List.of(Ops.mul(parameter, Scalar.of(2.0)))).build())
        .hasMessageContaining("only leaves");
    assertThatThrownBy(() -> Sgd.newBuilder(one).lr(-1).build())
        .hasMessage("sgd: lr=-1.0 is negative or NaN");
    assertThatThrownBy(() -> Sgd.newBuilder(one).lr(Double.NaN).build())
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Sgd.newBuilder(one).nesterov(true).build())
        .hasMessageContaining("nesterov needs a momentum and no dampening");
    assertThatThrownBy(() -> Adam.newBuilder(one).betas(0.9, 1).build())
        .hasMessage("adam: betas[1]=1.0 is not in [0, 1)");
    assertThatThrownBy(() -> Adam.decoupled(one).weightDecay(-1).build())
        .hasMessage("adamw: weightDecay=-1.0 is negative or NaN");
    Optimizer adam = Adam.newBuilder(one).build();
    assertThatThrownBy(() -> adam.restore(Map.of("1.step", Tensor.scalar(1.0))))
        .hasMessageContaining("state '1.step' is not known");
    assertThatThrownBy(() -> adam.restore(Map.of("0.step", Tensor.scalar(1.0))))
        .hasMessage("adam: state '0.exp_avg' is missing");
    assertThatThrownBy(() -> adam.restore(Map.of("0.exp_avg", Tensor.of(1.0, 2.0))))
        .hasMessageContaining("has shape [2]; its parameter has [4]");
    assertThatThrownBy(() -> adam.restore(Map.of("0.exp_avg", Tensor.scalar(1.0))))
        .hasMessageContaining("has shape []; its parameter has [4]");
    assertThatThrownBy(() -> adam.restore(Map.of("0.step", Tensor.ones(Shape.of(4)))))
        .hasMessageContaining("has shape [4]; a number has []");
    assertThatThrownBy(() -> Adam.decoupled(one).lr(-1).build())
        .hasMessage("adamw: lr=-1.0 is negative or NaN");
    assertThatThrownBy(() -> Adam.decoupled(one).betas(2, 0.9).build())
        .hasMessage("adamw: betas[0]=2.0 is not in [0, 1)");
  }

  @Test
  void aStateOfAnotherDtypeBecomesTheParameters() {
    Tensor parameter = start(DType.F64);
    Optimizer optimizer = Sgd.newBuilder(List.of(parameter)).momentum(0.9).build();
    optimizer.restore(Map.of("0.momentum_buffer", Tensor.of(1L, 2, 3, 4)));
    assertThat(optimizer.state().get("0.momentum_buffer").dtype()).isEqualTo(DType.F64);
    step(optimizer, 0);
  }
}
