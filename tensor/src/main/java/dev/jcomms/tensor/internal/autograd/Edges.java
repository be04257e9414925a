package dev.jcomms.tensor.internal.autograd;

import dev.jcomms.tensor.Tensor;

/**
 * Where a node's gradients go: one place an input, in order; a list of tensors takes one each. An
 * input that wants no gradient has no node.
 */
final class Edges {
  static final Edges NONE = new Edges(0);

  final Node[] nodes;
  final int[] outputs;

  Edges(int count) {
    nodes = new Node[count];
    outputs = new int[count];
  }

  static Edges of(Tensor... inputs) {
    Edges edges = new Edges(inputs.length);
    for (int i = 0; i < inputs.length; i++) {
      edges.set(i, inputs[i]);
    }
    return edges;
  }

  /** Room for every tensor among the arguments. */
  static Edges forAll(Object[] args) {
    int count = 0;
    for (Object arg : args) {
      count += OperatorNode.width(arg);
    }
    return new Edges(count);
  }

  int count() {
    return nodes.length;
  }

  /** Points one place at the call that made the tensor, or at the tensor itself if it is a leaf. */
  void set(int i, Tensor input) {
    if (input != null && Places.requiresGrad(input)) {
      Node node = Places.node(input);
      if (node != null) {
        nodes[i] = node;
        outputs[i] = Place.of(input).output;
      } else {
        nodes[i] = Places.leaf(input);
      }
    }
  }

  /** The same, but one place leads elsewhere. */
  Edges with(int i, Tensor input) {
    Edges copy = new Edges(nodes.length);
    System.arraycopy(nodes, 0, copy.nodes, 0, nodes.length);
    System.arraycopy(outputs, 0, copy.outputs, 0, outputs.length);
    copy.nodes[i] = null;
    copy.outputs[i] = 0;
    copy.set(i, input);
    return copy;
  }

  boolean wants(int i) {
    return nodes[i] != null;
  }
}
