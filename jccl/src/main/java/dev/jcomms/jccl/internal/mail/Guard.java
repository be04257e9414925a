package dev.jcomms.jccl.internal.mail;

import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock of a mailroom: whoever has it may touch pipes, desks and the letters in them.
 *
 * <p>Held for a piece of work, never while waiting, and never while anybody else's code runs: what
 * is to be told outside is kept and told by whoever leaves.
 */
final class Guard {
  private final ReentrantLock lock = new ReentrantLock();
  private ArrayDeque<Runnable> news = new ArrayDeque<>();
  private final ArrayDeque<Runnable> last = new ArrayDeque<>();

  void enter() {
    lock.lock();
  }

  /** Keeps something to be done once the guard is free again. */
  void afterwards(Runnable task) {
    news.add(task);
  }

  /**
   * As {@link #afterwards}, after all that is told so: what others say of it may come with that.
   */
  void last(Runnable task) {
    last.add(task);
  }

  /** One part of a job is done; whoever waits for the job is told if it was the last. */
  void done(Job job) {
    if (job.partDone()) {
      news.add(job);
    }
  }

  /** Lets go, and tells what has happened. */
  void leave() {
    if (news.isEmpty() && last.isEmpty()) {
      lock.unlock();
      return;
    }
    ArrayDeque<Runnable> told = news;
    news = new ArrayDeque<>();
    if (!last.isEmpty()) {
      told.addAll(last);
      last.clear();
    }
    lock.unlock();
    told.forEach(Runnable::run);
  }
}
