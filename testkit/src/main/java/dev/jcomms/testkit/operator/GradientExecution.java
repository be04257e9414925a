package dev.jcomms.testkit.operator;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Gradients;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Runs a case and its way back: the gradients of its floating arguments. */
final class GradientExecution {
  private GradientExecution() {}

  /** Whether there is something to be differentiated, and nowhere that it cannot be. */
  static boolean isWanted(Case c) {
    List<TensorSpec> floating = specs(c.arguments()).filter(TensorSpec::isFloating).toList();
    return c.form() == Case.Form.VALUES
        && !c.operator().schema().isMutable()
        && !floating.isEmpty()
        && floating.stream()
            .allMatch(
                t ->
                    (t.dtype() == DType.F32 || t.dtype() == DType.F64)
                        && t.content() != Content.SPECIAL);
  }

  private static Stream<TensorSpec> specs(List<?> arguments) {
    return arguments.stream()
        .flatMap(
            a ->
                switch (a) {
                  case TensorSpec t -> Stream.of(t);
                  case List<?> list -> specs(list);
                  case null, default -> Stream.empty();
                });
  }

  static Execution.Outcome run(Case c, Device device) {
    Object[] args = c.on(device);
    List<Tensor> inputs = new ArrayList<>();
    for (Object arg : args) {
      if (arg instanceof Tensor t && t.dtype().isFloating()) {
        inputs.add(t.requiresGrad(true));
      }
    }
    for (Object arg : args) {
      if (arg instanceof List<?> list) {
        for (Object o : list) {
          if (o instanceof Tensor t && t.dtype().isFloating()) {
            inputs.add(t.requiresGrad(true));
          }
        }
      }
    }
    return Execution.guarded(() -> gradients(c, args, inputs));
  }

  private static Execution.Outcome gradients(Case c, Object[] args, List<Tensor> inputs) {
    List<Tensor> outputs = new ArrayList<>();
    for (Object result : Execution.flatten(c.operator().call(args))) {
      if (result instanceof Tensor t && t.requiresGrad()) {
        outputs.add(t);
      }
    }
    if (outputs.isEmpty()) {
      return Execution.values(List.of(), List.of());
    }
    List<Tensor> given = outputs.stream().map(GradientExecution::cotangent).toList();
    return Execution.values(
        new ArrayList<>(Gradients.grad(outputs, inputs, given, false, false, true)), List.of());
  }

  /** Numbers of both signs that follow from their place; the Python side makes the same. */
  private static Tensor cotangent(Tensor output) {
    double[] values = new double[(int) output.elements()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (i * 7 % 11 - 5) / 4.0;
    }
    return Tensor.of(values).to(output.dtype()).view(output.shape()).to(output.device());
  }
}
