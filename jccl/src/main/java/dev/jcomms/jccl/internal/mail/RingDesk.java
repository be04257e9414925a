package dev.jcomms.jccl.internal.mail;

import dev.jcomms.jccl.internal.transport.Deadline;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Who moves the mail of this host's ranks through their rings: a thread in a blocking call, or a
 * daemon while nobody calls. Any thread.
 *
 * <p>At most one call drives at a time. While it does, the daemon sleeps on and is not rung for;
 * when it leaves and something is still under way, messages ring for the daemon again. So a call
 * costs no hand-over, only a look whether something came meanwhile.
 */
final class RingDesk implements AutoCloseable {
  /** How long a sleep is at most while something is under way: deaths are noticed in that time. */
  static final long SLICE_NANOS = 100_000_000;

  /** How often a call may have moved mail for others before it looks at its own deadline again. */
  private static final int MOVES = 16;

  private static final long IDLE_NANOS = 1_000_000_000;
  private static final long DEEP_NANOS = 3_600_000_000_000L;

  private final String name;
  private final List<PipedCorrespondent> peers;
  private final Guard guard;
  private final RingArea area;
  private final Bell bell;
  private final Runnable liveness;
  private final BooleanSupplier waiting;
  private final BooleanSupplier serving;
  private final Patience.Budget budget;
  private final AtomicReference<Thread> seat = new AtomicReference<>();
  private Thread daemon;
  private volatile boolean unsent;
  private volatile boolean deep;
  private volatile boolean closed;

  /**
   * @param place this rank's among the host's ranks
   * @param liveness raises the alarm if a process of the host is gone
   * @param waiting whether something is under way that peers may die over
   * @param serving whether peers may ask for something at any time
   * @param cores whether every rank of the host has a core
   */
  RingDesk(
      String name,
      List<PipedCorrespondent> peers,
      Guard guard,
      RingArea area,
      int place,
      Runnable liveness,
      BooleanSupplier waiting,
      BooleanSupplier serving,
      boolean cores) {
    this.name = name;
    this.peers = peers;
    this.guard = guard;
    this.area = area;
    this.bell = area.bell(place);
    this.liveness = liveness;
    this.waiting = waiting;
    this.serving = serving;
    this.budget = new Patience.Budget(cores, Patience.RINGS);
  }

  /** Moves what can be moved now. */
  boolean progress() {
    guard.enter();
    boolean moved = false;
    try {
      boolean left = false;
      for (int i = 0; i < peers.size(); i++) {
        PipedCorrespondent peer = peers.get(i);
        moved |= peer.progress();
        left |= peer.wantsToWrite();
      }
      if (unsent != left) {
        unsent = left;
      }
    } finally {
      guard.leave();
    }
    return moved;
  }

  /**
   * Moves mail on this thread until a job is over.
   *
   * @return false, without having done anything, if another thread does so already
   * @throws dev.jcomms.CommException as the deadline says
   */
  boolean drive(Job job, Deadline deadline) {
    if (!seat.compareAndSet(null, Thread.currentThread())) {
      return false;
    }
    bell.disarm(Bell.DAEMON);
    try {
      Patience patience = new Patience(budget);
      long looked = 0;
      int moves = 0;
      while (!job.isOver()) {
        if (progress()) {
          patience.renew();
          if (++moves % MOVES == 0) {
            deadline.check(job);
            looked = look(looked);
          }
        } else if (!patience.pause()) {
          deadline.check(job);
          sleep(job, deadline);
          looked = look(looked);
        }
      }
    } finally {
      seat.set(null);
      bell.disarm(Bell.DRIVER);
      standBy();
    }
    return true;
  }

  /** Looks whether all are alive, unless that was done just now; returns when it was done last. */
  private long look(long looked) {
    long now = System.nanoTime();
    if (now - looked < SLICE_NANOS) {
      return looked;
    }
    liveness.run();
    return now;
  }

  private void sleep(Job job, Deadline deadline) {
    int ticket = bell.ticket(Bell.DRIVER);
    bell.arm(Bell.DRIVER);
    if (!progress() && !job.isOver()) {
      bell.sleep(Bell.DRIVER, ticket, Math.min(SLICE_NANOS, deadline.leftNanos()));
    }
  }

  /** Wakes a thread whose job another thread has ended, if it drives. */
  void wake(Thread caller) {
    if (seat.get() == caller) {
      bell.rouse(Bell.DRIVER);
    }
  }

  /** Something is under way that nobody waits for in a call: from now on the daemon sees to it. */
  void standBy() {
    if (seat.get() == null && (isWaiting() || serving.getAsBoolean())) {
      start();
      bell.arm(Bell.DAEMON);
      progress();
      if (deep && isWaiting()) {
        bell.rouse(Bell.DAEMON); // to look after it in shorter turns
      }
    }
  }

  private boolean isWaiting() {
    return unsent || waiting.getAsBoolean();
  }

  private synchronized void start() {
    if (daemon == null && !closed) {
      daemon = Thread.ofPlatform().daemon().name(name + "-rings").start(this::work);
    }
  }

  private void work() {
    long idleSince = System.nanoTime();
    long looked = idleSince;
    while (!closed) {
      int ticket = bell.ticket(Bell.DAEMON);
      if (seat.get() == null) {
        bell.arm(Bell.DAEMON);
      }
      if (progress()) {
        idleSince = System.nanoTime();
        looked = look(looked);
        continue;
      }
      if (isWaiting()) {
        idleSince = System.nanoTime();
      }
      deep = System.nanoTime() - idleSince > IDLE_NANOS;
      if (deep && isWaiting()) {
        deep = false; // came between the two looks
      }
      bell.sleep(Bell.DAEMON, ticket, deep ? DEEP_NANOS : SLICE_NANOS);
      if (!deep && !closed) {
        liveness.run();
      }
      deep = false;
    }
  }

  /** Ends the daemon. Nothing is moved after this has returned. */
  @Override
  public void close() {
    Thread ending;
    synchronized (this) {
      closed = true;
      ending = daemon;
    }
    if (ending != null) {
      bell.rouse(Bell.DAEMON);
      Threads.join(ending);
    }
    // A call whose job has failed is on its way out; the memory may go once it is.
    long deadline = System.nanoTime() + IDLE_NANOS;
    while (seat.get() != null && System.nanoTime() < deadline) {
      bell.rouse(Bell.DRIVER);
      LockSupport.parkNanos(100_000);
    }
  }

  /** Says that this rank writes nothing more, also to who had no room for its goodbye. */
  void leave() {
    bell.leave();
    area.ringAll();
  }
}
