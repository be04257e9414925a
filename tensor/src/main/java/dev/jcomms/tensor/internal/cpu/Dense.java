package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.Tensor;

/**
 * Operands as most kernels of networks want them: one element after the other, off the heap.
 *
 * <p>{@link Memory} checks an operand when it is brought into that form; from then on {@link
 * #address} is a sum.
 */
final class Dense {
  private Dense() {}

  /** The tensor itself if it is contiguous and off the heap, a copy that is otherwise. */
  static Tensor of(Tensor t) {
    Tensor dense = t.isContiguous() && Memory.isAddressable(t) ? t : t.copy();
    Memory.address(dense);
    return dense;
  }

  /** The tensor itself if it is off the heap, a contiguous copy otherwise. */
  static Tensor settled(Tensor t) {
    Tensor settled = Memory.isAddressable(t) ? t : t.copy();
    Memory.address(settled);
    return settled;
  }

  /** Where the first element lies. The caller keeps the tensor reachable. */
  static long address(Tensor t) {
    return t.storage().segment().address() + t.offset() * t.dtype().bytes();
  }
}
