package dev.jcomms.internal;

import dev.jcomms.spi.Promise;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps the operations of one communicator in call order, one at a time.
 *
 * <p>A blocking call that finds the lane free runs on its caller's thread; everything else is
 * queued for the lane's own thread, which is started when first needed and leaves after a while
 * without work. Numbers are given out under the lock, so they are the order of execution.
 */
final class Lane {
  /** A piece of queued work; told its number before it runs. */
  interface Job {
    void numbered(long number);

    /** Does the work, and returns what is to be told once the lane is free again. */
    Runnable run();

    /** What tells of its end; there once it is numbered. */
    Promise promise();
  }

  /** What {@link #tryEnter} returns when somebody else has the lane. */
  static final long BUSY = -1;

  private static final long IDLE_SECONDS = 10;

  private final String name;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<Job> queue = new ArrayDeque<>();
  private long nextNumber;
  private Thread occupant;
  private Thread worker;

  Lane(String name) {
    this.name = name;
  }

  /** Takes the lane if it is free and nothing waits: the operation's number, or {@link #BUSY}. */
  long tryEnter() {
    lock.lock();
    try {
      if (occupant == Thread.currentThread()) {
        throw new IllegalStateException(
            "comm '" + name + "': an operation was called from inside another one (a hook?)");
      }
      if (occupant != null || !queue.isEmpty()) {
        return BUSY;
      }
      occupant = Thread.currentThread();
      return nextNumber++;
    } finally {
      lock.unlock();
    }
  }

  /** Gives the lane back. */
  void leave() {
    lock.lock();
    try {
      occupant = null;
      if (!queue.isEmpty() || lock.hasWaiters(changed)) {
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Queues a job behind all that came before. */
  void enqueue(Job job) {
    lock.lock();
    try {
      job.numbered(nextNumber++);
      queue.add(job);
      if (worker == null) {
        worker = Thread.ofPlatform().daemon().name("jcomms-" + name).unstarted(this::work);
        worker.start();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Lets the lane's own thread go on while it waits for a queued job: a callback of an operation
   * may call the next one, and nobody else would run it.
   */
  void helpUntilDone(Job job) {
    if (Thread.currentThread() != worker) {
      return;
    }
    while (!job.promise().isCompleted()) {
      Job next = take();
      if (next == null) {
        return;
      }
      runNext(next);
    }
  }

  /** The thread that executes an operation now, if any. */
  Thread occupant() {
    lock.lock();
    try {
      return occupant;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until nothing runs and nothing is queued; false at the deadline. */
  boolean awaitIdle(long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (occupant != null || !queue.isEmpty()) {
        if (nanos <= 0) {
          return false;
        }
        nanos = changed.awaitNanos(nanos);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void work() {
    Job job;
    while ((job = take()) != null) {
      runNext(job);
    }
  }

  private void runNext(Job job) {
    Runnable news;
    try {
      news = job.run();
    } finally {
      leave();
    }
    news.run();
  }

  /** The next job, with the lane taken for it; null when the worker may go. */
  private Job take() {
    lock.lock();
    try {
      long nanos = TimeUnit.SECONDS.toNanos(IDLE_SECONDS);
      while (occupant != null || queue.isEmpty()) {
        if (nanos <= 0 && queue.isEmpty()) {
          worker = null;
          return null;
        }
        try {
          nanos = changed.awaitNanos(nanos);
        } catch (InterruptedException e) {
          // An abort that came after the operation had ended: there is nothing to give up here.
        }
      }
      occupant = Thread.currentThread();
      return queue.poll();
    } finally {
      lock.unlock();
    }
  }
}
