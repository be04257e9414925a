package dev.jcomms.tensor.internal.autograd;

import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.GradMode;
import dev.jcomms.tensor.dispatch.RegistrationHandle;
import dev.jcomms.tensor.internal.TensorAccess;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Where the gradients of a leaf end: adds them to what is there. */
final class LeafNode extends Node {
  private final Tensor leaf;
  private volatile CopyOnWriteArrayList<After> after;

  /** A hook after accumulation; the same body twice is two hooks. */
  private static final class After {
    final Consumer<Tensor> body;

    After(Consumer<Tensor> body) {
      this.body = body;
    }
  }

  LeafNode(Tensor leaf) {
    super(FIRST, new Header[] {Header.of(leaf)}, Edges.NONE);
    this.leaf = leaf;
  }

  @Override
  String name() {
    return "the leaf of shape " + leaf.shape();
  }

  synchronized RegistrationHandle afterwards(Consumer<Tensor> hook) {
    if (after == null) {
      after = new CopyOnWriteArrayList<>();
    }
    CopyOnWriteArrayList<After> hooks = after;
    After added = new After(hook);
    hooks.add(added);
    return RegistrationHandle.once(() -> hooks.remove(added));
  }

  @Override
  Tensor[] backward(Tensor[] gradients) {
    accumulate(gradients[0], false);
    return new Tensor[0];
  }

  /**
   * @param given whether nobody else has the gradient's memory, so that it may become the leaf's
   */
  void accumulate(Tensor gradient, boolean given) {
    if (!Places.requiresGrad(leaf)) {
      return; // no longer
    }
    Place place = Place.make(leaf);
    synchronized (place) {
      Tensor present = place.grad;
      if (present == null) {
        place.grad = own(gradient, given);
      } else if (GradMode.isEnabled()) {
        place.grad = Sums.add(present, gradient);
      } else {
        Sums.addInto(present, gradient);
      }
    }
    if (after != null) {
      for (After hook : after) {
        hook.body.accept(leaf);
      }
    }
  }

  /** A gradient that shares memory with nothing and lies in one piece. */
  private static Tensor own(Tensor gradient, boolean given) {
    boolean whole =
        given
            && gradient.isContiguous()
            && gradient.bytes() == gradient.storage().bytes()
            && !Places.requiresGrad(gradient);
    if (!whole) {
      return Ops.clone(gradient);
    }
    return TensorAccess.base(gradient) == null ? gradient : TensorAccess.detached(gradient);
  }
}
