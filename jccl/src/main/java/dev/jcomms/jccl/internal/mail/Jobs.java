package dev.jcomms.jccl.internal.mail;

import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.PeerLostException;
import dev.jcomms.Work;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.spi.Promise;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * How jobs are begun and waited for: on the caller's thread, or by themselves. Any thread, outside
 * the guard.
 */
final class Jobs {
  private static final long GIVING_UP_NANOS = 1_000_000;

  private final int rank;
  private final Alarm alarm;
  private final Pending pending;
  private final Counters counters;
  private volatile boolean closed;

  Jobs(int rank, Alarm alarm, Pending pending, Counters counters) {
    this.rank = rank;
    this.alarm = alarm;
    this.pending = pending;
    this.counters = counters;
  }

  /**
   * Begins a job that goes on by itself.
   *
   * @param post adds the job's parts, and begins each
   * @param failed is told if it fails, before whoever waits for the work
   */
  Work start(Consumer<Job> post, Duration timeout, Consumer<CommException> failed) {
    requireOpen();
    Promise promise = new Promise();
    promise.start();
    Job job = new Job(over -> ended(over, failed), promise);
    post(post, job);
    if (job.begun()) {
      return Work.completed();
    }
    pending.add(job, timeout);
    recheck(job);
    counters.standBy(job);
    return promise;
  }

  /** Does a job, moving mail on this thread until it is over, and throws what it failed with. */
  void await(Consumer<Job> post, Deadline deadline, Consumer<CommException> failed) {
    await(post, () -> {}, deadline, failed);
  }

  /**
   * As {@link #await(Consumer, Deadline, Consumer)}.
   *
   * @param posted run before this thread waits, if it has to
   */
  void await(
      Consumer<Job> post, Runnable posted, Deadline deadline, Consumer<CommException> failed) {
    requireOpen();
    Thread caller = Thread.currentThread();
    Job job =
        new Job(
            over -> {
              ended(over, failed);
              if (Thread.currentThread() != caller) {
                counters.wake(over, caller);
              }
            });
    post(post, job);
    if (!job.begun()) {
      pending.add(job);
      posted.run(); // by now, whatever comes next and touches the same tensors waits for it
      recheck(job);
      try {
        counters.await(job, deadline);
      } catch (CommException e) {
        job.fail(alarm.isToldBy(e) ? alarm.beside() : e);
        while (!job.isOver()) {
          job.sleep(GIVING_UP_NANOS); // another thread gives it up: its tensors are still in use
        }
      }
    }
    CommException failure = job.failure();
    if (failure != null) {
      throw failure.again();
    }
  }

  /** Posts all parts of a job, or none. */
  private static void post(Consumer<Job> post, Job job) {
    try {
      post.accept(job);
    } catch (RuntimeException | Error e) {
      if (!job.parts().isEmpty()) {
        job.fail(e);
        job.begun();
      }
      throw e;
    }
  }

  private void requireOpen() {
    alarm.check();
    if (closed) {
      throw new CommAbortedException("the communicator is closed");
    }
  }

  /** Whether nothing is begun any more. */
  boolean isOver() {
    return closed || alarm.isRaised();
  }

  /** Begins nothing any more, and fails what is under way. */
  void close() {
    closed = true;
    pending.failAll(new CommAbortedException("the communicator is closed"));
  }

  private void ended(Job job, Consumer<CommException> failed) {
    pending.remove(job);
    if (job.failure() != null) {
      failed.accept(job.failure());
    }
  }

  /** What has happened before a job was pending has not reached it. */
  private void recheck(Job job) {
    if (alarm.isRaised()) {
      job.fail(alarm.beside());
    } else if (closed) {
      job.fail(new CommAbortedException("the communicator is closed"));
    }
    for (Part part : job.parts()) {
      CommException left = part.peer() == rank ? null : counters.of(part.peer()).left();
      if (left != null && !part.isDone()) {
        job.fail(cause(left));
      }
    }
  }

  /**
   * Why a peer takes part no more: it may have closed after a failure, and had no room to tell, or
   * because this rank has told of one.
   */
  CommException cause(CommException left) {
    if (left instanceof PeerLostException) {
      alarm.look();
    }
    return alarm.isRaised() ? alarm.beside() : left;
  }
}
