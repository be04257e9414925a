package dev.jcomms;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * An operation on its way, as returned by the {@code …Async} methods of {@link Comm}.
 *
 * <p>Made by core and by backends; any thread may use it. It keeps the operation's tensors alive
 * until it ends.
 */
public interface Work {

  /** Where an operation stands. The last three are final. */
  enum Status {
    NOT_STARTED,
    IN_PROGRESS,
    COMPLETED,
    TIMED_OUT,
    ERROR;

    /** Whether nothing will change any more. */
    public boolean isFinal() {
      return compareTo(COMPLETED) >= 0;
    }
  }

  /** Work that is done: what a backend returns when it has finished inside {@code submit}. */
  static Work completed() {
    return CompletedWork.INSTANCE;
  }

  /** Where the operation stands now. */
  Status status();

  /** Whether the operation has ended, well or not. */
  default boolean isCompleted() {
    return status().isFinal();
  }

  /** How it failed, if it did. */
  Optional<CommException> failure();

  /**
   * Waits until the operation ends; on failed work, always throws.
   *
   * @throws CommException as the operation failed. An interrupted wait throws {@link
   *     CommAbortedException} with the thread's interrupt flag set; the operation goes on
   */
  void await();

  /**
   * Waits as {@link #await()}, but not longer than this.
   *
   * @throws CommTimeoutException if the operation has not ended by then; the operation itself goes
   *     on
   */
  void await(Duration timeout);

  /**
   * The end of the operation for composition; completes exceptionally with the {@link
   * CommException} it failed with. What follows it runs on a thread of its own, or where it has
   * completed already on the thread that adds it.
   */
  CompletionStage<Void> stage();

  /**
   * Calls {@code action} when the operation starts. If it has started already, that is at once, on
   * this thread, before this method returns; else on a thread of its own, which holds nobody up: it
   * may wait, also for another operation. The order of several is not fixed.
   *
   * <p>What it throws is logged as a warning, and neither fails the operation nor reaches who asks.
   */
  void onStart(Runnable action);

  /**
   * Calls {@code action} when the operation has ended, well or not; on which thread, and what
   * becomes of what it throws, is as with {@link #onStart}.
   */
  void onEnd(Runnable action);
}
