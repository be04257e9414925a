package dev.jcomms.spi;

import dev.jcomms.BackendException;
import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.Work;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Work that its maker completes: what a backend returns for an operation that outlasts {@code
 * submit}. Any thread; the first of {@link #complete} and {@link #fail} wins and the later ones do
 * nothing.
 */
public final class Promise implements Work {
  /** Callbacks may wait, also for the next operation: never on the thread that ended this one. */
  private static final Executor CALLBACKS =
      callback -> Thread.ofVirtual().name("jcomms-callback").start(callback);

  private static final Promise AT_ONCE = new Promise(null);

  static {
    AT_ONCE.complete();
  }

  private final CompletableFuture<Void> started = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final CommException.Site site;
  private final Runnable beforeWait;

  /**
   * Work that ended at once: as {@link Work#completed}, and so soon that core takes the start for
   * the end in its records, instead of reading the clock, which can cost as much as a small
   * operation; and the time of the operation before for the start, if the backend did not say that
   * this one was under way.
   */
  public static Work endedAtOnce() {
    return AT_ONCE;
  }

  /** A promise of a backend, to which core adds where it is. */
  public Promise() {
    this(null);
  }

  /** A promise about a known operation, which its errors will name. */
  public Promise(CommException.Site site) {
    this(site, () -> {});
  }

  /**
   * As {@link #Promise(CommException.Site)}.
   *
   * @param beforeWait run by whoever is about to wait for the end in a call, which it may refuse by
   *     throwing: who would wait for itself
   */
  public Promise(CommException.Site site, Runnable beforeWait) {
    this.site = site;
    this.beforeWait = beforeWait;
  }

  /** What it is about, if that is known. */
  public Optional<CommException.Site> site() {
    return Optional.ofNullable(site);
  }

  /** Says that the operation has begun. */
  public void start() {
    started.complete(null);
  }

  /** Says that the operation is done; true if it had not ended before. */
  public boolean complete() {
    started.complete(null);
    return ended.complete(null);
  }

  /** Says how the operation failed; true if it had not ended before. */
  public boolean fail(Throwable failure) {
    CommException typed =
        failure instanceof CommException known
            ? known
            : new BackendException(String.valueOf(failure), failure);
    boolean first = ended.completeExceptionally(at(typed));
    started.complete(null);
    return first;
  }

  @Override
  public Status status() {
    if (!ended.isDone()) {
      return started.isDone() ? Status.IN_PROGRESS : Status.NOT_STARTED;
    }
    if (!ended.isCompletedExceptionally()) {
      return Status.COMPLETED;
    }
    return ended.exceptionNow() instanceof CommTimeoutException ? Status.TIMED_OUT : Status.ERROR;
  }

  @Override
  public Optional<CommException> failure() {
    return ended.isCompletedExceptionally()
        ? Optional.of((CommException) ended.exceptionNow())
        : Optional.empty();
  }

  @Override
  public void await() {
    requireWaitable();
    try {
      ended.get();
    } catch (ExecutionException e) {
      throw ((CommException) e.getCause()).again();
    } catch (InterruptedException e) {
      throw at(interrupted(e));
    }
  }

  @Override
  public void await(Duration timeout) {
    requireWaitable();
    try {
      ended.get(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw ((CommException) e.getCause()).again();
    } catch (InterruptedException e) {
      throw at(interrupted(e));
    } catch (TimeoutException e) {
      throw at(
          new CommTimeoutException(timeout, "the wait has ended, the operation goes on", Set.of()));
    }
  }

  private void requireWaitable() {
    if (!ended.isDone()) {
      beforeWait.run();
    }
  }

  /** Waits for the end, good or bad: true if it came in time. */
  public boolean awaitEnd(Duration timeout) throws InterruptedException {
    try {
      ended.get(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
      return true;
    } catch (ExecutionException e) {
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }

  private static CommAbortedException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new CommAbortedException("the wait was interrupted, the operation goes on", e);
  }

  private CommException at(CommException failure) {
    return site == null || failure.comm() != null ? failure : failure.at(site);
  }

  @Override
  public CompletionStage<Void> stage() {
    CompletableFuture<Void> told = new CompletableFuture<>();
    ended.whenCompleteAsync(
        (_, failure) -> {
          if (failure == null) {
            told.complete(null);
          } else {
            told.completeExceptionally(failure);
          }
        },
        CALLBACKS);
    return told.minimalCompletionStage();
  }

  @Override
  public void onStart(Runnable action) {
    call(action, started);
  }

  @Override
  public void onEnd(Runnable action) {
    call(action, ended);
  }

  private static void call(Runnable action, CompletableFuture<Void> event) {
    Objects.requireNonNull(action, "action");
    if (event.isDone()) {
      run(action);
    } else {
      event.whenCompleteAsync((_, _) -> run(action), CALLBACKS);
    }
  }

  private static void run(Runnable callback) {
    try {
      callback.run();
    } catch (Throwable t) {
      // Neither the operation nor who asks has failed by it, whoever runs it.
      System.getLogger("dev.jcomms").log(Level.WARNING, "a callback of work failed", t);
    }
  }

  /**
   * As {@link #onEnd}, but on the thread that ends the operation. For core and backends: what is
   * done here is short and waits for nothing.
   */
  public void whenEnded(Runnable action) {
    ended.whenComplete((_, _) -> action.run());
  }

  @Override
  public String toString() {
    return "Work[" + status() + "]";
  }
}
