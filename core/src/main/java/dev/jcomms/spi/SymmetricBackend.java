package dev.jcomms.spi;

import dev.jcomms.OpOptions;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;

/**
 * A backend with memory that all its ranks can reach, so that an operation on it moves each byte
 * once. Core checks state and dtype before it calls.
 *
 * <p>A symmetric tensor is a tensor like any other: every operation takes it, and views of it, at
 * any offset, beside ordinary tensors, also where other ranks bring ordinary ones. Whether all have
 * brought symmetric ones is for the ranks to find out; it is not to be assumed.
 */
public interface SymmetricBackend extends Backend {
  /**
   * A new contiguous tensor of zeros, this rank's own, on the communicator's device; its memory is
   * valid until {@link #close}, and refuses access from then on.
   *
   * <p>Collective, in turn with the communicator's operations: no other call of {@code submit} or
   * of this method is under way. Returns when every rank's memory can be reached, or fails by the
   * deadline of the options.
   *
   * @throws dev.jcomms.CommMismatchException if ranks ask for different things; {@link
   *     Fingerprint#symmetric} tells
   * @throws UnsupportedOperationException on every rank alike, where not all of them share memory
   */
  Tensor symmetric(DType dtype, Shape shape, OpOptions options);
}
