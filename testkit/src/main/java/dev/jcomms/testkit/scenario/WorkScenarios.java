package dev.jcomms.testkit.scenario;

import dev.jcomms.Collective;
import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.Work;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.testkit.ConformanceError;
import dev.jcomms.testkit.Needs;
import dev.jcomms.testkit.Rank;
import dev.jcomms.testkit.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Operations on their way: what their work says, and when. */
final class WorkScenarios {
  private static final Needs ANY = Needs.oneOf(Proof.KINDS);

  private WorkScenarios() {}

  static Stream<Scenario> all() {
    return Stream.of(
        new Scenario("work/tells when it has ended", ANY, WorkScenarios::tells),
        new Scenario(
            "work/a wait that ends early leaves the operation going",
            ANY.ranks(2),
            WorkScenarios::shortWait),
        new Scenario("work/failed work always throws", ANY.ranks(2), WorkScenarios::failed),
        new Scenario(
            "work/keeps its tensors alive",
            Needs.ops(Collective.AllReduce.class, Collective.AllGatherSingle.class).and(DType.F32),
            WorkScenarios::keepsTensors),
        new Scenario(
            "work/need not be awaited for the operation to take place",
            Needs.ops(Collective.AllReduce.class).and(DType.I64),
            WorkScenarios::neverAwaited),
        new Scenario(
            "work/a waiting thread honours interruption",
            ANY.ranks(2),
            WorkScenarios::interrupted));
  }

  private static void tells(Rank rank) throws Exception {
    Work work = rank.comm().start(Proof.waiting(rank), OpOptions.DEFAULT);
    CountDownLatch called = new CountDownLatch(2);
    work.onStart(called::countDown);
    work.onEnd(called::countDown);
    work.await(rank.patience());
    work.await();
    Expect.equal(rank, "status of work awaited", Work.Status.COMPLETED, work.status());
    Expect.that(rank, work.isCompleted(), "work awaited is not completed");
    Expect.that(rank, work.failure().isEmpty(), "work awaited has failed: " + work.failure());
    work.stage().toCompletableFuture().get(rank.patience().toMillis(), TimeUnit.MILLISECONDS);
    Expect.that(
        rank,
        called.await(rank.patience().toMillis(), TimeUnit.MILLISECONDS),
        "onStart and onEnd were not both called");
    CountDownLatch late = new CountDownLatch(2);
    work.onStart(late::countDown);
    work.onEnd(late::countDown);
    Expect.equal(rank, "hooks not called at once on work that has ended", 0L, late.getCount());
  }

  private static void shortWait(Rank rank) {
    boolean last = rank.number() == rank.size() - 1;
    if (last) {
      rank.meet();
    }
    Work work = rank.comm().start(Proof.waiting(rank), OpOptions.DEFAULT);
    if (!last) {
      Expect.thrown(
          rank,
          "a wait of 20 ms for an operation that another rank has not called",
          CommTimeoutException.class,
          () -> work.await(Duration.ofMillis(20)));
      Expect.that(
          rank, !work.isCompleted(), "the operation has ended without rank " + (rank.size() - 1));
      rank.meet();
    }
    work.await(rank.patience());
  }

  private static void failed(Rank rank) throws Exception {
    if (rank.number() != rank.size() - 1) {
      Work work = rank.comm().start(Proof.waiting(rank), OpOptions.timeout(Duration.ofMillis(100)));
      for (int i = 0; i < 2; i++) {
        Expect.thrown(
            rank,
            "await #" + i + " of failed work",
            CommException.class,
            () -> work.await(rank.patience()));
      }
      Expect.that(
          rank,
          work.status() == Work.Status.TIMED_OUT || work.status() == Work.Status.ERROR,
          "status of failed work is " + work.status());
      Expect.that(rank, work.failure().isPresent(), "failed work has no failure");
      try {
        work.stage().toCompletableFuture().get(rank.patience().toMillis(), TimeUnit.MILLISECONDS);
        throw new ConformanceError(rank + ": the stage of failed work completes normally");
      } catch (ExecutionException e) {
        Expect.that(
            rank,
            e.getCause() instanceof CommException,
            "the stage of failed work completes with " + e.getCause());
      } catch (TimeoutException e) {
        throw new ConformanceError(rank + ": the stage of failed work does not complete", e);
      }
    }
    rank.meet();
  }

  /** Inputs that nobody else holds, with the collector at work before the operation can run. */
  private static void keepsTensors(Rank rank) {
    int n = rank.size();
    Trial t = new Trial(rank, "all_gather_single of an input that was let go of");
    List<Work> works = new ArrayList<>();
    if (rank.number() == 0) {
      rank.meet();
    }
    for (int i = 0; i < 4; i++) {
      int id = i;
      works.add(
          rank.comm()
              .allGatherSingleAsync(
                  t.output("output " + i, DType.F32, 100L * n, k -> 10 * (k / 100) + id),
                  rank.onDevice(Tensor.full(DType.F32, Shape.of(100), 10L * rank.number() + id))));
      rank.comm().allReduceAsync(rank.onDevice(Tensor.ones(Shape.of(1000))), ReduceOp.SUM);
    }
    if (rank.number() != 0) {
      if (rank.number() == 1) {
        System.gc();
      }
      rank.meet();
    }
    works.forEach(work -> work.await(rank.patience()));
    t.verify();
  }

  private static void neverAwaited(Rank rank) {
    Tensor x = rank.onDevice(Tensor.of(1L, 2L));
    rank.comm().allReduceAsync(x, ReduceOp.SUM);
    Proof.works(rank, rank.comm(), "a comm with work that nobody awaits");
    long[] now = rank.onHost(x).toLongArray();
    Expect.equal(rank, "tensor[1] of an all_reduce not awaited", 2L * rank.size(), now[1]);
  }

  private static void interrupted(Rank rank) throws Exception {
    if (rank.number() != rank.size() - 1) {
      Waiter waiter = new Waiter(rank, OpOptions.timeout(Duration.ofSeconds(60)));
      waiter.thread().interrupt();
      Throwable outcome = waiter.outcome(Duration.ofSeconds(5));
      Expect.that(
          rank,
          outcome instanceof CommAbortedException,
          "a blocking call whose thread is interrupted must fail with CommAbortedException; it "
              + (outcome == null ? "returned" : "failed with " + outcome));
    }
    rank.meet();
  }
}
