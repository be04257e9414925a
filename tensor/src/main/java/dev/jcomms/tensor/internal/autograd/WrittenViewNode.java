package dev.jcomms.tensor.internal.autograd;

import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.Dispatcher;

/**
 * An in-place call on a view, as a call on the base: the gradient of the part that was written goes
 * through the call, the rest passes by.
 */
final class WrittenViewNode extends Node {
  private final Geometry base;
  private final Geometry view;
  private final Node call;
  private final int output;
  private final int self;

  WrittenViewNode(Tensor base, Tensor view, Node call, int output, int self) {
    super(new Header[] {Header.of(base)}, call.edges.with(self, base));
    this.base = Geometry.of(base);
    this.view = Geometry.of(view);
    this.call = call;
    this.output = output;
    this.self = self;
  }

  @Override
  String name() {
    return call.name();
  }

  @Override
  Tensor[] backward(Tensor[] gradients) {
    Tensor given = gradients[0];
    Geometry whole = base.from(base.offset());
    Tensor rest =
        (Tensor)
            Dispatcher.call(
                "aten::empty_strided",
                whole.sizes(),
                whole.strides(),
                given.dtype(),
                null,
                given.device(),
                null);
    Ops.copy_(rest, given);
    Tensor part = view.from(base.offset()).viewOf(rest);
    Tensor[] results = new Tensor[call.outputs.length];
    results[output] = Ops.clone(part);
    Tensor[] inputs = call.backward(results);
    if (edges.wants(self)) {
      Tensor old = inputs[self];
      if (old == null) {
        Dispatcher.call("aten::zero_", part);
      } else {
        Ops.copy_(part, old);
      }
      inputs[self] = rest;
    } else {
      inputs[self] = null;
    }
    return inputs;
  }

  @Override
  void release() {
    call.release();
  }

  @Override
  boolean gives(Tensor gradient) {
    return false;
  }
}
