package dev.jcomms.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.BackendException;
import dev.jcomms.Collective;
import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.ReduceOp;
import dev.jcomms.Work;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Work that its maker completes, and what ranks compare. */
class PromiseTest {
  private static final CommException.Site SITE = new CommException.Site("main", "barrier", 3, 1, 4);

  @Test
  void statusGoesForwardAndTheFirstEndWins() {
    Promise promise = new Promise();
    assertThat(promise.status()).isEqualTo(Work.Status.NOT_STARTED);
    promise.start();
    assertThat(promise.status()).isEqualTo(Work.Status.IN_PROGRESS);
    assertThat(promise.complete()).isTrue();
    assertThat(promise.fail(new IllegalStateException())).isFalse();
    assertThat(promise.status()).isEqualTo(Work.Status.COMPLETED);
    promise.await();
    promise.await(Duration.ofNanos(1));
  }

  @Test
  void callbacksFireOnceAndAtOnceWhenAlreadyPast() throws Exception {
    Promise promise = new Promise();
    BlockingQueue<String> fired = new LinkedBlockingQueue<>();
    promise.onStart(() -> fired.add("start"));
    promise.start();
    promise.start();
    assertThat(fired.poll(20, TimeUnit.SECONDS)).isEqualTo("start");
    promise.onEnd(() -> fired.add("end"));
    promise.complete();
    assertThat(fired.poll(20, TimeUnit.SECONDS)).isEqualTo("end");
    promise.onStart(() -> fired.add("late start"));
    promise.onEnd(() -> fired.add("late end"));
    assertThat(fired).containsExactly("late start", "late end");
  }

  @Test
  void aCallbackThatIsAskedForAfterwardsRunsOnTheThreadThatAsks() {
    Promise promise = new Promise();
    promise.complete();
    for (Work work : List.of(promise, Work.completed())) {
      List<Thread> runners = new ArrayList<>();
      work.onStart(() -> runners.add(Thread.currentThread()));
      work.onEnd(() -> runners.add(Thread.currentThread()));
      Thread asking = Thread.currentThread();
      assertThat(runners).containsExactly(asking, asking);
    }
  }

  /** Not an Error either, a failed assertion say; at once or later. */
  @Test
  void whatACallbackThrowsReachesNeitherTheWorkNorWhoAsks() throws Exception {
    Runnable broken =
        () -> {
          throw new AssertionError("of a callback, on purpose");
        };
    Promise promise = new Promise();
    CountDownLatch called = new CountDownLatch(2);
    promise.onEnd(called::countDown);
    promise.onEnd(broken);
    promise.onEnd(called::countDown);
    assertThat(promise.complete()).isTrue();
    assertThat(called.await(20, TimeUnit.SECONDS)).isTrue();
    for (Work work : List.of(promise, Work.completed())) {
      work.onStart(broken);
      work.onEnd(broken);
      assertThat(work.status()).isEqualTo(Work.Status.COMPLETED);
      work.await();
    }
  }

  @Test
  void aCallbackThatWaitsHoldsNobodyUp() throws Exception {
    Promise first = new Promise();
    Promise second = new Promise();
    CompletableFuture<Void> told = first.stage().thenRun(second::await).toCompletableFuture();
    first.complete();
    second.complete();
    told.get(20, TimeUnit.SECONDS);
  }

  @Test
  void failedWorkAlwaysThrowsWithTheSiteAndTheAwaitersTrace() {
    Promise promise = new Promise(SITE);
    promise.fail(new CommTimeoutException(Duration.ofSeconds(5), "waiting for rank 2", Set.of(2)));
    assertThat(promise.status()).isEqualTo(Work.Status.TIMED_OUT);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(promise::await)
          .isInstanceOf(CommTimeoutException.class)
          .hasMessage(
              "barrier #3 on comm 'main' timed out after 5.0 s (rank 1 of 4): waiting for rank 2")
          .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    }
    assertThatThrownBy(() -> promise.stage().toCompletableFuture().join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(CommTimeoutException.class);
  }

  @Test
  void anythingElseIsABackendException() {
    Promise promise = new Promise(SITE);
    promise.fail(new ArithmeticException("odd"));
    assertThat(promise.status()).isEqualTo(Work.Status.ERROR);
    assertThat(promise.failure().orElseThrow())
        .isInstanceOf(BackendException.class)
        .hasCauseInstanceOf(ArithmeticException.class);
  }

  @Test
  void anInterruptedWaitKeepsTheFlag() {
    Promise promise = new Promise(SITE);
    Thread.currentThread().interrupt();
    assertThatThrownBy(promise::await).isInstanceOf(CommAbortedException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void fingerprintsTellWhatRanksDisagreeOn() {
    Tensor x = Tensor.zeros(Shape.of(1024));
    Fingerprint mine = Fingerprint.of(new Collective.AllReduce(x, x, ReduceOp.SUM));
    assertThat(Fingerprint.decode(mine.encode())).isEqualTo(mine);
    mine.requireSame(0, 1, mine);
    Tensor y = Tensor.zeros(DType.I32, Shape.of(1000));
    Fingerprint theirs = Fingerprint.of(new Collective.AllReduce(y, y, ReduceOp.MAX));
    assertThatThrownBy(() -> mine.requireSame(0, 3, theirs))
        .isInstanceOfSatisfying(
            CommMismatchException.class, e -> assertThat(e.missingRanks()).containsExactly(3))
        .hasMessageContaining(
            "rank 0 has all_reduce of 1024 x f32, sum, rank 3 has all_reduce of 1000 x i32, max");
    assertThatThrownBy(() -> Fingerprint.decode("nonsense"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
