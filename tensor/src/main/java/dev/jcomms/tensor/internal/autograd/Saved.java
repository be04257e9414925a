package dev.jcomms.tensor.internal.autograd;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.TensorAccess;

/** A tensor kept for backward, and the version it had then. */
final class Saved {
  private final Tensor tensor;
  private final long version;

  Saved(Tensor tensor) {
    this.tensor = tensor;
    this.version = TensorAccess.version(tensor.storage());
  }

  /** The header, which no in-place call changes. */
  Tensor header() {
    return tensor;
  }

  /** The tensor, if its elements are still those that were kept. */
  Tensor get(String call) {
    long now = TensorAccess.version(tensor.storage());
    if (now != version) {
      Node node = Places.requiresGrad(tensor) ? Places.node(tensor) : null;
      throw new IllegalStateException(
          call
              + ": one of the variables needed for gradient computation has been modified by an"
              + " inplace operation: ["
              + tensor.dtype()
              + " "
              + tensor.shape()
              + "]"
              + (node == null ? "" : ", which is a result of " + node.name() + ",")
              + " is at version "
              + now
              + "; expected version "
              + version
              + " instead");
    }
    return tensor;
  }
}
