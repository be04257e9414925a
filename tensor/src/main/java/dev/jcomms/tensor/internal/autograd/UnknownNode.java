package dev.jcomms.tensor.internal.autograd;

import dev.jcomms.tensor.Tensor;

/** A recorded call of an operator that has no derivative: an error once somebody needs it. */
final class UnknownNode extends Node {
  private final String name;

  UnknownNode(String name, Edges edges, Header[] outputs) {
    super(outputs, edges);
    this.name = name;
  }

  @Override
  String name() {
    return name;
  }

  @Override
  Tensor[] backward(Tensor[] gradients) {
    throw new UnsupportedOperationException(
        "derivative for "
            + name
            + " is not implemented; give it one with Library.derivative, or wrap the call in a"
            + " Function");
  }
}
