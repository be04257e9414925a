package dev.jcomms.tensor.internal.autograd;

import dev.jcomms.tensor.Tensor;

/** A recorded call of a custom function. */
final class FunctionNode extends Node {
  private final String name;
  private final FunctionCalls.Half backward;
  private final FunctionContext context;

  FunctionNode(
      String name,
      FunctionCalls.Half backward,
      FunctionContext context,
      Edges edges,
      Header[] outputs) {
    super(outputs, edges);
    this.name = name;
    this.backward = backward;
    this.context = context;
  }

  @Override
  String name() {
    return name;
  }

  @Override
  String label() {
    return name + "Backward";
  }

  /** As in PyTorch: a function hears of every pass that comes by, if only by zeros. */
  @Override
  boolean runsOnNothing() {
    return true;
  }

  @Override
  Tensor[] backward(Tensor[] gradients) {
    Tensor[] given = gradients.clone();
    for (int i = 0; context.materialize && i < given.length; i++) {
      Header header = outputs[i];
      if (given[i] == null && header != null) {
        given[i] = Geometry.zeros(header.dtype(), header.device(), header.shape().toArray());
      }
    }
    Tensor[] found = backward.run(context, given);
    if (found == null || found.length != edges.count()) {
      throw new IllegalStateException(
          name
              + ": backward gave "
              + (found == null ? "null" : found.length + " gradients")
              + "; there are "
              + edges.count()
              + " inputs");
    }
    Tensor[] inputs = new Tensor[found.length];
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] = edges.wants(i) ? found[i] : null;
    }
    return inputs;
  }

  @Override
  void release() {
    context.release();
  }
}
