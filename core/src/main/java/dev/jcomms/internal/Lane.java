package dev.jcomms.internal;

import dev.jcomms.spi.Promise;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps the operations of one communicator in call order, one at a time.
 *
 * <p>A blocking call that finds the lane free runs on its caller's thread; everything else is
 * queued for the lane's own thread, which is started when first needed and leaves after a while
 * without work, or when the lane is retired. Number and place are taken in one step, so numbers are
 * the order of execution.
 *
 * <p>A blocking call takes one atomic step, when it enters. Nobody but the occupant changes the
 * state then, so leaving is a plain write; and there is no fence between that and looking for who
 * waits, since a fence waits for all that the operation has written, which others may be fetching.
 * Who waits makes up for it by looking again after a while.
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

  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** How long its thread may take to go; longer only if it is in the user's code. */
  private static final Duration FAREWELL = Duration.ofSeconds(1);

  /** How long a wait for the lane is at first: what it costs to leave unnoticed. */
  private static final long FIRST_NAP_NANOS = 20_000;

  // The state is one word, so that number and lane are taken in one step: the next number, times
  // NUMBER, and two flags.
  private static final long OCCUPIED = 1;
  // Whoever has just taken the lane goes back if somebody waits.
  private static final long ENTERING = 2;
  private static final long NUMBER = 4;

  private final String name;
  private final AtomicLong state = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<Job> queue = new ArrayDeque<>();
  private Thread worker;
  private boolean retired;

  /** Jobs in the queue and threads that wait for an idle lane. Changed under the lock alone. */
  private volatile int waiting;

  /**
   * Whoever is in the lane. Not volatile: a full fence would cost as much as all the rest here, and
   * the steps of {@link #state} keep its order.
   */
  private Thread occupant;

  Lane(String name) {
    this.name = name;
  }

  private static final VarHandle OCCUPANT = occupantField();

  private static VarHandle occupantField() {
    try {
      return MethodHandles.lookup().findVarHandle(Lane.class, "occupant", Thread.class);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** Takes the lane if it is free and nothing waits: the operation's number, or {@link #BUSY}. */
  long tryEnter() {
    if (occupant == Thread.currentThread()) {
      throw new IllegalStateException(
          "comm '" + name + "': an operation was called from inside another one (a hook?)");
    }
    long now = state.get();
    while ((now & OCCUPIED) == 0 && waiting == 0) {
      long entered = now + NUMBER + OCCUPIED;
      if (state.compareAndSet(now, entered + ENTERING)) {
        if (waiting != 0) {
          state.setRelease(now);
          return BUSY;
        }
        state.setRelease(entered);
        OCCUPANT.setOpaque(this, Thread.currentThread());
        return now / NUMBER;
      }
      now = state.get();
    }
    return BUSY;
  }

  /** Gives the lane back. */
  void leave() {
    OCCUPANT.setOpaque(this, null);
    state.setRelease(state.getPlain() - OCCUPIED);
    if (waiting != 0) {
      lock.lock();
      try {
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Queues a job behind all that came before. */
  void enqueue(Job job) {
    lock.lock();
    try {
      waiting++;
      job.numbered(settled() / NUMBER + queue.size());
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

  /** The state, when nobody is about to enter or to go back. While somebody waits. */
  private long settled() {
    long now = state.get();
    while ((now & ENTERING) != 0) {
      Thread.yield();
      now = state.get();
    }
    return now;
  }

  /** The thread that executes an operation now, if any. */
  Thread occupant() {
    return (Thread) OCCUPANT.getAcquire(this);
  }

  /** Waits until nothing runs and nothing is queued; false at the deadline. */
  boolean awaitIdle(long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      waiting++;
      long nap = FIRST_NAP_NANOS;
      while ((state.get() & OCCUPIED) != 0 || !queue.isEmpty()) {
        if (nanos <= 0) {
          return false;
        }
        long slice = Math.min(nap, nanos);
        nanos -= slice - changed.awaitNanos(slice);
        nap = Math.min(2 * nap, IDLE_NANOS);
      }
      return true;
    } finally {
      waiting--;
      lock.unlock();
    }
  }

  /** Has the lane's thread leave as soon as nothing is queued, and waits for that a moment. */
  void retire() {
    Thread leaving;
    lock.lock();
    try {
      retired = true;
      leaving = worker;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (leaving != null && leaving != Thread.currentThread()) {
      try {
        leaving.join(FAREWELL);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void work() {
    Job job;
    while ((job = take()) != null) {
      runNext(job);
    }
  }

  private void runNext(Job job) {
    // An abort may have interrupted this thread after the operation it meant had ended.
    Thread.interrupted();
    Runnable news;
    try {
      news = job.run();
    } catch (Throwable t) {
      news = () -> job.promise().fail(t);
    } finally {
      leave();
    }
    Thread.interrupted();
    try {
      news.run();
    } catch (Throwable t) {
      // Whatever happens, the next job is run and whoever waits for this one learns it.
      job.promise().fail(t);
    }
  }

  /** The next job, with the lane taken for it; null when the worker may go. */
  private Job take() {
    lock.lock();
    try {
      long nanos = IDLE_NANOS;
      long nap = FIRST_NAP_NANOS;
      while (queue.isEmpty() || !enterForQueue()) {
        try {
          if (!queue.isEmpty()) {
            changed.awaitNanos(nap);
            nap = Math.min(2 * nap, IDLE_NANOS);
            nanos = IDLE_NANOS;
          } else if (nanos > 0 && !retired) {
            nanos = changed.awaitNanos(nanos);
          } else {
            worker = null;
            return null;
          }
        } catch (InterruptedException e) {
          // An abort that came after the operation had ended: there is nothing to give up here.
        }
      }
      waiting--;
      return queue.poll();
    } finally {
      lock.unlock();
    }
  }

  /** Takes the lane for the job that is next; false if it is occupied. */
  private boolean enterForQueue() {
    long now = state.get();
    while ((now & OCCUPIED) == 0) {
      if (state.compareAndSet(now, now + NUMBER + OCCUPIED)) {
        OCCUPANT.setOpaque(this, Thread.currentThread());
        return true;
      }
      now = state.get();
    }
    return false;
  }
}
