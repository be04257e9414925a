package dev.jcomms;

import java.util.List;

/**
 * A sequence of operations, recorded once by {@link Comm#capture} and replayed any number of times
 * on the same tensors.
 *
 * <p>Checks, routing and preparation are done when it is recorded. A replay runs the operations in
 * order, on all ranks alike; replays of one communicator and its other operations take effect in
 * call order.
 */
public interface CommGraph extends AutoCloseable {
  /** What was recorded, in order. */
  List<Collective> operations();

  /** Runs the sequence and returns when all of it is done. */
  void replay();

  /** Starts the sequence. */
  Work replayAsync();

  /** Frees what the recording holds. Idempotent; a later replay: {@link IllegalStateException}. */
  @Override
  void close();
}
