package dev.jcomms.spi;

import dev.jcomms.Collective;
import dev.jcomms.OpOptions;
import dev.jcomms.Work;
import dev.jcomms.tensor.DType;
import java.util.Set;
import java.util.function.Supplier;

/**
 * One rank's end of a communicator, as a backend author writes it. What else a backend can do is
 * said by the interfaces it implements: {@link AbortableBackend}, {@link GraphBackend}, {@link
 * WindowBackend}.
 *
 * <p>Core checks every argument, keeps the order of calls, records, times and reports: a backend
 * repeats none of that.
 */
public interface Backend extends AutoCloseable {
  /** The kinds of operation it has. Core refuses the others and says which these are. */
  Set<Class<? extends Collective>> supports();

  /** The element types it moves. */
  default Set<DType> dtypes() {
    return Set.of(DType.values());
  }

  /**
   * Performs an operation.
   *
   * <p>Called in call order and by one thread at a time, not always the same. It may do everything
   * before it returns ({@link Work#completed()}) or return work that it completes later ({@link
   * Promise}); in that case operations submitted afterwards still take effect in order.
   *
   * <p>It waits no longer than {@code options.timeout()}, which is always present, counted from the
   * call; it gives up when the thread is interrupted. Failures are thrown, or fail the work: {@link
   * dev.jcomms.CommTimeoutException}, {@link dev.jcomms.PeerLostException}, {@link
   * dev.jcomms.CommMismatchException}, {@link dev.jcomms.CommAbortedException}; anything else
   * reaches the user as {@link dev.jcomms.BackendException}.
   */
  Work submit(Collective op, OpOptions options);

  /**
   * As {@link #submit}, for a caller that waits for the end on this thread. A backend that would
   * return pending work may drive it to its end here instead, and spare the hand-over.
   */
  default Work perform(Collective op, OpOptions options, Turn turn) {
    turn.begun();
    return submit(op, options);
  }

  /** The turn of an operation that is performed. Told by the thread that performs it. */
  interface Turn {
    /**
     * The operation is under way, and has waited for nobody yet: core takes its records here. A
     * backend that first gives others what they wait for makes these records while time passes
     * anyway. What says nothing is recorded when it has ended.
     */
    void begun();

    /**
     * The operation goes on as pending work does: those that come after it may be given to the
     * backend now, by other threads. For what waits for one other rank, a message say, which must
     * not hold up a message that this one may be waiting for. Of a backend that is no {@link
     * AbortableBackend} it is ignored.
     */
    void passOn();
  }

  /**
   * The name of the algorithm it uses for an operation, for records; empty where there is only one.
   * Depends on nothing that ranks could disagree about.
   */
  default String algorithm(Collective op, OpOptions options) {
    return "";
  }

  /**
   * How its ranks reach each other, for records: {@code local} for the memory of one JVM, {@code
   * shm} for that of one host, {@code tcp}, {@code mixed} for both inside and between hosts, or a
   * word of its own; empty where it does not say. The same on all ranks.
   */
  default String transport() {
    return "";
  }

  /**
   * Lets this rank do something together with the others that is none of the backend's operations
   * but has its turn among them, as {@link #submit} says: a split, a monitored barrier. A backend
   * whose ranks know of each other tells one that waits in an operation instead, and this one
   * through {@link #requireAlive}, that they disagree.
   *
   * @param what its name, for messages: {@code split}
   * @param meeting returns when all ranks have come, or fails
   */
  default <T> T aside(String what, Supplier<T> meeting) {
    return meeting.get();
  }

  /**
   * Throws the failure that no operation can get past, if there is one: a lost peer, say, that no
   * operation has met yet. Asked now and then while ranks wait for each other outside the backend,
   * as in a split. Any thread; waits for nothing.
   */
  default void requireAlive() {}

  /**
   * The ranks that are known to have closed this communicator: they come to nothing any more. Asked
   * as {@link #requireAlive} is. Any thread; waits for nothing.
   */
  default Set<Integer> departed() {
    return Set.of();
  }

  /** Frees everything. No operation is under way, or the communicator was aborted. Called once. */
  @Override
  void close();
}
