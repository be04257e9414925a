package dev.jcomms.jccl.internal.algo;

import dev.jcomms.Collective;
import dev.jcomms.OpOptions;
import dev.jcomms.jccl.internal.transport.Deadline;

/**
 * Collectives among some ranks that are reached in one way: the ranks of a host through its memory,
 * or ranks of different hosts through sockets. Engines of parts make up the engine of a whole.
 *
 * <p>Ranks, roots and lists count within the engine's own ranks. One operation at a time, in the
 * same order on all its ranks; one thread at a time.
 */
public interface Engine extends AutoCloseable {
  /** This rank's place among the engine's ranks. */
  int rank();

  int size();

  /**
   * Performs a collective (not send, recv or a batch of them) and returns when this rank is done.
   *
   * @throws dev.jcomms.CommException as {@link dev.jcomms.spi.Backend#submit} says
   */
  void perform(Collective op, OpOptions options, Deadline deadline);

  /** The same for who knows the facts of the operation with these options already. */
  default void perform(Collective op, OpOptions options, long head, long count, Deadline deadline) {
    perform(op, options, deadline);
  }

  /**
   * Meets all the engine's ranks and compares facts: for an operation that is made of several, in
   * which ranks that disagree might wait for each other in different places.
   *
   * @throws dev.jcomms.CommMismatchException if a rank came with other facts
   */
  void agree(long head, long count, Deadline deadline);

  /**
   * Says that this rank has come, with these facts, and waits for nobody if it need not: for what
   * meets all ranks itself. {@link #confirm} follows.
   *
   * @throws dev.jcomms.CommMismatchException as {@link #agree}, here or later
   */
  default void announce(long head, long count, Deadline deadline) {
    agree(head, count, deadline);
  }

  /** Compares what was announced. */
  default void confirm(Deadline deadline) {}

  /** Whether the operation performed last took no time worth recording. Asked once. */
  default boolean wasPrompt() {
    return false;
  }

  /** The name of the algorithm it uses for an operation. */
  String algorithm(Collective op, OpOptions options);

  @Override
  void close();
}
