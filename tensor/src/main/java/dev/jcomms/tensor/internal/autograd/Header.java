package dev.jcomms.tensor.internal.autograd;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.TensorAccess;

/** What is left of a tensor whose elements are not kept: all that a gradient must look like. */
record Header(Shape shape, DType dtype, Device device, long[] strides, long offset) {
  static Header of(Tensor t) {
    return new Header(t.shape(), t.dtype(), t.device(), TensorAccess.strides(t), t.offset());
  }
}
