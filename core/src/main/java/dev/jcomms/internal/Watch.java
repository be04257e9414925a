package dev.jcomms.internal;

import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Gives up a call that waits where no failure would reach it: looks now and then, on a thread of
 * its own, and interrupts the caller once it must not go on.
 */
final class Watch implements Runnable {
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Waker waker = new Waker();
  private final Runnable check;
  private CommException failure;
  private boolean over;

  private Watch(Runnable check) {
    this.check = check;
  }

  /**
   * What the call returns or throws; what the check has thrown, if that ended it.
   *
   * @param name of the thread that looks
   * @param check throws a {@link CommException} when the call is to be given up
   */
  static <T> T during(String name, Supplier<T> call, Runnable check) {
    Watch watch = new Watch(check);
    watch.waker.enter();
    Thread.ofPlatform().daemon().name("jcomms-watch-" + name).start(watch);
    try {
      return call.get();
    } catch (RuntimeException e) {
      throw watch.reason(e);
    } finally {
      watch.end();
      watch.waker.leave();
    }
  }

  @Override
  public void run() {
    try {
      while (!isOver()) {
        check.run();
      }
    } catch (CommException e) {
      give(e);
    } catch (RuntimeException e) {
      give(new CommAbortedException(e.getMessage(), e)); // it is closed, say
    }
  }

  private synchronized boolean isOver() {
    if (!over) {
      try {
        wait(PAUSE.toMillis());
      } catch (InterruptedException e) {
        over = true;
      }
    }
    return over;
  }

  private synchronized void give(CommException reason) {
    if (!over) {
      failure = reason;
      waker.wake();
    }
  }

  /** Why the call failed: what was seen from here, before what it made of the interrupt. */
  private synchronized RuntimeException reason(RuntimeException thrown) {
    if (failure == null) {
      return thrown;
    }
    failure.addSuppressed(thrown);
    return failure;
  }

  private synchronized void end() {
    over = true;
    notifyAll();
  }
}
