package dev.jcomms.tensor.autograd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds gradients against central differences, in f64. The results are projected onto weights that
 * look random, so one backward pass gives what is compared, element by element.
 */
final class GradCheck {
  private static final double STEP = 1e-6;
  private static final double ABSOLUTE = 1e-5;
  private static final double RELATIVE = 1e-4;

  /** What is checked: tensors in, tensors out. */
  @FunctionalInterface
  interface Body {
    List<Tensor> run(List<Tensor> inputs);
  }

  private GradCheck() {}

  /**
   * @param inputs f64 tensors; all are checked
   */
  static void first(String what, Body body, List<Tensor> inputs) {
    List<Tensor> leaves = inputs.stream().map(GradCheck::leaf).toList();
    List<Tensor> outputs = differentiable(body.run(leaves));
    assertThat(outputs).as("%s: results that require a gradient", what).isNotEmpty();
    List<Tensor> weights = weights(outputs);
    List<Tensor> found = Gradients.grad(outputs, leaves, weights, false, false, true);
    for (int i = 0; i < leaves.size(); i++) {
      compare(what + ", input " + i, body, leaves, i, weights, found.get(i));
    }
  }

  /** The gradient of the gradient, by the inputs and by the results' gradients. */
  static void second(String what, Body body, List<Tensor> inputs) {
    List<Tensor> sample = differentiable(body.run(inputs.stream().map(GradCheck::leaf).toList()));
    List<Tensor> all = new ArrayList<>(inputs);
    all.addAll(weights(sample));
    int count = inputs.size();
    Body gradient =
        given -> {
          List<Tensor> leaves = new ArrayList<>();
          for (Tensor t : given) {
            leaves.add(t.requiresGrad() ? t : t.detach().requiresGrad(true));
          }
          try (var _ = GradMode.enableGrad()) {
            List<Tensor> outputs = differentiable(body.run(leaves.subList(0, count)));
            List<Tensor> found = new ArrayList<>();
            for (Tensor g :
                Gradients.grad(
                    outputs,
                    leaves.subList(0, count),
                    leaves.subList(count, leaves.size()),
                    true,
                    true,
                    true)) {
              if (g != null) {
                found.add(g);
              }
            }
            return found;
          }
        };
    first(what + ", second", gradient, all);
  }

  private static void compare(
      String what, Body body, List<Tensor> leaves, int input, List<Tensor> weights, Tensor found) {
    Tensor leaf = leaves.get(input);
    double[] values = leaf.toDoubleArray();
    double[] gradient = found == null ? new double[values.length] : found.toDoubleArray();
    if (found != null) {
      assertThat(found.shape()).as("%s: shape", what).isEqualTo(leaf.shape());
      assertThat(found.dtype()).as("%s: dtype", what).isEqualTo(leaf.dtype());
    }
    for (int i = 0; i < values.length; i++) {
      long[] at = index(leaf, i);
      leaf.set(values[i] + STEP, at);
      double above = project(body, leaves, weights);
      leaf.set(values[i] - STEP, at);
      double below = project(body, leaves, weights);
      leaf.set(values[i], at);
      double expected = (above - below) / (2 * STEP);
      double allowed = ABSOLUTE + RELATIVE * Math.abs(expected);
      assertThat(Math.abs(gradient[i] - expected) <= allowed)
          .as("%s: element %d is %s, differences say %s", what, i, gradient[i], expected)
          .isTrue();
    }
  }

  private static long[] index(Tensor t, long i) {
    long[] sizes = t.shape().toArray();
    long[] at = new long[sizes.length];
    long rest = i;
    for (int d = sizes.length - 1; d >= 0; d--) {
      at[d] = rest % sizes[d];
      rest /= sizes[d];
    }
    return at;
  }

  private static double project(Body body, List<Tensor> leaves, List<Tensor> weights) {
    List<Tensor> outputs;
    try (var _ = GradMode.noGrad()) {
      outputs = body.run(leaves).stream().filter(t -> t.dtype().isFloating()).toList();
    }
    double sum = 0;
    for (int o = 0; o < weights.size(); o++) {
      double[] values = outputs.get(o).toDoubleArray();
      double[] by = weights.get(o).toDoubleArray();
      for (int i = 0; i < values.length; i++) {
        sum += values[i] * by[i];
      }
    }
    return sum;
  }

  /** The floating results come first in every schema here, and all of them are recorded. */
  private static List<Tensor> differentiable(List<Tensor> outputs) {
    return outputs.stream().filter(Tensor::requiresGrad).toList();
  }

  private static List<Tensor> weights(List<Tensor> outputs) {
    List<Tensor> weights = new ArrayList<>();
    for (int i = 0; i < outputs.size(); i++) {
      weights.add(Tensor.randn(DType.F64, outputs.get(i).shape(), 77 + i));
    }
    return weights;
  }

  /** A leaf with the tensor's values and, unless elements share memory, its strides. */
  private static Tensor leaf(Tensor t) {
    return t.detach().requiresGrad(true);
  }
}
