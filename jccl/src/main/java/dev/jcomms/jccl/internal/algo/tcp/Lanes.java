package dev.jcomms.jccl.internal.algo.tcp;

import dev.jcomms.CommAbortedException;
import dev.jcomms.jccl.internal.algo.message.Workspace;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.tcp.Lines;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;

/**
 * Ways side by side between the same ranks, each with connections, memory and a thread of its own,
 * and one that helps it: copying to and from sockets takes a core for every few gigabytes a second,
 * and large operations are worth more than one. The first lane is the calling thread's; the others'
 * threads end when they have had nothing to do for a while. One operation at a time.
 */
final class Lanes implements AutoCloseable {
  private static final long IDLE_SECONDS = 2;

  private final IntFunction<Lines> maker;
  private final int most;

  /** Grown by the thread that performs an operation; closed by any. */
  private final List<Lane> lanes = new CopyOnWriteArrayList<>();

  private final ThreadPoolExecutor threads;

  /** Held during an operation: its memory must not go. */
  private final ReentrantLock underWay = new ReentrantLock();

  private record Lane(Lines lines, Workspace space) {}

  /** What lanes do. */
  interface Work {
    void run(int lane, Lines lines, Workspace space);

    /** Whether it is worth a connection each way. */
    boolean apart();

    /** Whether its memory is one thread's alone, which then has to do all parts itself. */
    boolean isOfOneThread();
  }

  /**
   * Up to so many lanes, made when first used.
   *
   * @param most the same on all ranks
   */
  Lanes(IntFunction<Lines> maker, int most) {
    this.maker = maker;
    this.most = most;
    int others = Math.max(1, 2 * most - 1);
    this.threads =
        new ThreadPoolExecutor(
            others,
            others,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("jccl-lane-", 1).factory());
    threads.allowCoreThreadTimeOut(true);
    lane(0);
  }

  private Lane lane(int number) {
    while (lanes.size() <= number) {
      Lines lines = maker.apply(lanes.size());
      if (most > 1) {
        lines.helpedBy(threads);
      }
      lanes.add(new Lane(lines, new Workspace()));
    }
    return lanes.get(number);
  }

  /** The first. */
  Lines first() {
    return lanes.getFirst().lines();
  }

  int most() {
    return most;
  }

  /** Performs an operation on so many lanes, and returns when all are through. */
  void operation(int count, long head, long facts, Deadline deadline, Work work) {
    underWay.lock();
    try {
      if (count == 1) {
        run(0, head, facts, deadline, work);
      } else {
        runAll(count, head, facts, deadline, work);
      }
    } finally {
      underWay.unlock();
    }
  }

  private void runAll(int count, long head, long facts, Deadline deadline, Work work) {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    CountDownLatch going = new CountDownLatch(count - 1);
    lane(count - 1);
    if (work.isOfOneThread()) {
      // Every operation has the first lane: there ranks learn that they disagree.
      guard(failure, () -> run(0, head, facts, deadline, work));
    }
    for (int i = 1; i < count; i++) {
      int lane = i;
      Deadline own = deadline.ofAnotherThread();
      Runnable task =
          () -> {
            guard(failure, () -> run(lane, head, facts, own, work));
            going.countDown();
          };
      if (work.isOfOneThread() || !guard(failure, () -> threads.execute(task))) {
        task.run();
      }
    }
    if (!work.isOfOneThread()) {
      guard(failure, () -> run(0, head, facts, deadline, work));
    }
    join(going, failure);
    switch (failure.get()) {
      case null -> {}
      case Error error -> throw error;
      case Throwable thrown -> throw (RuntimeException) thrown;
    }
  }

  /** The first failure ends all lanes. */
  private boolean guard(AtomicReference<Throwable> failure, Runnable action) {
    try {
      action.run();
      return true;
    } catch (RuntimeException | Error e) {
      fail(failure, e);
      return false;
    }
  }

  private void fail(AtomicReference<Throwable> failure, Throwable reason) {
    if (failure.compareAndSet(null, reason)) {
      lanes.forEach(lane -> lane.lines.cancel());
    }
  }

  private void run(int lane, long head, long facts, Deadline deadline, Work work) {
    Lines lines = lanes.get(lane).lines;
    Workspace space = lanes.get(lane).space;
    lines.operation(head, facts, work.apart(), deadline, () -> work.run(lane, lines, space));
  }

  /** They end by themselves: by their deadline, an alarm or a failure. */
  private void join(CountDownLatch going, AtomicReference<Throwable> failure) {
    boolean interrupted = false;
    while (true) {
      try {
        going.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
        fail(failure, new CommAbortedException("the thread was interrupted", e));
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Closes the lines, which ends an operation that was aborted, and frees the memory when that has
   * ended.
   */
  @Override
  public void close() {
    threads.shutdown();
    for (Lane lane : lanes) {
      lane.lines.close();
    }
    underWay.lock();
    try {
      lanes.forEach(lane -> lane.space.close());
    } finally {
      underWay.unlock();
    }
    farewell();
  }

  /** Waits for the threads, which have nothing to do any more, to go. */
  private void farewell() {
    try {
      threads.awaitTermination(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
