package dev.jcomms.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.spi.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LaneTest {
  private static final int CALLS = 20_000;

  private final Lane lane = new Lane("test");

  /** Numbers in the order in which they had the lane; only who has it adds one. */
  private final List<Long> order = new ArrayList<>();

  private final AtomicInteger inside = new AtomicInteger();

  @AfterEach
  void retire() {
    lane.retire();
  }

  @Test
  void numbersAreTheOrderOfExecutionWhoeverCalls() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      threads.add(Thread.ofPlatform().start(() -> repeat(this::callOrQueue)));
      threads.add(Thread.ofPlatform().start(() -> repeat(() -> lane.enqueue(new Recorded(null)))));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(lane.awaitIdle(TimeUnit.SECONDS.toNanos(30))).isTrue();
    assertThat(order).containsExactlyElementsOf(LongStream.range(0, 4L * CALLS).boxed().toList());
  }

  @Test
  void aQueuedJobIsNumberedBehindWhoHasTheLane() throws InterruptedException {
    assertThat(lane.tryEnter()).isZero();
    CountDownLatch ran = new CountDownLatch(2);
    Recorded first = new Recorded(ran);
    Recorded second = new Recorded(ran);
    lane.enqueue(first);
    lane.enqueue(second);
    assertThat(first.number).isEqualTo(1);
    assertThat(second.number).isEqualTo(2);
    assertThat(ran.await(20, TimeUnit.MILLISECONDS)).isFalse();
    lane.leave();
    assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(lane.awaitIdle(TimeUnit.SECONDS.toNanos(10))).isTrue();
    assertThat(lane.tryEnter()).isEqualTo(3);
    lane.leave();
  }

  @Test
  void whoWaitsForTheLaneGetsItHoweverItIsLeft() throws InterruptedException {
    for (int i = 0; i < CALLS / 10; i++) {
      assertThat(lane.tryEnter()).isNotNegative();
      CountDownLatch ran = new CountDownLatch(1);
      Thread other = Thread.ofPlatform().start(() -> lane.enqueue(new Recorded(ran)));
      lane.leave();
      assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
      other.join();
      assertThat(lane.awaitIdle(TimeUnit.SECONDS.toNanos(10))).isTrue();
    }
  }

  @Test
  void waitingForAnIdleLaneEndsAtTheDeadline() throws InterruptedException {
    assertThat(lane.tryEnter()).isZero();
    assertThat(lane.awaitIdle(TimeUnit.MILLISECONDS.toNanos(5))).isFalse();
    lane.leave();
    assertThat(lane.awaitIdle(0)).isTrue();
    assertThat(lane.tryEnter()).isEqualTo(1);
    lane.leave();
  }

  private static void repeat(Runnable call) {
    for (int i = 0; i < CALLS; i++) {
      call.run();
    }
  }

  /** As a blocking call does. */
  private void callOrQueue() {
    long number = lane.tryEnter();
    if (number == Lane.BUSY) {
      lane.enqueue(new Recorded(null));
      return;
    }
    record(number);
    lane.leave();
  }

  private void record(long number) {
    assertThat(inside.incrementAndGet()).isEqualTo(1);
    order.add(number);
    inside.decrementAndGet();
  }

  private final class Recorded implements Lane.Job {
    private final CountDownLatch ran;
    private final Promise promise = new Promise();
    private long number;

    Recorded(CountDownLatch ran) {
      this.ran = ran;
    }

    @Override
    public void numbered(long number) {
      this.number = number;
    }

    @Override
    public Runnable run() {
      record(number);
      return () -> {
        if (ran != null) {
          ran.countDown();
        }
      };
    }

    @Override
    public Promise promise() {
      return promise;
    }
  }
}
