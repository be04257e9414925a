package dev.jcomms.internal;

import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Gives up calls that wait where no failure would reach them: looks now and then, and interrupts
 * the caller once it must not go on. Any thread.
 *
 * <p>It looks on a thread of its own, which stays for a while after a call: most calls are over
 * before it would look, and cost no more than to be noted.
 */
final class Watch implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(50);

  /** Pauses without a call after which the thread goes. */
  private static final int LINGERS = 20;

  private static final Duration FAREWELL = Duration.ofSeconds(1);

  private final String name;
  private final List<Call> calls = new ArrayList<>();
  private Thread looking;

  /**
   * @param name of the thread that looks
   */
  Watch(String name) {
    this.name = "jcomms-watch-" + name;
  }

  /** A call that is watched. */
  private static final class Call {
    final Waker waker = new Waker();
    final Runnable check;
    CommException failure;
    boolean over;

    Call(Runnable check) {
      this.check = check;
    }

    void look() {
      try {
        check.run();
      } catch (CommException e) {
        give(e);
      } catch (RuntimeException e) {
        give(new CommAbortedException(e.getMessage(), e)); // it is closed, say
      }
    }

    private synchronized void give(CommException reason) {
      if (!over && failure == null) {
        failure = reason;
        waker.wake();
      }
    }

    /** Why the call failed: what was seen from here, not what it made of the interrupt. */
    synchronized RuntimeException reason(RuntimeException thrown) {
      boolean refused =
          thrown instanceof IllegalArgumentException
              || thrown instanceof UnsupportedOperationException;
      return failure == null || refused ? thrown : failure;
    }

    synchronized void end() {
      over = true;
      waker.leave();
    }
  }

  /**
   * What the call returns or throws; what the check has thrown, if that ended it.
   *
   * @param check throws a {@link CommException} when the call is to be given up
   */
  <T> T during(Supplier<T> call, Runnable check) {
    Call watched = new Call(check);
    watched.waker.enter();
    begin(watched);
    try {
      return call.get();
    } catch (RuntimeException e) {
      throw watched.reason(e);
    } finally {
      end(watched);
      watched.end();
    }
  }

  private synchronized void begin(Call call) {
    if (looking == null) {
      looking = Thread.ofPlatform().daemon().name(name).start(this::look);
    }
    calls.add(call);
  }

  private synchronized void end(Call call) {
    calls.remove(call);
  }

  private void look() {
    for (List<Call> now; (now = next()) != null; ) {
      now.forEach(Call::look);
    }
  }

  /** What is to be looked at after a pause; null if the thread may go. */
  private synchronized List<Call> next() {
    for (int pauses = 0; looking == Thread.currentThread() && pauses < LINGERS; pauses++) {
      try {
        wait(PAUSE.toMillis());
      } catch (InterruptedException e) {
        break;
      }
      if (!calls.isEmpty()) {
        return List.copyOf(calls);
      }
    }
    if (looking == Thread.currentThread()) {
      looking = null;
    }
    return null;
  }

  /** Has the thread go, and waits for that a moment: it may be looking. */
  @Override
  public void close() {
    Thread leaving = dismiss();
    if (leaving != null && leaving != Thread.currentThread()) {
      try {
        leaving.join(FAREWELL);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized Thread dismiss() {
    Thread leaving = looking;
    looking = null;
    notifyAll();
    return leaving;
  }
}
