package dev.jcomms.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.spi.Promise;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
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
  void whoHasPassedItOnLetsOthersInButItIsNotShutBeforeTheEnd() throws InterruptedException {
    assertThat(lane.tryEnter()).isZero();
    lane.passOn();
    assertThat(lane.awaitFree(0)).isTrue();
    assertThat(lane.awaitIdle(TimeUnit.MILLISECONDS.toNanos(5))).isFalse();
    assertThat(lane.shut(TimeUnit.MILLISECONDS.toNanos(5))).isFalse();
    assertThat(lane.tryEnter()).isEqualTo(1);
    lane.leave();
    Thread other = Thread.ofPlatform().start(lane::over);
    assertThat(lane.shut(TimeUnit.SECONDS.toNanos(10))).isTrue();
    assertThat(lane.tryEnter()).isEqualTo(Lane.BUSY);
    other.join();
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
  void aThreadThatCannotBeStartedIsTheCallersTroubleAlone() throws InterruptedException {
    AtomicBoolean full = new AtomicBoolean(true);
    Lane crowded =
        new Lane(
            "crowded",
            job ->
                new Thread(job) {
                  @Override
                  public void start() {
                    if (full.getAndSet(false)) {
                      throw new OutOfMemoryError("unable to create native thread");
                    }
                    super.start();
                  }
                });
    CountDownLatch ran = new CountDownLatch(1);
    assertThatThrownBy(() -> crowded.enqueue(new Recorded(ran)))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(crowded.tryEnter()).isZero();
    crowded.leave();
    crowded.enqueue(new Recorded(ran));
    assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
    crowded.retire();
  }

  @Test
  void aThreadThatComesAllTheTimeGivesWayToOthers() throws InterruptedException {
    AtomicBoolean enough = new AtomicBoolean();
    CountDownLatch there = new CountDownLatch(500);
    List<Throwable> wrong = Collections.synchronizedList(new ArrayList<>());
    Thread often =
        Thread.ofPlatform()
            .uncaughtExceptionHandler((thread, e) -> wrong.add(e))
            .start(
                () -> {
                  while (!enough.get()) {
                    callOrAwait();
                    there.countDown();
                  }
                });
    assertThat(there.await(30, TimeUnit.SECONDS)).isTrue();
    int seldom = 500;
    for (int i = 0; i < seldom; i++) {
      LockSupport.parkNanos(i % 10 * 50_000L);
      switch (i % 3) {
        case 0 -> lane.enqueue(new Recorded(null));
        case 1 -> callOrAwait();
        default -> lane.awaitIdle(TimeUnit.MICROSECONDS.toNanos(100));
      }
    }
    enough.set(true);
    often.join();
    assertThat(lane.awaitIdle(TimeUnit.SECONDS.toNanos(30))).isTrue();
    assertThat(wrong).isEmpty();
    assertThat(order.size()).isGreaterThan(seldom);
    assertThat(order.equals(LongStream.range(0, order.size()).boxed().toList())).isTrue();
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

  private void callOrQueue() {
    if (!tryCall()) {
      lane.enqueue(new Recorded(null));
    }
  }

  /** As a blocking call does. */
  private void callOrAwait() {
    if (!tryCall()) {
      CountDownLatch ran = new CountDownLatch(1);
      lane.enqueue(new Recorded(ran));
      try {
        assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private boolean tryCall() {
    long number = lane.tryEnter();
    if (number == Lane.BUSY) {
      return false;
    }
    record(number);
    lane.leave();
    return true;
  }

  private void record(long number) {
    if (inside.incrementAndGet() != 1) {
      throw new AssertionError("two at once");
    }
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
