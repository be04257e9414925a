package dev.jcomms.testkit.scenario;

import dev.jcomms.Collective;
import dev.jcomms.Comm;
import dev.jcomms.CommGraph;
import dev.jcomms.ReduceOp;
import dev.jcomms.Work;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.testkit.Needs;
import dev.jcomms.testkit.Rank;
import dev.jcomms.testkit.Scenario;
import java.util.List;
import java.util.stream.Stream;

/** Recorded sequences: right every time they are replayed, and not run while they are recorded. */
final class GraphScenarios {
  private static final Needs OPS =
      Needs.ops(Collective.AllReduce.class, Collective.AllGatherSingle.class)
          .and(DType.I64)
          .onHost();

  private GraphScenarios() {}

  static Stream<Scenario> all() {
    return Stream.of(
        new Scenario("graph/replays give the right result each time", OPS, GraphScenarios::replays),
        new Scenario("graph/two of them take turns", OPS, GraphScenarios::two),
        new Scenario("graph/async replays keep the order", OPS, GraphScenarios::async),
        new Scenario("graph/refuses what cannot be recorded", OPS, GraphScenarios::refuses));
  }

  private static void is(Rank rank, String what, Tensor tensor, long... expected) {
    Expect.equal(
        rank,
        what,
        Stream.of(box(expected)).toList(),
        Stream.of(box(tensor.toLongArray())).toList());
  }

  private static Long[] box(long[] values) {
    Long[] boxed = new Long[values.length];
    java.util.Arrays.setAll(boxed, i -> values[i]);
    return boxed;
  }

  private static void replays(Rank rank) {
    int n = rank.size();
    Tensor x = Tensor.of(1L, 2L);
    Tensor all = Tensor.zeros(DType.I64, dev.jcomms.tensor.Shape.of(2L * n));
    try (CommGraph graph =
        rank.comm()
            .capture(
                () -> {
                  rank.comm().allReduce(x, ReduceOp.SUM);
                  rank.comm().allGatherSingleAsync(all, x);
                })) {
      is(rank, "the tensor of a recorded all_reduce, before any replay", x, 1, 2);
      Expect.equal(
          rank,
          "recorded operations",
          List.of("all_reduce", "all_gather_single"),
          graph.operations().stream().map(Collective::opName).toList());
      for (int time = 1; time <= 4; time++) {
        x.copyFrom(Tensor.of((long) time, (long) rank.number()));
        all.zero();
        graph.replay();
        long sum = n * (n - 1L) / 2;
        is(rank, "the all_reduce of replay " + time, x, (long) time * n, sum);
        for (int r = 0; r < n; r++) {
          is(
              rank,
              "part " + r + " of the all_gather_single of replay " + time,
              all.narrow(0, 2L * r, 2),
              (long) time * n,
              sum);
        }
      }
    }
  }

  private static void two(Rank rank) {
    int n = rank.size();
    Tensor x = Tensor.of(1L);
    Tensor y = Tensor.of(1L);
    Comm comm = rank.comm();
    try (CommGraph sum = comm.capture(() -> comm.allReduce(x, ReduceOp.SUM));
        CommGraph max = comm.capture(() -> comm.allReduce(y, ReduceOp.MAX))) {
      for (int time = 1; time <= 3; time++) {
        x.fill((long) time);
        y.fill((long) time * rank.number());
        sum.replay();
        max.replay();
        is(rank, "the first of two graphs, replay " + time, x, (long) time * n);
        is(rank, "the second of two graphs, replay " + time, y, time * (n - 1L));
      }
    }
  }

  private static void async(Rank rank) {
    int n = rank.size();
    Tensor x = Tensor.of(1L);
    Comm comm = rank.comm();
    try (CommGraph graph = comm.capture(() -> comm.allReduce(x, ReduceOp.SUM))) {
      Work last = null;
      long expected = 1;
      for (int i = 0; i < 4; i++) {
        last = graph.replayAsync();
        expected *= n;
      }
      comm.allReduce(x, ReduceOp.MAX);
      last.await(rank.patience());
      is(rank, "four replays in a row", x, expected);
    }
  }

  private static void refuses(Rank rank) {
    Comm comm = rank.comm();
    Tensor x = Tensor.of(1L);
    Expect.thrown(
        rank,
        "await inside a capture",
        IllegalStateException.class,
        () -> comm.capture(() -> comm.allReduceAsync(x, ReduceOp.SUM).await()));
    Expect.thrown(
        rank,
        "a capture inside a capture",
        IllegalStateException.class,
        () -> comm.capture(() -> comm.capture(() -> {})));
    CommGraph graph = comm.capture(() -> comm.allReduce(x, ReduceOp.SUM));
    graph.close();
    graph.close();
    Expect.thrown(rank, "replay of a closed graph", IllegalStateException.class, graph::replay);
    Proof.works(rank, comm, "the comm after captures");
  }
}
