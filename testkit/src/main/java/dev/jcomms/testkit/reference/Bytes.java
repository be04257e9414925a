package dev.jcomms.testkit.reference;

import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Contiguous tensors as plain bytes. */
final class Bytes {
  private Bytes() {}

  static byte[] of(Tensor tensor) {
    return tensor.segment().toArray(ValueLayout.JAVA_BYTE);
  }

  /** Writes exactly the tensor's bytes. */
  static void write(Tensor tensor, byte[] bytes) {
    if (bytes.length != tensor.bytes()) {
      throw new IllegalStateException(
          "bytes=" + bytes.length + " do not fill a tensor of bytes=" + tensor.bytes());
    }
    MemorySegment.copy(MemorySegment.ofArray(bytes), 0, tensor.segment(), 0, bytes.length);
  }

  static boolean overlap(Tensor a, Tensor b) {
    return a.segment().asOverlappingSlice(b.segment()).isPresent();
  }
}
