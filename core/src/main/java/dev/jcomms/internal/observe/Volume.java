package dev.jcomms.internal.observe;

import dev.jcomms.Collective;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;

/**
 * How much an operation moves, as records tell it: the bytes of its inputs, or of its outputs where
 * it reads nothing.
 *
 * @param dtype null for an operation without tensors
 */
record Volume(long bytes, DType dtype) {
  private static final Volume NONE = new Volume(0, null);

  static Volume of(Collective op) {
    if (op instanceof Collective.AllReduce(_, Tensor input, _)) {
      return new Volume(input.bytes(), input.dtype());
    }
    var tensors = op.inputs().isEmpty() ? op.outputs() : op.inputs();
    if (tensors.isEmpty()) {
      return NONE;
    }
    return new Volume(tensors.stream().mapToLong(Tensor::bytes).sum(), tensors.getFirst().dtype());
  }
}
