package dev.jcomms.benchmarks.bar;

import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.GradMode;
import dev.jcomms.tensor.optim.Optimizer;
import dev.jcomms.tensor.optim.Sgd;
import java.util.LinkedHashMap;
import java.util.Map;

/** Forward, backward and an SGD step of a network of linear layers with ReLU between them. */
final class MlpStep {
  final Map<String, Tensor> parameters = new LinkedHashMap<>();
  private final Tensor input;
  private final Tensor target;
  private final Optimizer optimizer;
  private final int layers;

  MlpStep(int batch, int... widths) {
    layers = widths.length - 1;
    try (var _ = GradMode.noGrad()) {
      for (int i = 0; i < layers; i++) {
        double scale = 1 / Math.sqrt(widths[i]);
        Tensor weight = Ops.mul(Cases.random(widths[i + 1], widths[i]), Scalar.of(scale));
        parameters.put(i + ".weight", weight.requiresGrad(true));
        parameters.put(i + ".bias", Ops.mul(Cases.random(widths[i + 1]), Scalar.of(scale)));
        parameters.get(i + ".bias").requiresGrad(true);
      }
    }
    input = Cases.random(batch, widths[0]);
    long[] classes = new long[batch];
    java.util.Arrays.setAll(classes, i -> i % widths[layers]);
    target = Tensor.of(classes);
    optimizer = Sgd.newBuilder(parameters.values()).lr(0.01).build();
  }

  void run() {
    optimizer.zeroGrad();
    Tensor x = input;
    for (int i = 0; i < layers; i++) {
      x = Ops.linear(x, parameters.get(i + ".weight"), parameters.get(i + ".bias"));
      x = i < layers - 1 ? Ops.relu(x) : x;
    }
    Ops.crossEntropyLoss(x, target, null, 1, -100, 0).backward();
    optimizer.step();
  }
}
