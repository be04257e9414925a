package dev.jcomms;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;

/** Threads that wait. */
final class Parked {
  private Parked() {}

  /** Returns when a thread waits for something. */
  static void await(Thread thread) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (thread.getState() != Thread.State.WAITING
        && thread.getState() != Thread.State.TIMED_WAITING) {
      assertThat(System.nanoTime()).as("%s waits", thread).isLessThan(deadline);
      Thread.sleep(1);
    }
  }
}
