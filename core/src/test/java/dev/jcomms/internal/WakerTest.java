package dev.jcomms.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class WakerTest {
  private final Waker waker = new Waker();

  @AfterEach
  void forget() {
    Thread.interrupted();
  }

  @Test
  void whoWasWokenIsNotInterruptedAfterwards() {
    waker.enter();
    join(Thread.ofPlatform().start(waker::wake));
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
    assertThat(waker.leave()).isTrue();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void whoWasInterruptedBeforeStaysSo() {
    waker.enter();
    Thread.currentThread().interrupt();
    join(Thread.ofPlatform().start(waker::wake));
    join(Thread.ofPlatform().start(waker::wake));
    assertThat(waker.leave()).isTrue();
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
  }

  @Test
  void whoHasLeftIsLeftAlone() {
    waker.enter();
    assertThat(waker.leave()).isFalse();
    join(Thread.ofPlatform().start(waker::wake));
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  /** With the interrupt flag as it is. */
  private static void join(Thread thread) {
    while (thread.isAlive()) {
      Thread.onSpinWait();
    }
  }
}
