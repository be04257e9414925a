package dev.jcomms.parallel;

import dev.jcomms.tensor.Tensor;

/** A parameter that is trained, and its place in a bucket. */
final class Slot {
  final String name;
  final Tensor parameter;
  final int index;

  Bucket bucket;
  Tensor view; // of the bucket's memory, with the parameter's shape
  boolean arrived; // in the pass that runs
  private Tensor kept; // a copy of the gradient, if the average may have to be undone

  Slot(String name, Tensor parameter, int index) {
    this.name = name;
    this.parameter = parameter;
    this.index = index;
  }

  /** Whether the gradient lies in the bucket already. */
  boolean isInPlace() {
    Tensor grad = parameter.grad();
    return grad != null
        && grad.storage() == view.storage()
        && grad.offset() == view.offset()
        && grad.isContiguous();
  }

  /** Puts the gradient into the bucket: zeros if there is none. */
  void gather() {
    Tensor grad = parameter.grad();
    if (grad == null) {
      view.zero();
    } else if (!isInPlace()) {
      view.copyFrom(grad);
    }
  }

  /** Remembers a gradient that lies in the bucket, where the average takes its place. */
  void keep() {
    kept = isInPlace() ? view.copy() : null;
  }

  /** Has the gradient be what it was: no rank has used the parameter. */
  void putBack() {
    if (kept != null) {
      view.copyFrom(kept);
    }
    kept = null;
  }

  /** Brings the average back. */
  void scatter(boolean asView) {
    kept = null;
    Tensor grad = parameter.grad();
    if (asView && view.device().equals(parameter.device())) {
      if (!isInPlace()) {
        parameter.setGrad(view);
      }
    } else if (grad == null) {
      parameter.setGrad(
          view.device().equals(parameter.device()) ? view.copy() : view.to(parameter.device()));
    } else if (!isInPlace()) {
      grad.copyFrom(view);
    }
  }
}
