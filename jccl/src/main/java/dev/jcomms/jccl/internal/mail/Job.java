package dev.jcomms.jccl.internal.mail;

import dev.jcomms.BackendException;
import dev.jcomms.CommException;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.spi.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * One operation under way: its parts, and who waits for all of them. Parts are done, or it fails,
 * on any thread; it ends once, and is failed only when nobody touches its tensors any more.
 *
 * <p>Parts are added before it is begun. Run by {@link Guard#leave} to tell that it is done.
 */
final class Job implements Runnable, Deadline.Progress {
  /** Who wants to know that a job has ended: on the thread that ended it, outside the guard. */
  interface Listener {
    void ended(Job job);
  }

  /** How long who waits for a call of another thread sleeps, which nobody wakes it from. */
  private static final long NAP_NANOS = 50_000;

  /** What a job ended with that has not failed. */
  private static final Object DONE = new Object();

  private final List<Part> parts = new ArrayList<>(1);

  /** Parts that are not done; one less once all have been posted. */
  private final AtomicInteger open = new AtomicInteger();

  private final AtomicReference<Object> outcome = new AtomicReference<>();
  private boolean posted;
  private volatile boolean over;
  private volatile Thread sleeper;
  private final Listener listener;
  private final Promise promise;

  /** A job that a thread waits for in a call. */
  Job(Listener listener) {
    this(listener, null);
  }

  /** A job that goes on by itself, and ends a promise when it ends. */
  Job(Listener listener, Promise promise) {
    this.listener = listener;
    this.promise = promise;
  }

  void add(Part part) {
    parts.add(part);
    open.incrementAndGet();
  }

  List<Part> parts() {
    return parts;
  }

  /** All parts have been added and posted: true if all are done, and nobody has been told. */
  boolean begun() {
    synchronized (this) {
      posted = true;
    }
    if (failure() != null) {
      giveUp();
      return false;
    }
    return partDone();
  }

  /** One part is done: true if the job has ended with it, and is to be {@linkplain #run told}. */
  boolean partDone() {
    if (open.decrementAndGet() < 0 && outcome.compareAndSet(null, DONE)) {
      over = true;
      return true;
    }
    return false;
  }

  /**
   * Gives it up for a reason, unless it has ended: cancels its parts, and only then tells. Outside
   * the guard.
   */
  boolean fail(Throwable reason) {
    CommException failure =
        reason instanceof CommException known
            ? known
            : new BackendException(String.valueOf(reason), reason);
    synchronized (this) {
      if (!outcome.compareAndSet(null, failure)) {
        return false;
      }
      if (!posted) {
        return true; // who posts it gives it up
      }
    }
    giveUp();
    return true;
  }

  private void giveUp() {
    parts.forEach(Part::cancel);
    over = true;
    run();
  }

  /** Ended, and nobody touches its tensors any more. */
  boolean isOver() {
    return over;
  }

  /** What it failed with; null if it is done, or not over yet. */
  CommException failure() {
    return outcome.get() instanceof CommException failure ? failure : null;
  }

  @Override
  public void run() {
    listener.ended(this);
    if (promise != null) {
      CommException failure = failure();
      if (failure == null) {
        promise.complete();
      } else {
        promise.fail(failure);
      }
    }
  }

  /** Sleeps a while on the thread that waits for it, unless it is over. */
  void sleep(long nanos) {
    sleeper = Thread.currentThread();
    if (!over) {
      LockSupport.parkNanos(this, nanos);
    }
    sleeper = null;
  }

  /** Wakes the thread that sleeps, once it is over. */
  void wake() {
    Thread asleep = sleeper;
    if (asleep != null) {
      LockSupport.unpark(asleep);
    }
  }

  /** Waits a while for the end of a job that another thread waits for, or nobody. */
  void awaitEnd(long nanos) {
    try {
      if (promise == null) {
        LockSupport.parkNanos(this, Math.min(nanos, NAP_NANOS)); // another thread's call
      } else {
        promise.awaitEnd(Duration.ofNanos(Math.max(1, nanos)));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the deadline's next check sees it
    }
  }

  @Override
  public Set<Integer> missing() {
    return parts.stream()
        .filter(part -> !part.isDone())
        .map(Part::peer)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Override
  public String text() {
    List<String> waiting =
        parts.stream().filter(part -> !part.isDone()).map(Part::progress).toList();
    return waiting.size() <= 1
        ? String.join("", waiting)
        : parts.size() - waiting.size() + " of " + parts.size() + " done; " + waiting.getFirst();
  }
}
