package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;

/** Tensor memory by absolute address: what the loops of this package read and write. */
final class Ram {
  @SuppressWarnings("restricted") // the module is started with native access
  static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private Ram() {}

  /** The tensor itself if it is contiguous and off the heap, a copy that is otherwise. */
  static Tensor dense(Tensor t) {
    return t.isContiguous() && t.storage().segment().isNative() ? t : t.copy();
  }

  /** The tensor itself if it is off the heap, a contiguous copy otherwise. */
  static Tensor settled(Tensor t) {
    return t.storage().segment().isNative() ? t : t.copy();
  }

  /** Where the first element lies. The caller keeps the tensor reachable. */
  static long address(Tensor t) {
    return t.storage().segment().address() + t.offset() * t.dtype().bytes();
  }
}
