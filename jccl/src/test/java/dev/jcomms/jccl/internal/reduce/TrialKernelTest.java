package dev.jcomms.jccl.internal.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TrialKernelTest {
  private static final long MARK = 1000;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final MemorySegment memory = Arena.ofAuto().allocate(64);
  private final Terms two = new Terms().add(memory, 0).add(memory, 0);
  private final Terms nine = new Terms();

  TrialKernelTest() {
    for (int k = 0; k < 9; k++) {
      nine.add(memory, 0);
    }
  }

  @Test
  void theFasterOneTakesOverWhenSpeedMatters() {
    AtomicInteger fast = new AtomicInteger();
    Kernel kernel = (_, _, _, _, _, _) -> fast.incrementAndGet();
    AtomicInteger made = new AtomicInteger();
    TrialKernel trial =
        new TrialKernel(
            delayed((_, _, _, _, _, _) -> {}),
            () -> {
              made.incrementAndGet();
              return kernel;
            },
            MARK,
            PATIENCE);
    trial.run(two, memory, 0, 0, MARK - 1, 2);
    assertThat(made).hasValue(0);
    trial.run(two, memory, 0, 0, 1, 2);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!trial.won(2) && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertThat(trial.won(2)).isTrue();
    assertThat(trial.won(9)).as("nine terms have a trial of their own").isFalse();
    int before = fast.get();
    trial.run(two, memory, 0, 0, TrialKernel.LEAST, 2);
    assertThat(fast).hasValue(before + 1);
    trial.run(two, memory, 0, 0, TrialKernel.LEAST - 1, 2);
    assertThat(fast).as("a few are not worth it").hasValue(before + 1);
    trial.run(nine, memory, 0, 0, TrialKernel.LEAST, 9);
    assertThat(fast).hasValue(before + 1);
  }

  @Test
  void theSlowerOneNeverDoes() throws InterruptedException {
    CountDownLatch tried = new CountDownLatch(1);
    Kernel slow = (_, _, _, _, _, _) -> tried.countDown();
    TrialKernel trial =
        new TrialKernel((_, _, _, _, _, _) -> {}, () -> delayed(slow), MARK, Duration.ofMillis(1));
    trial.run(two, memory, 0, 0, MARK, 2);
    assertThat(tried.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(trial.won(2)).isFalse();
  }

  /** Takes at least as long as any measurement's noise. */
  private static Kernel delayed(Kernel kernel) {
    return (terms, out, outAt, from, to, divisor) -> {
      long until = System.nanoTime() + 100_000;
      while (System.nanoTime() < until) {
        Thread.onSpinWait();
      }
      kernel.run(terms, out, outAt, from, to, divisor);
    };
  }
}
