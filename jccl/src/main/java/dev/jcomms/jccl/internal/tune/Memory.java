package dev.jcomms.jccl.internal.tune;

import dev.jcomms.jccl.Tuner;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.Collections;

/**
 * Where exercises have their tensors: each its own, or one after the other in two symmetric ones,
 * since those last as long as the communicator. One thread.
 */
final class Memory {
  private final DType dtype;
  private final Tensor input;
  private final Tensor output;

  private Memory(DType dtype, Tensor input, Tensor output) {
    this.dtype = dtype;
    this.input = input;
    this.output = output;
  }

  /** Enough for all of a tuner's sizes. Collective if it is symmetric. */
  static Memory of(Tuner tuner) {
    DType dtype = tuner.dtype();
    if (!tuner.symmetric()) {
      return new Memory(dtype, null, null);
    }
    // A section has one element at least.
    long most =
        Math.max(tuner.comm().size(), Collections.max(tuner.sizes()) / tuner.dtype().bytes());
    return new Memory(
        dtype,
        tuner.comm().symmetric(dtype, Shape.of(most)),
        tuner.comm().symmetric(dtype, Shape.of(most)));
  }

  DType dtype() {
    return dtype;
  }

  /** So many elements to read from, of any content. */
  Tensor input(long elements) {
    return part(input, elements);
  }

  /** So many elements to write to, of any content. */
  Tensor output(long elements) {
    return part(output, elements);
  }

  private Tensor part(Tensor symmetric, long elements) {
    return symmetric == null
        ? Tensor.zeros(dtype, Shape.of(elements))
        : symmetric.narrow(0, 0, elements);
  }
}
