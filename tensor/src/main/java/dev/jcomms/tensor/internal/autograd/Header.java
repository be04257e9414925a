package dev.jcomms.tensor.internal.autograd;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;

/** What a gradient must look like: the tensor it belongs to, without its elements. */
record Header(Shape shape, DType dtype, Device device) {
  static Header of(Tensor t) {
    return new Header(t.shape(), t.dtype(), t.device());
  }
}
