package dev.jcomms.testkit.scenario;

import dev.jcomms.Collective;
import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.Work;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.testkit.Needs;
import dev.jcomms.testkit.Rank;
import dev.jcomms.testkit.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Aborts: every waiter wakes, with the reason. */
final class AbortScenarios {
  private static final OpOptions LONG = OpOptions.timeout(Duration.ofSeconds(60));

  private AbortScenarios() {}

  static Stream<Scenario> all() {
    Needs any = Needs.oneOf(Proof.KINDS);
    return Stream.of(
        new Scenario("abort/wakes a blocking call", any.ranks(2), AbortScenarios::wakesBlocking),
        new Scenario("abort/wakes all pending work", any.ranks(2), AbortScenarios::wakesAsync),
        new Scenario(
            "abort/what has succeeded by then is right",
            Needs.ops(Collective.AllReduce.class).and(DType.I64).ranks(2),
            AbortScenarios::rightOrFailed),
        new Scenario("abort/the first reason wins", any, AbortScenarios::firstReason),
        new Scenario(
            "abort/operations afterwards touch nothing", any, AbortScenarios::touchesNothing));
  }

  private static void wakesBlocking(Rank rank) throws Exception {
    if (rank.number() != rank.size() - 1) {
      Waiter waiter = new Waiter(rank, LONG);
      rank.comm().abort("enough of this");
      Throwable outcome = waiter.outcome(Duration.ofSeconds(5));
      Expect.that(
          rank,
          outcome instanceof CommAbortedException,
          waiter.op().opName()
              + " on an aborted comm must fail with CommAbortedException; it "
              + (outcome == null ? "returned" : "failed with " + outcome));
      Expect.says(rank, waiter.op().opName(), outcome, waiter.op().opName());
    }
    rank.meet();
  }

  private static void wakesAsync(Rank rank) {
    if (rank.number() != rank.size() - 1) {
      Work first = rank.comm().start(Proof.waiting(rank), LONG);
      Work second = rank.comm().start(Proof.waiting(rank), LONG);
      rank.comm().abort("enough of this");
      for (Work work : new Work[] {first, second}) {
        CommAbortedException e =
            Expect.thrown(
                rank,
                "pending work of an aborted comm",
                CommAbortedException.class,
                () -> work.await(Duration.ofSeconds(5)));
        Expect.that(
            rank, work.isCompleted(), "pending work of an aborted comm has not ended: " + e);
      }
    }
    rank.meet();
  }

  /** One rank goes in the midst of many operations: each ends, with the right result or none. */
  private static void rightOrFailed(Rank rank) {
    int n = rank.size();
    List<Tensor> tensors = new ArrayList<>();
    List<Work> works = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      if (i == 20 && rank.number() == n - 1) {
        works.get(9).await(rank.patience());
        rank.comm().abort("one rank goes");
        break;
      }
      tensors.add(rank.onDevice(Tensor.of(1L + i, rank.number())));
      // The first ten are waited for; the others may not come.
      Duration timeout = i < 10 ? rank.patience() : Duration.ofSeconds(3);
      works.add(
          rank.comm().allReduceAsync(tensors.get(i), ReduceOp.SUM, OpOptions.timeout(timeout)));
    }
    for (int i = 0; i < works.size(); i++) {
      try {
        works.get(i).await(Duration.ofSeconds(10));
      } catch (CommException e) {
        Expect.that(rank, works.get(i).isCompleted(), "all_reduce #" + i + " hangs: " + e);
        continue;
      }
      long[] sum = rank.onHost(tensors.get(i)).toLongArray();
      Expect.equal(rank, "tensor[0] of all_reduce #" + i, n * (1L + i), sum[0]);
      Expect.equal(rank, "tensor[1] of all_reduce #" + i, n * (n - 1L) / 2, sum[1]);
    }
    rank.meet();
  }

  private static void firstReason(Rank rank) {
    Expect.equal(rank, "isAborted() before an abort", false, rank.comm().isAborted());
    rank.meet();
    rank.comm().abort("the first reason");
    rank.comm().abort("the second reason");
    Expect.equal(rank, "isAborted() after an abort", true, rank.comm().isAborted());
    CommException e =
        Expect.thrown(
            rank,
            "an operation on an aborted comm",
            CommException.class,
            () -> rank.comm().run(Proof.waiting(rank), OpOptions.DEFAULT));
    Expect.says(rank, "an operation on an aborted comm", e, "the first reason");
    rank.comm().close();
  }

  private static void touchesNothing(Rank rank) {
    rank.meet();
    rank.comm().abort("over");
    Collective op = Proof.waiting(rank);
    op.outputs().forEach(tensor -> Expect.equal(rank, "output", 0.0, first(rank, tensor)));
    Expect.thrown(
        rank,
        op.opName() + " on an aborted comm",
        CommException.class,
        () -> rank.comm().run(op, OpOptions.DEFAULT));
    Expect.thrown(
        rank,
        op.opName() + "Async on an aborted comm",
        CommException.class,
        () -> rank.comm().start(op, OpOptions.DEFAULT).await(rank.patience()));
    op.outputs()
        .forEach(tensor -> Expect.equal(rank, "output after an abort", 0.0, first(rank, tensor)));
    rank.comm().close();
  }

  private static double first(Rank rank, dev.jcomms.tensor.Tensor tensor) {
    return rank.onHost(tensor).flatten().getDouble(0);
  }
}
