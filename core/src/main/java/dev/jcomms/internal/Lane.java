package dev.jcomms.internal;

import dev.jcomms.spi.Promise;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Keeps the operations of one communicator in call order, one at a time.
 *
 * <p>A blocking call that finds the lane free runs on its caller's thread; everything else is
 * queued for the lane's own thread, which is started when first needed and leaves after a while
 * without work, or when the lane is retired. Number and place are taken in one step, so numbers are
 * the order of execution. An operation that has begun and waits for one peer may pass the lane on.
 *
 * <p>A blocking call takes one atomic step, when it enters. Nobody but the occupant changes the
 * state then, so leaving is a plain write; and there is no fence between that and looking for who
 * waits, since a fence waits for all that the operation has written, which others may be fetching.
 * Who waits makes up for it by looking again after a while. A thread that comes again and again
 * while nobody else does gets a {@link Seat}, and enters without that step, too.
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

  private static final long NOBODY = -1;

  /** Blocking calls of one thread, with nobody else's between, for which it gets a seat. */
  private static final int OFTEN = 1000;

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
  private final ThreadFactory threads;
  private final AtomicLong state = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<Job> queue = new ArrayDeque<>();
  private Thread worker;
  private boolean retired;

  /** Occupied for good. Changed under the lock. */
  private boolean shut;

  /** The newest seat. Changed by who has the lane by an atomic step, under the lock. */
  private volatile Seat seat = Seat.FREE;

  /** Who last had the lane by an atomic step, and how often in a row. Who has it changes it. */
  private long visitor = NOBODY;

  private int visits;

  /** Jobs in the queue and threads that wait for an idle lane. Changed under the lock alone. */
  private volatile int waiting;

  /**
   * The id of the thread that is in the lane, or {@link #NOBODY}. Not volatile: a full fence would
   * cost as much as all the rest here, and the steps of {@link #state} keep its order. Not a
   * reference: some collectors have a fence for those, too.
   */
  private long occupant = NOBODY;

  /** Operations that have passed the lane on and are not over. */
  private final AtomicInteger abroad = new AtomicInteger();

  /** Threads, and how many, that are in users' code of an operation which is not in the lane. */
  private final Set<Long> callers = ConcurrentHashMap.newKeySet();

  private final AtomicInteger calling = new AtomicInteger();

  Lane(String name) {
    this(name, Thread.ofPlatform().daemon().name("jcomms-" + name).factory());
  }

  Lane(String name, ThreadFactory threads) {
    this.name = name;
    this.threads = threads;
  }

  private static final VarHandle OCCUPANT = occupantField();

  private static VarHandle occupantField() {
    try {
      return MethodHandles.lookup().findVarHandle(Lane.class, "occupant", long.class);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** Takes the lane if it is free and nothing waits: the operation's number, or {@link #BUSY}. */
  long tryEnter() {
    long thread = Thread.currentThread().threadId();
    if (occupant == thread || isCaller(thread)) {
      throw new IllegalStateException(
          "comm '" + name + "': an operation was called from inside another one (a hook?)");
    }
    if (!seat.tryEnter(thread)) {
      return compete(thread);
    }
    long now = state.getPlain();
    state.setRelease(now + NUMBER);
    seat.sit();
    OCCUPANT.setOpaque(this, thread);
    return now / NUMBER;
  }

  private long compete(long thread) {
    long now = state.get();
    while ((now & OCCUPIED) == 0 && waiting == 0 && seat.isFree()) {
      long entered = now + NUMBER + OCCUPIED;
      if (state.compareAndSet(now, entered + ENTERING)) {
        if (waiting != 0) {
          state.setRelease(now);
          return BUSY;
        }
        state.setRelease(entered);
        OCCUPANT.setOpaque(this, thread);
        visit(thread);
        return now / NUMBER;
      }
      now = state.get();
    }
    return BUSY;
  }

  /** Gives a thread that comes often a seat. */
  private void visit(long thread) {
    visits = thread == visitor ? visits + 1 : 0;
    visitor = thread;
    if (visits >= OFTEN && Seat.isPossible() && lock.tryLock()) {
      visits = 0;
      if (waiting == 0) {
        seat = new Seat(thread);
      }
      lock.unlock();
    }
  }

  /** Gives the lane back. */
  void leave() {
    OCCUPANT.setOpaque(this, NOBODY);
    if (seat.isTaken()) {
      seat.leave();
    } else {
      state.setRelease(state.getPlain() - OCCUPIED);
    }
    tellWaiting();
  }

  /** Gives the lane back while the operation in it goes on, until it is {@link #over}. */
  void passOn() {
    abroad.incrementAndGet();
    leave();
  }

  /** The end of an operation that has passed the lane on. */
  void over() {
    abroad.decrementAndGet();
    tellWaiting();
  }

  private void tellWaiting() {
    if (waiting != 0) {
      lock.lock();
      try {
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Queues a job behind all that came before; false if it was shut. */
  boolean enqueue(Job job) {
    lock.lock();
    try {
      if (shut) {
        return false;
      }
      requireWorker();
      waiting++;
      // Whatever fails now, it is not counted for good.
      boolean queued = false;
      try {
        seat.withdraw();
        job.numbered(settled() / NUMBER + queue.size());
        queued = queue.add(job);
      } finally {
        waiting -= queued ? 0 : 1;
      }
      changed.signalAll();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Starts the lane's thread unless it runs; there may be no more threads to be had. */
  private void requireWorker() {
    if (worker == null) {
      Thread thread = threads.newThread(this::work);
      thread.start();
      worker = thread;
    }
  }

  /**
   * The state, when nobody is about to enter or to go back. While somebody waits, and the seat is
   * withdrawn.
   */
  private long settled() {
    // First: who has sat down has taken its number before.
    while (seat.isBeingTaken()) {
      Thread.yield();
    }
    long now = state.get();
    while ((now & ENTERING) != 0) {
      Thread.yield();
      now = state.get();
    }
    return now;
  }

  /** Whether this thread is in the lane, or in users' code of an operation that was. */
  boolean isMine() {
    long thread = Thread.currentThread().threadId();
    return (long) OCCUPANT.getOpaque(this) == thread || isCaller(thread);
  }

  private boolean isCaller(long thread) {
    return calling.get() != 0 && callers.contains(thread);
  }

  /** Calls users' code that belongs to an operation: as in the lane, nothing waits in there. */
  void call(Runnable code) {
    if (isMine()) {
      code.run();
      return;
    }
    long thread = Thread.currentThread().threadId();
    callers.add(thread);
    calling.incrementAndGet();
    try {
      code.run();
    } finally {
      calling.decrementAndGet();
      callers.remove(thread);
    }
  }

  /** Refuses to wait for what comes after the operation that this thread is in. */
  void requireOutside() {
    if (isMine()) {
      throw new IllegalStateException(
          "comm '" + name + "': a wait for an operation inside another one (a hook?)");
    }
  }

  /** Waits until nobody has the lane and nothing is queued; false at the deadline. */
  boolean awaitFree(long nanos) throws InterruptedException {
    return await(nanos, this::isFree);
  }

  /** Waits until nothing runs and nothing is queued; false at the deadline. */
  boolean awaitIdle(long nanos) throws InterruptedException {
    return await(nanos, () -> isFree() && abroad.get() == 0);
  }

  private boolean isFree() {
    return (state.get() & OCCUPIED) == 0 && seat.isFree();
  }

  /** Waits as {@link #awaitIdle}, and lets nobody in from then on; not if it is false. */
  boolean shut(long nanos) throws InterruptedException {
    return await(nanos, () -> shut = enterLast());
  }

  private boolean enterLast() {
    if (!enter(OCCUPIED)) {
      return false;
    }
    // Only now: who has just passed it on was counted before.
    if (abroad.get() == 0) {
      return true;
    }
    state.setRelease(state.getPlain() - OCCUPIED);
    return false;
  }

  private boolean await(long nanos, BooleanSupplier free) throws InterruptedException {
    lock.lock();
    try {
      waiting++;
      seat.withdraw();
      long nap = FIRST_NAP_NANOS;
      while (!shut && !(queue.isEmpty() && free.getAsBoolean())) {
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
      try {
        runNext(job);
      } catch (Throwable t) {
        LastWords.warn("comm '" + name + "': an operation's end could not be told", t);
      }
    }
  }

  private void runNext(Job job) {
    // An abort may have interrupted this thread after the operation it meant had ended.
    Thread.interrupted();
    // Whatever happens, the next job is run and whoever waits for this one learns it.
    Runnable news = null;
    Throwable thrown = null;
    try {
      news = job.run();
    } catch (Throwable t) {
      thrown = t;
    } finally {
      leave();
    }
    Thread.interrupted();
    try {
      if (thrown == null) {
        news.run();
      }
    } catch (Throwable t) {
      thrown = t;
    }
    if (thrown != null) {
      job.promise().fail(thrown);
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
    boolean entered = enter(NUMBER + OCCUPIED);
    if (entered) {
      OCCUPANT.setOpaque(this, Thread.currentThread().threadId());
    }
    return entered;
  }

  private boolean enter(long change) {
    long now = state.get();
    while ((now & OCCUPIED) == 0 && seat.isFree()) {
      if (state.compareAndSet(now, now + change)) {
        return true;
      }
      now = state.get();
    }
    return false;
  }
}
