package dev.jcomms.cli.bench.measure;

import dev.jcomms.Comm;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;

/** The memory of a bench: ordinary tensors, or symmetric ones. */
final class Memory {
  private Memory() {}

  /** Collective where it is symmetric. */
  static Tensor allocate(Comm comm, DType dtype, long elements, boolean symmetric) {
    Shape shape = Shape.of(elements);
    try {
      return symmetric && elements > 0 ? comm.symmetric(dtype, shape) : Tensor.empty(dtype, shape);
    } catch (OutOfMemoryError e) {
      throw new IllegalArgumentException(
          "no memory for %d elements of %s (%s); lower -e, or give -J-XX:MaxDirectMemorySize=SIZE"
              .formatted(elements, dtype, e.getMessage()),
          e);
    }
  }
}
