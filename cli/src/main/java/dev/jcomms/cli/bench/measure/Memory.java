package dev.jcomms.cli.bench.measure;

import dev.jcomms.Comm;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;

/** The memory of a bench: ordinary tensors, or symmetric ones. */
final class Memory {
  private Memory() {}

  static Tensor allocate(Comm comm, DType dtype, long elements, boolean symmetric) {
    Shape shape = Shape.of(elements);
    try {
      return symmetric ? symmetric(comm, dtype, shape) : Tensor.empty(dtype, shape);
    } catch (OutOfMemoryError e) {
      throw new IllegalArgumentException(
          "no memory for %d elements of %s (%s); lower -e, or give -J-XX:MaxDirectMemorySize=SIZE"
              .formatted(elements, dtype, e.getMessage()),
          e);
    }
  }

  /** Collective. */
  private static Tensor symmetric(Comm comm, DType dtype, Shape shape) {
    throw new UnsupportedOperationException(
        "--symmetric: this build has no symmetric tensors (%s %s, backend %s)"
            .formatted(dtype, shape, comm.backend()));
  }
}
