package dev.jcomms.internal;

import dev.jcomms.Codec;
import dev.jcomms.ObjectCollectives;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;

/** Values as u8 tensors, with the bound that protects a rank from a peer's claim. */
final class ObjectBytes {
  private ObjectBytes() {}

  static <T> byte[] encode(T value, Codec<T> codec) {
    byte[] bytes = codec.encode(value);
    bounded(bytes.length);
    return bytes;
  }

  static Tensor tensor(byte[] bytes) {
    return Tensor.wrap(bytes, DType.U8, Shape.of(bytes.length));
  }

  static Tensor room(long bytes) {
    return Tensor.zeros(DType.U8, Shape.of(bounded(bytes)));
  }

  static long bounded(long bytes) {
    if (bytes < 0 || bytes > ObjectCollectives.MAX_OBJECT_BYTES) {
      throw new IllegalArgumentException(
          "object of bytes=" + bytes + "; at most " + ObjectCollectives.MAX_OBJECT_BYTES);
    }
    return bytes;
  }
}
