package dev.jcomms.benchmarks.bar;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.List;
import java.util.function.Supplier;

/** What operators and a training step are held against: f32, one thread. */
final class Cases {
  private static final int MILLION = 1 << 20;

  /** Kept from being optimised away. */
  static volatile Object last;

  private Cases() {}

  static List<Case> all() {
    Tensor a16 = random(16);
    Tensor b16 = random(16);
    Tensor a = random(MILLION);
    Tensor b = random(MILLION);
    Tensor m = random(512, 512);
    Tensor n = random(512, 512);
    MlpStep step = new MlpStep(128, 784, 256, 10);
    return List.of(
        of("add_16", 0.5, () -> Ops.add(a16, b16)),
        of("matmul_512", 1 / 0.35, () -> Ops.mm(m, n)),
        of("add_1m", 1 / 0.7, () -> Ops.add(a, b)),
        of("mul_1m", 1 / 0.7, () -> Ops.mul(a, b)),
        of("exp_1m", 1 / 0.7, () -> Ops.exp(a)),
        of("sum_1m", 1 / 0.7, () -> Ops.sum(a)),
        new Case("mlp_step", 2, step::run));
  }

  private static Case of(String name, double most, Supplier<Tensor> body) {
    return new Case(name, most, () -> last = body.get());
  }

  static Tensor random(long... sizes) {
    return Tensor.randn(DType.F32, Shape.of(sizes), 1);
  }
}
