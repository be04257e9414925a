package dev.jcomms.tensor.internal.autograd;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.Dispatcher;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** Backward passes as callers ask for them: what they give is checked, then the engine runs. */
public final class Passes {
  private Passes() {}

  public static void backward(
      List<Tensor> outputs, List<Tensor> gradients, boolean retain, boolean createGraph) {
    Edges roots = roots(outputs);
    Engine.accumulate(roots, given(outputs, gradients), retain || createGraph, createGraph);
  }

  public static List<Tensor> grad(
      List<Tensor> outputs,
      List<Tensor> inputs,
      List<Tensor> gradients,
      boolean retain,
      boolean createGraph,
      boolean allowUnused) {
    if (inputs.isEmpty()) {
      throw new IllegalArgumentException("grad: no inputs are given");
    }
    Edges roots = roots(outputs);
    Tensor[] start = given(outputs, gradients);
    for (int i = 0; i < inputs.size(); i++) {
      if (!Places.requiresGrad(inputs.get(i))) {
        throw new IllegalStateException(
            "grad: input " + i + " does not require grad: " + facts(inputs.get(i)));
      }
    }
    Edges wanted = Edges.of(inputs.toArray(Tensor[]::new));
    Tensor[] found = capture(roots, start, wanted, retain || createGraph, createGraph);
    for (int i = 0; i < found.length; i++) {
      if (found[i] == null && !allowUnused) {
        throw new IllegalStateException(
            "grad: no output depends on input "
                + i
                + ", "
                + facts(inputs.get(i))
                + "; pass allowUnused=true if that is as it should be");
      }
    }
    return Collections.unmodifiableList(Arrays.asList(found));
  }

  /** An input that is named twice is looked for once. */
  private static Tensor[] capture(
      Edges roots, Tensor[] start, Edges wanted, boolean retain, boolean createGraph) {
    Edges distinct = new Edges(wanted.count());
    int[] same = new int[wanted.count()];
    for (int i = 0; i < same.length; i++) {
      same[i] = i;
      for (int j = 0; j < i; j++) {
        if (wanted.nodes[j] == wanted.nodes[i] && wanted.outputs[j] == wanted.outputs[i]) {
          same[i] = j;
          break;
        }
      }
      distinct.nodes[i] = same[i] == i ? wanted.nodes[i] : null;
      distinct.outputs[i] = wanted.outputs[i];
    }
    Tensor[] found = Engine.gradients(roots, start, distinct, retain, createGraph);
    for (int i = 0; i < same.length; i++) {
      found[i] = found[same[i]];
    }
    return found;
  }

  public static void whenPassEnds(Consumer<Throwable> ending) {
    Objects.requireNonNull(ending, "ending");
    if (!Engine.whenPassEnds(ending)) {
      throw new IllegalStateException(
          "whenPassEnds: no backward pass runs on this thread; call it from a hook");
    }
  }

  private static Edges roots(List<Tensor> outputs) {
    if (outputs.isEmpty()) {
      throw new IllegalArgumentException("backward: no outputs are given");
    }
    for (int i = 0; i < outputs.size(); i++) {
      Tensor output = outputs.get(i);
      if (!Places.requiresGrad(output)) {
        throw new IllegalStateException(
            "backward: element "
                + i
                + " of the outputs does not require grad and does not have a grad_fn: "
                + facts(output));
      }
    }
    return Edges.of(outputs.toArray(Tensor[]::new));
  }

  private static Tensor[] given(List<Tensor> outputs, List<Tensor> gradients) {
    if (gradients != null && gradients.size() != outputs.size()) {
      throw new IllegalArgumentException(
          "backward: " + gradients.size() + " gradients given for " + outputs.size() + " outputs");
    }
    Tensor[] all = new Tensor[outputs.size()];
    for (int i = 0; i < all.length; i++) {
      Tensor output = outputs.get(i);
      Tensor gradient = gradients == null ? null : gradients.get(i);
      if (gradient == null && output.elements() != 1) {
        throw new IllegalArgumentException(
            "backward: grad can be implicitly created only for scalar outputs; output "
                + i
                + " has shape "
                + output.shape()
                + "; give its gradient");
      }
      if (gradient != null && !gradient.shape().equals(output.shape())) {
        throw new IllegalArgumentException(
            "backward: gradient "
                + i
                + " has shape "
                + gradient.shape()
                + "; its output has "
                + output.shape());
      }
      all[i] = gradient == null ? ones(output) : Fitting.fit(gradient, Header.of(output), "caller");
    }
    return all;
  }

  private static Tensor ones(Tensor like) {
    return (Tensor)
        Dispatcher.call(
            "aten::ones", like.shape().toArray(), like.dtype(), null, like.device(), null);
  }

  private static String facts(Tensor t) {
    return t.dtype() + " of shape " + t.shape();
  }
}
