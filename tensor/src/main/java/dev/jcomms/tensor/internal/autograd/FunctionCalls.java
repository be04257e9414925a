package dev.jcomms.tensor.internal.autograd;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.DifferentiableFunction;
import dev.jcomms.tensor.autograd.GradMode;
import dev.jcomms.tensor.internal.TensorAccess;

/** Applies a custom function: runs its forward unrecorded and makes it one node. */
public final class FunctionCalls {
  /** One half of a function. */
  @FunctionalInterface
  public interface Half {
    Tensor[] run(DifferentiableFunction.Context context, Tensor... tensors);
  }

  private FunctionCalls() {}

  public static Tensor[] apply(String name, Half forward, Half backward, Tensor... inputs) {
    boolean recording = GradMode.isEnabled();
    Edges edges = recording ? Edges.of(inputs) : new Edges(inputs.length);
    FunctionContext context = new FunctionContext(name, edges);
    Tensor[] results;
    try (var _ = GradMode.noGrad()) {
      results = forward.run(context, inputs);
    }
    if (results == null) {
      throw new IllegalStateException(name + ": forward gave null for its results");
    }
    context.requireDirtyReturned(results);
    boolean wanted = false;
    for (int i = 0; i < edges.count(); i++) {
      wanted |= edges.wants(i);
    }
    if (!wanted) {
      return results;
    }
    return record(name, backward, inputs, edges, context, results.clone());
  }

  private static Tensor[] record(
      String name,
      Half backward,
      Tensor[] inputs,
      Edges edges,
      FunctionContext context,
      Tensor[] results) {
    Header[] outputs = new Header[results.length];
    for (int i = 0; i < results.length; i++) {
      Tensor t = results[i];
      if (context.isDirty(t) && index(inputs, t) >= 0) {
        Places.requireWritable(t, name);
      }
      if (t != null && t.dtype().isFloating() && !context.isNonDifferentiable(t)) {
        outputs[i] = Header.of(t);
      }
    }
    FunctionNode node = new FunctionNode(name, backward, context, edges, outputs);
    for (int i = 0; i < results.length; i++) {
      Tensor t = results[i];
      if (t == null) {
        continue;
      }
      int input = index(inputs, t);
      if (outputs[i] == null) {
        results[i] = input >= 0 || Places.requiresGrad(t) ? TensorAccess.detached(t) : t;
      } else if (context.isDirty(t) && input >= 0) {
        Places.rewrittenBy(t, node, i, input);
      } else {
        boolean taken = input >= 0 || Places.requiresGrad(t);
        results[i] = taken ? TensorAccess.detached(t) : t;
        Places.madeBy(results[i], node, i);
      }
    }
    context.keep();
    return results;
  }

  private static int index(Tensor[] tensors, Tensor wanted) {
    for (int i = 0; i < tensors.length; i++) {
      if (tensors[i] == wanted && wanted != null) {
        return i;
      }
    }
    return -1;
  }
}
