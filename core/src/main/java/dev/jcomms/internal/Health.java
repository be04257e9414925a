package dev.jcomms.internal;

import dev.jcomms.BackendException;
import dev.jcomms.BootstrapException;
import dev.jcomms.Collective;
import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.PeerLostException;
import dev.jcomms.Work;
import dev.jcomms.spi.AbortableBackend;
import dev.jcomms.spi.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Whether a communicator can go on: the first failure that left its ranks out of step, and
 * everybody who has to learn it.
 *
 * <p>Once poisoned, it stays so. Any thread.
 */
final class Health {
  /** How long an operation that was aborted may take to leave the backend. */
  static final Duration LAST_OPERATION = Duration.ofSeconds(1);

  private final List<Routes.Route> routes;
  private final Consumer<String> told;
  private final AtomicReference<CommException> poison = new AtomicReference<>();
  private final Set<Promise> pending = ConcurrentHashMap.newKeySet();

  /** Null where every backend wakes its own waiters. */
  private final Waker waker;

  /** What is {@code told} gets the reason, after everybody was woken. */
  Health(List<Routes.Route> routes, Consumer<String> told) {
    this.routes = routes;
    this.told = told;
    boolean wakeThemselves =
        routes.stream().allMatch(route -> route.backend() instanceof AbortableBackend);
    this.waker = wakeThemselves ? null : new Waker();
  }

  /** The failure that poisoned it, or null. */
  CommException poison() {
    return poison.get();
  }

  /** Whether threads have to say that they are inside a backend. */
  boolean wakes() {
    return waker != null;
  }

  /** Where they say it; null if they need not. */
  Waker waker() {
    return waker;
  }

  /** Makes an abort, and a close, find whoever waits for this. */
  Promise reachable(Promise promise) {
    pending.add(promise);
    promise.whenEnded(() -> pending.remove(promise));
    CommException failure = poison.get();
    if (failure != null) {
      end(promise, failure);
    }
    return promise;
  }

  /** Waits for all that is on its way; false if some of it has not ended by then. */
  boolean awaitPending(long deadlineNanos) throws InterruptedException {
    boolean ended = true;
    for (Promise promise : pending) {
      long left = Math.max(1, deadlineNanos - System.nanoTime());
      ended &= promise.awaitEnd(Duration.ofNanos(left));
    }
    return ended;
  }

  /**
   * Whether a failure leaves the ranks out of step. A refusal does not, nor a barrier that only
   * tells, nor what is one-sided and keeps no step.
   *
   * @param op null for what is one-sided
   */
  static boolean isOutOfStep(Collective op, CommException failure, int size) {
    return switch (failure) {
      case PeerLostException _, CommMismatchException _, CommAbortedException _ -> true;
      case CommTimeoutException _ -> op != null && !(op instanceof Collective.MonitoredBarrier);
      case BackendException _ -> op != null && size > 1;
      case BootstrapException _ -> false;
    };
  }

  /** Ends everything that is on its way, and all that would come; the first failure wins. */
  void poison(CommException failure) {
    if (!poison.compareAndSet(null, failure)) {
      return;
    }
    String reason =
        failure instanceof CommAbortedException aborted ? aborted.reason() : failure.getMessage();
    for (Routes.Route route : routes) {
      if (route.backend() instanceof AbortableBackend abortable) {
        try {
          if (failure instanceof PeerLostException || failure instanceof CommMismatchException) {
            abortable.fail(failure.at(null)); // to others it is not this operation's
          } else {
            abortable.abort(reason);
          }
        } catch (Throwable e) {
          LastWords.warn("backend '" + route.name() + "' failed to abort", e);
        }
      }
    }
    for (Promise promise : pending) {
      end(promise, failure);
    }
    if (waker != null) {
      waker.wake();
    }
    told.accept(reason);
  }

  /**
   * Fails what has not begun. What is under way has been woken, and ends by itself: until then it
   * may be moving bytes of the caller's tensors, who is not to be told earlier; but once it has had
   * its time.
   */
  private static void end(Promise promise, CommException failure) {
    if (promise.status() == Work.Status.NOT_STARTED) {
      fail(promise, failure);
    } else {
      // Not in the common pool, which users may have filled with those who wait for this.
      CompletableFuture.delayedExecutor(
              LAST_OPERATION.toNanos(), TimeUnit.NANOSECONDS, Thread::startVirtualThread)
          .execute(() -> fail(promise, failure));
    }
  }

  /** Waits for an operation that was told to end: its tensors are the caller's again then. */
  static void awaitLast(Promise promise) {
    boolean interrupted = Thread.interrupted();
    try {
      promise.awaitEnd(LAST_OPERATION);
    } catch (InterruptedException again) {
      interrupted = true; // somebody is in a hurry
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void fail(Promise promise, CommException failure) {
    promise.fail(promise.site().map(failure::forLater).orElse(failure));
  }
}
