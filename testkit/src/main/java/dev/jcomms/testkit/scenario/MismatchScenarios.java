package dev.jcomms.testkit.scenario;

import dev.jcomms.Collective;
import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.testkit.ConformanceError;
import dev.jcomms.testkit.Needs;
import dev.jcomms.testkit.Rank;
import dev.jcomms.testkit.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * One rank calls something else than the others: they are told, at once and not by a timeout. Where
 * the first to find out aborts the others, the reason they get must tell of the disagreement.
 */
final class MismatchScenarios {
  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  private MismatchScenarios() {}

  private interface Calls {
    Collective of(Rank rank, boolean odd);
  }

  static Stream<Scenario> all() {
    Needs sum = Needs.ops(Collective.AllReduce.class).and(DType.F32).ranks(2);
    return Stream.of(
        everybody(
            "all_reduce of different sizes",
            sum,
            (rank, odd) -> allReduce(rank, DType.F32, odd ? 999 : 1000, ReduceOp.SUM)),
        everybody(
            "all_reduce of as many bytes in different dtypes",
            sum.and(DType.I32),
            (rank, odd) -> allReduce(rank, odd ? DType.I32 : DType.F32, 10, ReduceOp.SUM)),
        everybody(
            "all_reduce with different reduce ops",
            sum,
            (rank, odd) -> allReduce(rank, DType.F32, 10, odd ? ReduceOp.MAX : ReduceOp.SUM)),
        everybody(
            "all_reduce against all_gather_single",
            sum.and(Collective.AllGatherSingle.class),
            (rank, odd) ->
                odd
                    ? new Collective.AllGatherSingle(
                        tensor(rank, DType.F32, 10L * rank.size()), tensor(rank, DType.F32, 10))
                    : allReduce(rank, DType.F32, 10, ReduceOp.SUM)),
        everybody(
            "all_reduce against barrier",
            sum.and(Collective.Barrier.class),
            (rank, odd) ->
                odd ? new Collective.Barrier() : allReduce(rank, DType.F32, 10, ReduceOp.SUM)),
        everybody(
            "all_gather of different sizes",
            Needs.ops(Collective.AllGather.class).and(DType.F32).ranks(2),
            (rank, odd) -> {
              long count = odd ? 6 : 5;
              return new Collective.AllGather(
                  Stream.generate(() -> tensor(rank, DType.F32, count)).limit(rank.size()).toList(),
                  tensor(rank, DType.F32, count));
            }),
        everybody(
            "all_gather_single of different sizes",
            Needs.ops(Collective.AllGatherSingle.class).and(DType.F32).ranks(2),
            (rank, odd) -> {
              long count = odd ? 6 : 5;
              return new Collective.AllGatherSingle(
                  tensor(rank, DType.F32, count * rank.size()), tensor(rank, DType.F32, count));
            }),
        everybody(
            "reduce_scatter_single of different sizes",
            Needs.ops(Collective.ReduceScatterSingle.class).and(DType.F32).ranks(2),
            (rank, odd) -> {
              long count = odd ? 6 : 5;
              return new Collective.ReduceScatterSingle(
                  tensor(rank, DType.F32, count),
                  tensor(rank, DType.F32, count * rank.size()),
                  ReduceOp.SUM);
            }),
        everybody(
            "all_to_all_single of different sizes",
            Needs.ops(Collective.AllToAllSingle.class).and(DType.F32).ranks(2),
            (rank, odd) -> {
              long count = (odd ? 6L : 5L) * rank.size();
              return new Collective.AllToAllSingle(
                  tensor(rank, DType.F32, count), tensor(rank, DType.F32, count));
            }),
        oddOneOnly(
            "broadcast of different sizes",
            Needs.ops(Collective.Broadcast.class).and(DType.F32).ranks(2),
            (rank, odd) -> new Collective.Broadcast(tensor(rank, DType.F32, odd ? 11 : 10), 0)),
        oddOneOnly(
            "broadcast with different roots",
            Needs.ops(Collective.Broadcast.class).and(DType.F32).ranks(2),
            (rank, odd) ->
                new Collective.Broadcast(tensor(rank, DType.F32, 10), odd ? rank.number() : 0)),
        oddOneOnly(
            "reduce with different roots",
            Needs.ops(Collective.Reduce.class).and(DType.F32).ranks(2),
            (rank, odd) ->
                new Collective.Reduce(
                    tensor(rank, DType.F32, 10), odd ? rank.number() : 0, ReduceOp.SUM)),
        oddOneOnly(
            "send and recv of different sizes",
            Needs.ops(Collective.Send.class, Collective.Recv.class)
                .and(Collective.Barrier.class)
                .and(DType.F32)
                .ranks(2),
            (rank, odd) ->
                odd
                    ? new Collective.Recv(tensor(rank, DType.F32, 10), 0, 0)
                    : rank.number() == 0
                        ? new Collective.Send(tensor(rank, DType.F32, 11), rank.size() - 1, 0)
                        : null));
  }

  private static Collective allReduce(Rank rank, DType dtype, long count, ReduceOp op) {
    Tensor tensor = tensor(rank, dtype, count);
    return new Collective.AllReduce(tensor, tensor, op);
  }

  private static Tensor tensor(Rank rank, DType dtype, long count) {
    return rank.onDevice(Tensor.ones(dtype, Shape.of(count)));
  }

  /** Every rank depends on every other, so every one must fail. */
  private static Scenario everybody(String what, Needs needs, Calls calls) {
    return scenario(what, needs, calls, true);
  }

  /** Ranks that have nothing to do with the odd one may succeed. */
  private static Scenario oddOneOnly(String what, Needs needs, Calls calls) {
    return scenario(what, needs, calls, false);
  }

  private static Scenario scenario(String what, Needs needs, Calls calls, boolean everybody) {
    return new Scenario(
        "mismatch/" + what + " is told", needs, rank -> run(rank, what, calls, everybody));
  }

  private static void run(Rank rank, String what, Calls calls, boolean everybody) {
    boolean odd = rank.number() == rank.size() - 1;
    Collective op = calls.of(rank, odd);
    CommException failure = null;
    try {
      if (op != null) {
        rank.comm().run(op, OpOptions.timeout(TIMEOUT));
      }
    } catch (CommException e) {
      failure = e;
    }
    if (failure == null && (odd || everybody)) {
      throw new ConformanceError(
          rank
              + ": "
              + what
              + ": "
              + op.opName()
              + " must fail with CommMismatchException; it returned");
    }
    // A sender that waits for its receiver cannot know why it does not come.
    boolean mayTimeOut = op instanceof Collective.Send;
    if (failure != null
        && !(failure instanceof CommMismatchException)
        && !(mayTimeOut && failure instanceof CommTimeoutException)
        && !String.valueOf(failure.getMessage()).contains("disagree")) {
      throw new ConformanceError(
          rank
              + ": "
              + what
              + ": "
              + op.opName()
              + " must fail with CommMismatchException; it failed with "
              + failure,
          failure);
    }
    List<String> all =
        rank.exchange(failure instanceof CommMismatchException ? failure.getMessage() : "");
    Expect.that(
        rank,
        all.stream().anyMatch(message -> message.contains("rank")),
        what + ": no rank got a CommMismatchException that says who has what");
  }
}
