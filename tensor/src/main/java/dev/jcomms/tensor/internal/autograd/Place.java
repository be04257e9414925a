package dev.jcomms.tensor.internal.autograd;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.RegistrationHandle;
import dev.jcomms.tensor.internal.TensorAccess;

/** A tensor's place in the graph: hung on it when it is first wanted. */
final class Place {
  /** The gradient of a leaf, or of a tensor that was asked to keep it. */
  volatile Tensor grad;

  /** The call that made the tensor, and which of its results it is; null for a leaf. */
  Node node;

  int output;

  /** Of a leaf: where gradients for it end. */
  LeafNode leaf;

  /** How often the tensor's history was written anew, by an in-place call on it or on a view. */
  long rewrites;

  /** Of a view: its base's {@link #rewrites} that {@link #node} is right for. */
  long seen;

  /** Of a view: one of several that a call returned, so in-place calls on it are refused. */
  boolean oneOfMany;

  private boolean keepsGrad;
  private RegistrationHandle keeping; // the hook that does; null while there is no node

  /** The tensor's place; null if it has none. */
  static Place of(Tensor t) {
    return (Place) TensorAccess.gradient(t);
  }

  static Place make(Tensor t) {
    Place place = of(t);
    if (place == null) {
      synchronized (t) { // threads may share a parameter, and must share its gradient
        place = of(t);
        if (place == null) {
          place = new Place();
          TensorAccess.setGradient(t, place);
        }
      }
    }
    return place;
  }

  /** The tensor is now the result of another call; a gradient that is kept is that of the new. */
  void become(Node made, int result) {
    node = made;
    output = result;
    if (keepsGrad) {
      hookUp();
    }
  }

  /** Keeps the gradient of a tensor that is no leaf. */
  void keepGrad() {
    if (!keepsGrad) {
      keepsGrad = true;
      hookUp();
    }
  }

  private void hookUp() {
    if (keeping != null) {
      keeping.close();
    }
    keeping =
        node.lastHook(
            output,
            gradient -> {
              grad = grad == null ? gradient : Sums.add(grad, gradient);
              return null;
            });
  }
}
