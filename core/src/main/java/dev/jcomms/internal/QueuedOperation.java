package dev.jcomms.internal;

import dev.jcomms.CommException;
import dev.jcomms.Work;
import dev.jcomms.spi.Promise;

/** An operation that waits for its turn: the lane runs it, and the {@link #promise} tells. */
final class QueuedOperation implements Lane.Job {
  private final Operation operation;
  private Promise promise;
  private volatile RuntimeException refusal;

  QueuedOperation(Operation operation) {
    this.operation = operation;
  }

  @Override
  public void numbered(long number) {
    operation.queued(number);
    promise = operation.promise();
  }

  @Override
  public Promise promise() {
    return promise;
  }

  @Override
  public Runnable run() {
    promise.start();
    Work work;
    try {
      work = operation.submit();
    } catch (Throwable t) {
      return over(operation.typed(t));
    }
    if (work.isCompleted()) {
      return over(work.failure().map(operation::typed).orElse(null));
    }
    // The backend goes on by itself: the lane is free for what comes next.
    Following.follow(work, operation.options().timeoutOr(null), this::ended);
    return () -> {};
  }

  /**
   * Why it was refused before anything moved, if it was; the promise can only tell that it failed.
   */
  RuntimeException refusal() {
    return refusal;
  }

  /** Ends it while it has the lane, as a blocking call ends; what it returns tells of that. */
  private Runnable over(RuntimeException failure) {
    operation.end(failure);
    return () -> tell(failure);
  }

  private void ended(RuntimeException thrown) {
    RuntimeException failure = thrown == null ? null : operation.typed(thrown);
    try {
      operation.end(failure);
    } finally {
      tell(failure);
    }
  }

  private void tell(RuntimeException failure) {
    if (failure == null) {
      promise.complete();
    } else {
      refusal = failure instanceof CommException ? null : failure;
      promise.fail(failure);
    }
  }
}
