package dev.jcomms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.Collective.AllReduce;
import dev.jcomms.Collective.Broadcast;
import dev.jcomms.fake.FakeScript;
import dev.jcomms.spi.Backend;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Open, poisoned, closed; the order of operations; what failures look like. */
class CommStateTest {
  private final FakeScript script = new FakeScript();
  private final Tensor x = Tensor.ones(Shape.of(4));

  @Test
  void closeIsIdempotentAndEverythingAfterItIsRefusedByName() {
    Comm comm = Fakes.alone(script);
    comm.allReduce(x, ReduceOp.SUM);
    comm.close();
    comm.close();
    List<Runnable> calls =
        List.of(
            () -> comm.allReduce(x, ReduceOp.SUM),
            () -> comm.barrierAsync(),
            () -> comm.split(List.of(0)),
            () -> comm.batch(),
            () -> comm.abort("late"),
            () -> comm.newWindow(),
            () -> comm.initHandle(),
            () -> comm.addHook(new Hook() {}),
            () -> comm.capture(() -> {}));
    for (Runnable call : calls) {
      assertThatThrownBy(call::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("comm 'main' is closed (rank 0 of 1)");
    }
    assertThat(comm.rank()).isZero();
    assertThat(comm.flightRecorder().entries()).hasSize(1);
  }

  @Test
  void closeWaitsForPendingWork() {
    script.delay(AllReduce.class, Duration.ofMillis(100));
    Comm comm = Fakes.alone(script);
    List<Work> works =
        IntStream.range(0, 5).mapToObj(_ -> comm.allReduceAsync(x, ReduceOp.SUM)).toList();
    comm.close();
    assertThat(works).allMatch(work -> work.status() == Work.Status.COMPLETED);
  }

  @Test
  void operationsOfManyThreadsGetOneOrderThatTheirNumbersTell() throws Exception {
    try (Comm comm = Fakes.alone(script)) {
      List<Long> seen = Collections.synchronizedList(new ArrayList<>());
      comm.addHook(
          new Hook() {
            @Override
            public void before(Call call) {
              seen.add(call.number());
            }
          });
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 8; t++) {
        boolean async = t % 2 == 0;
        threads.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      for (int i = 0; i < 200; i++) {
                        if (async) {
                          comm.allReduceAsync(x, ReduceOp.SUM).await();
                        } else {
                          comm.allReduce(x, ReduceOp.SUM);
                        }
                      }
                    }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(seen).hasSize(1600).isSorted();
      assertThat(script.submitted()).hasSize(1600);
    }
  }

  @Test
  void blockingCallsQueueBehindAsyncOnes() {
    script.delay(Broadcast.class, Duration.ZERO);
    try (Comm comm = Fakes.alone(script)) {
      for (int i = 0; i < 50; i++) {
        comm.broadcastAsync(x, 0);
        comm.allReduce(x, ReduceOp.SUM);
      }
      List<String> order = script.submitted().stream().map(s -> s.op().opName()).toList();
      for (int i = 0; i < 100; i++) {
        assertThat(order.get(i)).isEqualTo(i % 2 == 0 ? "broadcast" : "all_reduce");
      }
    }
  }

  @Test
  void theEndOfOneOperationMayCallTheNext() throws Exception {
    try (Comm comm = Fakes.alone(script)) {
      CompletableFuture<Void> last = new CompletableFuture<>();
      CountDownLatch queued = new CountDownLatch(1);
      comm.addHook(
          new Hook() {
            @Override
            public void before(Call call) {
              await(queued);
            }
          });
      comm.allReduceAsync(x, ReduceOp.SUM)
          .stage()
          .thenRun(() -> comm.allReduce(x, ReduceOp.SUM))
          .whenComplete((_, failure) -> settle(last, failure));
      comm.allReduceAsync(x, ReduceOp.SUM);
      queued.countDown();
      last.get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void anErrorInAHookOfAnAsyncOperationHarmsNobody() {
    try (Comm comm = Fakes.alone(script)) {
      comm.addHook(
          new Hook() {
            @Override
            public void after(Call call, Optional<RuntimeException> failure) {
              throw new AssertionError("a test's hook");
            }
          });
      for (int i = 0; i < 3; i++) {
        comm.allReduceAsync(x, ReduceOp.SUM).await(Duration.ofSeconds(20));
      }
    }
  }

  @Test
  void aTimeoutOfAgesIsFine() {
    try (Comm comm = Fakes.alone(script)) {
      comm.timeout(Duration.ofMillis(Long.MAX_VALUE));
      comm.allReduceAsync(x, ReduceOp.SUM).await();
      comm.barrier(OpOptions.timeout(Duration.ofSeconds(Long.MAX_VALUE)));
    }
  }

  @Test
  void aCallbackMayAwaitWhatIsQueuedBehindIt() throws Exception {
    try (Comm comm = Fakes.alone(script)) {
      CountDownLatch queued = new CountDownLatch(1);
      comm.addHook(
          new Hook() {
            @Override
            public void before(Call call) {
              await(queued);
            }
          });
      Work first = comm.allReduceAsync(x, ReduceOp.SUM);
      Work second = comm.broadcastAsync(x, 0);
      var told = first.stage().thenRun(second::await).toCompletableFuture();
      queued.countDown();
      told.get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void oneThreadCapturesAtATime() throws Exception {
    try (Comm comm = Fakes.alone(script)) {
      comm.capture(
          () ->
              assertThat(
                      CompletableFuture.supplyAsync(
                              () -> {
                                try {
                                  comm.capture(() -> {});
                                  return "captured";
                                } catch (IllegalStateException e) {
                                  return e.getMessage();
                                }
                              })
                          .join())
                  .contains("another thread is capturing"));
      assertThat(script.submitted()).isEmpty();
    }
  }

  /** Blocks in submit until it is interrupted, and cannot be told to stop. */
  private static final class Deaf implements Backend {
    final CountDownLatch inside = new CountDownLatch(1);

    @Override
    public Set<Class<? extends Collective>> supports() {
      return Set.of(AllReduce.class);
    }

    @Override
    public Work submit(Collective op, OpOptions options) {
      inside.countDown();
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        throw new IllegalStateException("interrupted", e);
      }
      return Work.completed();
    }

    @Override
    public void close() {}
  }

  @Test
  void anAbortReachesABackendThatCannotBeToldAndLeavesNoInterruptBehind() throws Exception {
    Deaf deaf = new Deaf();
    String backend = Fakes.register(deaf);
    Comm comm = Fakes.builder(backend).build();
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    CompletableFuture<Boolean> flagged = new CompletableFuture<>();
    Thread.ofPlatform()
        .start(
            () -> {
              try {
                comm.allReduce(x, ReduceOp.SUM);
                thrown.complete(null);
              } catch (Throwable t) {
                thrown.complete(t);
              }
              flagged.complete(Thread.currentThread().isInterrupted());
            });
    await(deaf.inside);
    comm.abort("enough");
    assertThat(thrown.get(20, TimeUnit.SECONDS))
        .isInstanceOf(CommAbortedException.class)
        .hasMessage("all_reduce #0 on comm 'main' was aborted (rank 0 of 1): enough");
    assertThat(flagged.get(20, TimeUnit.SECONDS)).isFalse();
    comm.close();
  }

  @Test
  void queuedWorkThatAFailureOverrunsSaysWhatItWasAndWhatHappened() {
    script.hangOnce(AllReduce.class);
    Comm comm = Fakes.oneOf(2, 0, script);
    CountDownLatch asked = new CountDownLatch(1);
    comm.addHook(
        new Hook() {
          @Override
          public void before(Call call) {
            await(asked); // its time begins after that
          }
        });
    comm.allReduceAsync(x, ReduceOp.SUM, OpOptions.timeout(Duration.ofMillis(50)));
    Work queued = comm.broadcastAsync(x, 0);
    asked.countDown();
    assertThatThrownBy(queued::await)
        .isInstanceOf(CommTimeoutException.class)
        .hasMessageStartingWith(
            "broadcast #1 on comm 'main' was not done (rank 0 of 2): all_reduce #0")
        .hasMessageContaining("timed out after 0.050 s");
    comm.close();
  }

  @Test
  void aHooksRefusalReachesABlockingCallThatHadToQueue() {
    script.delay(Broadcast.class, Duration.ofMillis(1));
    try (Comm comm = Fakes.alone(script)) {
      CountDownLatch queued = new CountDownLatch(1);
      comm.addHook(
          new Hook() {
            @Override
            public void before(Call call) {
              if (call.op() instanceof AllReduce) {
                throw new SecurityException("not this one");
              }
              await(queued);
            }
          });
      comm.broadcastAsync(x, 0);
      Thread.ofVirtual().start(queued::countDown);
      assertThatThrownBy(() -> comm.allReduce(x, ReduceOp.SUM))
          .isInstanceOf(SecurityException.class)
          .hasMessage("not this one");
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void eventually(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  private static void settle(CompletableFuture<Void> future, Throwable failure) {
    if (failure == null) {
      future.complete(null);
    } else {
      future.completeExceptionally(failure);
    }
  }

  @Test
  void anOperationInsideAHookIsRefusedInsteadOfLockingUp() {
    try (Comm comm = Fakes.alone(script)) {
      comm.addHook(
          new Hook() {
            @Override
            public void before(Call call) {
              if (call.op() instanceof AllReduce) {
                comm.barrier();
              }
            }
          });
      assertThatThrownBy(() -> comm.allReduce(x, ReduceOp.SUM))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("from inside another one");
    }
  }

  @Test
  void aTimeoutNamesOperationNumberRankAndWhoIsMissingAndPoisons() {
    script.hangOnce(Broadcast.class);
    try (Comm comm = Fakes.oneOf(3, 1, script)) {
      comm.allReduce(x, ReduceOp.SUM);
      assertThatThrownBy(() -> comm.broadcast(x, 0, OpOptions.timeout(Duration.ofMillis(50))))
          .isInstanceOfSatisfying(
              CommTimeoutException.class,
              e -> {
                assertThat(e)
                    .hasMessage(
                        "broadcast #1 on comm 'main' timed out after 0.050 s (rank 1 of 3): the fake never ends it");
                assertThat(e.missingRanks()).containsExactly(0, 2);
                assertThat(e.number()).isEqualTo(1);
                assertThat(e.op()).isEqualTo("broadcast");
                assertThat(e.comm()).isEqualTo("main");
                assertThat(e.rank()).isEqualTo(1);
              });
      assertThat(comm.isAborted()).isTrue();
      assertThatThrownBy(() -> comm.barrier())
          .isInstanceOf(CommTimeoutException.class)
          .hasMessageStartingWith("barrier #2 on comm 'main'");
      assertThat(script.submitted()).hasSize(2);
    }
  }

  @Test
  void aPendingWorkOfABackendIsTimedOutByCore() {
    script.delay(AllReduce.class, Duration.ofSeconds(30));
    Comm comm = Fakes.alone(script);
    Work work = comm.allReduceAsync(x, ReduceOp.SUM, OpOptions.timeout(Duration.ofMillis(50)));
    assertThatThrownBy(work::await)
        .isInstanceOf(CommTimeoutException.class)
        .hasMessageContaining("all_reduce #0 on comm 'main' timed out after 0.050 s");
    assertThat(work.status()).isEqualTo(Work.Status.TIMED_OUT);
    comm.close();
  }

  @Test
  void awaitWithATimeoutEndsTheWaitAndNotTheWork() {
    Occupied backend = new Occupied(true);
    try (Comm comm = backend.open()) {
      Work work = comm.allReduceAsync(x, ReduceOp.SUM);
      assertThatThrownBy(() -> work.await(Duration.ofMillis(10)))
          .isInstanceOf(CommTimeoutException.class)
          .hasMessageContaining("the operation goes on");
      backend.release(AllReduce.class);
      work.await();
      assertThat(comm.isAborted()).isFalse();
    }
  }

  @Test
  void whatABackendThrowsOfItsOwnIsABackendExceptionAndDoesNotPoison() {
    script.failOnce(AllReduce.class, () -> new IllegalStateException("out of luck"));
    try (Comm comm = Fakes.alone(script)) {
      assertThatThrownBy(() -> comm.allReduce(x, ReduceOp.SUM))
          .isInstanceOf(BackendException.class)
          .hasMessageContaining("all_reduce #0 on comm 'main' failed (rank 0 of 1)")
          .hasMessageContaining("out of luck")
          .hasCauseInstanceOf(IllegalStateException.class);
      comm.allReduce(x, ReduceOp.SUM);
    }
  }

  @Test
  void aLostPeerIsNamedNowAndLater() {
    script.failOnce(AllReduce.class, () -> new PeerLostException(Set.of(2), "connection reset"));
    try (Comm comm = Fakes.oneOf(3, 0, script)) {
      Work work = comm.allReduceAsync(x, ReduceOp.SUM);
      assertThatThrownBy(work::await)
          .isInstanceOf(PeerLostException.class)
          .hasMessage("all_reduce #0 on comm 'main' lost rank 2 (rank 0 of 3): connection reset");
      assertThat(work.status()).isEqualTo(Work.Status.ERROR);
      assertThatThrownBy(() -> comm.barrier())
          .isInstanceOfSatisfying(
              PeerLostException.class, e -> assertThat(e.missingRanks()).containsExactly(2));
    }
  }

  @Test
  void abortWakesEveryWaiterWithTheFirstReason() throws Exception {
    script.hangOnce(AllReduce.class);
    Comm comm = Fakes.oneOf(2, 0, script);
    Work running = comm.allReduceAsync(x, ReduceOp.SUM);
    Tensor untouched = Tensor.ones(Shape.of(2));
    Work queued = comm.broadcastAsync(untouched, 0);
    CompletableFuture<Throwable> blocked = new CompletableFuture<>();
    Thread.ofPlatform()
        .start(
            () -> {
              try {
                comm.barrier();
                blocked.complete(null);
              } catch (Throwable t) {
                blocked.complete(t);
              }
            });
    List<String> told = new ArrayList<>();
    comm.addHook(
        new Hook() {
          @Override
          public void aborted(Comm aborted, String reason) {
            told.add(reason);
          }
        });
    eventually(() -> script.submitted().size() == 1);
    comm.abort("enough");
    comm.abort("again");
    for (Work work : List.of(running, queued)) {
      assertThatThrownBy(() -> work.await(Duration.ofSeconds(20)))
          .isInstanceOfSatisfying(
              CommAbortedException.class, e -> assertThat(e.reason()).isEqualTo("enough"));
    }
    assertThat(blocked.get(20, TimeUnit.SECONDS)).isInstanceOf(CommAbortedException.class);
    assertThat(told).containsExactly("enough");
    assertThat(script.submitted()).hasSize(1);
    assertThatThrownBy(() -> comm.barrier()).isInstanceOf(CommAbortedException.class);
    comm.close();
  }

  @Test
  void theTimeoutOfTheCommCanBeChanged() {
    try (Comm comm = Fakes.alone(script)) {
      comm.timeout(Duration.ofSeconds(7));
      comm.allReduce(x, ReduceOp.SUM);
      comm.allReduce(x, ReduceOp.SUM, OpOptions.hint("k", "v"));
      comm.allReduce(x, ReduceOp.SUM, OpOptions.timeout(Duration.ofSeconds(3)));
      assertThat(script.submitted())
          .extracting(s -> s.options().timeout().orElseThrow().toSeconds())
          .containsExactly(7L, 7L, 3L);
      assertThat(script.submitted().get(1).options().hint("k")).contains("v");
      assertThat(comm.options().timeout()).isEqualTo(Duration.ofSeconds(7));
    }
  }

  @Test
  void anEmptyBatchAndABatchIssuedTwiceAreRefused() {
    try (Comm comm = Fakes.oneOf(2, 0, script)) {
      assertThatThrownBy(() -> comm.batch().issue())
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("batch: nothing to issue");
      Batch batch = comm.batch().send(x, 1).recv(Tensor.ones(Shape.of(4)), 1, 5);
      batch.issue();
      assertThatThrownBy(batch::issue)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("batch: issued already");
      assertThat(script.submitted()).hasSize(1);
    }
  }
}
