package dev.jcomms;

import dev.jcomms.tensor.Tensor;

/**
 * Sends and receives that are issued together and progress together, so that a ring of ranks that
 * all send first does not lock up. Made by {@link Comm#batch()}; used by one thread, and issued
 * once.
 *
 * <p>Peers and tensors are checked when added: {@link IllegalArgumentException}. Issuing an empty
 * batch, or one twice: {@link IllegalStateException}.
 */
public interface Batch {
  /** Adds a send. */
  default Batch send(Tensor tensor, int dst) {
    return send(tensor, dst, 0);
  }

  /** Adds a send with a tag. */
  Batch send(Tensor tensor, int dst, int tag);

  /** Adds a receive. */
  default Batch recv(Tensor tensor, int src) {
    return recv(tensor, src, 0);
  }

  /** Adds a receive with a tag. */
  Batch recv(Tensor tensor, int src, int tag);

  /** Runs all that was added and returns when all is done. */
  default void issue() {
    issue(OpOptions.DEFAULT);
  }

  /** Runs all that was added and returns when all is done. */
  void issue(OpOptions options);

  /** Starts all that was added. */
  default Work issueAsync() {
    return issueAsync(OpOptions.DEFAULT);
  }

  /** Starts all that was added. */
  Work issueAsync(OpOptions options);
}
