package dev.jcomms.tensor.internal.autograd;

import dev.jcomms.tensor.Tensor;

/** A view of a base that was written after the view was made: seen by strides alone. */
final class StridedViewNode extends Node {
  private final Geometry base;
  private final Geometry view;

  StridedViewNode(Tensor base, Tensor view) {
    super(new Header[] {Header.of(view)}, Edges.of(base));
    this.base = Geometry.of(base);
    this.view = Geometry.of(view);
  }

  @Override
  String name() {
    return "aten::as_strided";
  }

  @Override
  Tensor[] backward(Tensor[] gradients) {
    return new Tensor[] {Geometry.stridedBackward(gradients[0], base, view)};
  }
}
