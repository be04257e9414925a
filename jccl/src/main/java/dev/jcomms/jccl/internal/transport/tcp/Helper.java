package dev.jcomms.jccl.internal.transport.tcp;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * A second thread for what goes out, while the one that performs the operation takes what comes in:
 * copying to and from a socket takes a core each.
 *
 * <p>Nobody depends on it: whoever of the two finds a line free writes to it. It stays for as long
 * as there is something to write, and a little longer, since to call it again takes longer.
 */
final class Helper implements Runnable {
  private static final long LINGER_NANOS = 200_000;

  private final Executor threads;
  private final Line[] lines;
  private final Runnable news;
  private volatile boolean here;
  private volatile boolean dismissed;

  /** Bytes written, failures found and times left; of the helper's thread to write. */
  private volatile long progress;

  /**
   * @param lines null where there is none
   * @param news is run after progress
   */
  Helper(Executor threads, Line[] lines, Runnable news) {
    this.threads = threads;
    this.lines = lines;
    this.news = news;
  }

  /** Calls it, if it is not here. Of the thread that performs the operation. */
  void call() {
    if (!here) {
      here = true;
      try {
        threads.execute(this);
      } catch (RejectedExecutionException e) {
        here = false; // closed: whoever called will soon learn it
      }
    }
  }

  boolean isHere() {
    return here;
  }

  /** Grows with whatever it has done. */
  long progress() {
    return progress;
  }

  /** Has it go, for good. Any thread. */
  void dismiss() {
    dismissed = true;
  }

  @Override
  public void run() {
    try {
      help();
    } finally {
      // Whoever sleeps may have left it to this thread to find out that a socket has room again.
      progress++;
      here = false;
      news.run();
    }
  }

  private void help() {
    long start = System.nanoTime();
    while (!dismissed && System.nanoTime() - start < LINGER_NANOS) {
      long done = 0;
      for (Line line : lines) {
        if (line != null) {
          done += line.help();
        }
      }
      if (done > 0) {
        progress += done;
        news.run();
        start = System.nanoTime();
      } else {
        Thread.onSpinWait();
      }
    }
  }
}
