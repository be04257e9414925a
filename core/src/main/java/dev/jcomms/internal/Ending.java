package dev.jcomms.internal;

import dev.jcomms.CommAbortedException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * How a communicator ends: nothing new is taken, what is on its way ends, the lane is shut, the
 * backends are closed. Once; whoever comes second waits for the first. Any thread.
 */
final class Ending {
  private final Membership self;
  private final Routes routes;
  private final Lane lane;
  private final Watch watch;
  private final Health health;
  private final Runnable forget;

  /** Who closes it; null while it is open. */
  private final AtomicReference<Thread> closing = new AtomicReference<>();

  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean shut;

  /** The refusal of what comes too late. */
  static final class Closed extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    Closed(String message) {
      super(message);
    }
  }

  Ending(Membership self, Routes routes, Lane lane, Watch watch, Health health, Runnable forget) {
    this.self = self;
    this.routes = routes;
    this.lane = lane;
    this.watch = watch;
    this.health = health;
    this.forget = forget;
  }

  /** Whether nothing new is taken any more. */
  boolean hasBegun() {
    return closing.get() != null;
  }

  /** Refuses what comes after the end has begun. */
  void requireNotBegun() {
    if (hasBegun()) {
      throw closedError();
    }
  }

  /** Refuses what comes after it was shut. */
  void requireNotShut() {
    if (shut) {
      throw closedError();
    }
  }

  /** Refuses what comes after the end: until then there may be waits for it to end. */
  void requireNotOver() {
    if (closed.getCount() == 0) {
      throw closedError();
    }
  }

  Closed closedError() {
    return new Closed(
        "comm '%s' is closed (rank %d of %d)".formatted(self.name(), self.rank(), self.size()));
  }

  /**
   * Ends it; returns when it has ended.
   *
   * @param timeout how long pending work may take
   */
  void close(Duration timeout) {
    if (lane.isMine()) {
      throw new IllegalStateException("comm '" + self.name() + "': close from inside an operation");
    }
    if (!closing.compareAndSet(null, Thread.currentThread())) {
      awaitOtherCloser();
      return;
    }
    forget.run();
    try {
      drain(timeout);
    } finally {
      boolean failed = hasFailed();
      end(() -> self.leave(failed));
    }
  }

  /** Whether it has failed, also if no operation has met that yet: a rank may be lost. */
  private boolean hasFailed() {
    if (health.poison() != null) {
      return true;
    }
    try {
      for (Routes.Route route : routes.all()) {
        route.backend().requireAlive();
      }
      return false;
    } catch (RuntimeException e) {
      return true;
    }
  }

  /** Ends it in favour of another communicator that has taken its members over. */
  void handOver(Membership next) {
    if (!closing.compareAndSet(null, Thread.currentThread())) {
      awaitOtherCloser();
      return;
    }
    forget.run();
    end(() -> self.handOver(next));
  }

  /** An interrupt does not hurry it: others wait for its farewell. */
  private void end(Runnable farewell) {
    boolean interrupted = Thread.interrupted();
    try {
      interrupted |= shut();
      farewell.run();
    } finally {
      closed.countDown();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void awaitOtherCloser() {
    if (closing.get() != Thread.currentThread()) {
      try {
        closed.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void drain(Duration timeout) {
    if (health.poison() != null) {
      return;
    }
    long deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(timeout);
    try {
      // Calls that were let in before the end began may enter meanwhile: they have their time.
      boolean idle =
          lane.awaitIdle(deadline - System.nanoTime())
              && health.awaitPending(deadline)
              && lane.shut(deadline - System.nanoTime())
              && health.awaitPending(deadline);
      if (!idle) {
        poison("close: pending work did not end within " + timeout.toSeconds() + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      poison("close was interrupted");
    }
  }

  private void poison(String reason) {
    health.poison(new CommAbortedException(reason).at(self.site("close", -1)));
  }

  /**
   * From here on nothing reaches the backends, whose memory must not go while an operation is in
   * it.
   *
   * @return whether the thread was interrupted meanwhile
   */
  private boolean shut() {
    shut = true;
    boolean interrupted = false;
    try {
      lane.awaitIdle(Health.LAST_OPERATION.toNanos());
    } catch (InterruptedException e) {
      interrupted = true;
    }
    lane.retire();
    watch.close();
    for (Routes.Route route : routes.all()) {
      try {
        route.backend().close();
      } catch (Throwable e) {
        LastWords.warn(
            "backend '" + route.name() + "' of comm '" + self.name() + "' failed to close", e);
      }
    }
    return interrupted;
  }
}
