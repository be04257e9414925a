package dev.jcomms;

import java.util.Optional;

/**
 * Watches the operations of a communicator. Added by {@link Comm#addHook}; called in the order of
 * registration, on the thread that executes the operation.
 *
 * <p>{@link #before} may refuse an operation by throwing: the exception reaches the caller, nothing
 * moves, and {@link #after} of this and the earlier hooks is called with the failure. What any
 * other method throws is logged and goes no further. Every {@code before} is followed by exactly
 * one {@code after} with the same call.
 *
 * <p>A hook may start operations of the communicator that calls it. It cannot wait for them: it has
 * their turn, so a blocking call, and a wait for their end, is refused with an {@link
 * IllegalStateException}.
 */
public interface Hook {

  /** One operation on one communicator. The number counts the communicator's operations from 0. */
  record Call(Comm comm, long number, Collective op, OpOptions options) {
    /** {@code all_reduce #412 on comm 'main'}. */
    @Override
    public String toString() {
      return op.opName() + " #" + number + " on comm '" + comm.name() + "'";
    }
  }

  /** An operation is about to run, or to be told that its communicator has failed before. */
  default void before(Call call) {}

  /** An operation has ended, with a failure or without. */
  default void after(Call call, Optional<RuntimeException> failure) {}

  /** The communicator was aborted. */
  default void aborted(Comm comm, String reason) {}

  /** A graph is about to be replayed. */
  default void replay(Comm comm, CommGraph graph) {}
}
