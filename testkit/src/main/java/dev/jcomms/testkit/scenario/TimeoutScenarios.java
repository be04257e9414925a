package dev.jcomms.testkit.scenario;

import dev.jcomms.Collective;
import dev.jcomms.Comm;
import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.OpOptions;
import dev.jcomms.PeerLostException;
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
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A rank that does not come: every operation that needs it ends at its own deadline, not later, and
 * says which operation it was.
 */
final class TimeoutScenarios {
  private static final Duration TIMEOUT = Duration.ofMillis(300);

  /** How late a deadline may be noticed, on a machine that is busy. */
  private static final Duration LATENESS = Duration.ofSeconds(5);

  private TimeoutScenarios() {}

  static Stream<Scenario> all() {
    Needs any = Needs.oneOf(Proof.KINDS).ranks(2);
    return Stream.of(
        new Scenario(
            "timeout/a blocking call ends at its deadline", any, TimeoutScenarios::blocking),
        new Scenario(
            "timeout/every operation ends when a rank does not come",
            Needs.NOTHING.ranks(2),
            TimeoutScenarios::everyOperation),
        new Scenario(
            "timeout/the communicator's own timeout counts where an operation has none",
            any,
            TimeoutScenarios::ofTheComm));
  }

  private static int absent(Rank rank) {
    return rank.size() - 1;
  }

  private static void blocking(Rank rank) throws InterruptedException {
    Proof.works(rank, rank.comm(), "the comm before the timeout");
    rank.meet(); // the failure of what comes next may also end who is still there
    if (rank.number() != absent(rank)) {
      long start = System.nanoTime();
      Waiter waiter = new Waiter(rank, OpOptions.timeout(TIMEOUT));
      Throwable outcome = waiter.outcome(TIMEOUT.plus(LATENESS));
      Collective op = waiter.op();
      if (!(outcome instanceof CommException e)) {
        throw new ConformanceError(
            rank
                + ": "
                + what(op, rank)
                + " must fail with CommTimeoutException; it "
                + (outcome == null ? "returned" : "failed with " + outcome),
            outcome);
      }
      timedOut(rank, op.opName(), e, System.nanoTime() - start);
      CommException again =
          Expect.thrown(
              rank,
              "an operation after a timeout, on ranks that are out of step,",
              CommException.class,
              () -> rank.comm().run(op, OpOptions.timeout(TIMEOUT)));
      Expect.equal(rank, "op of the error after a timeout", op.opName(), again.op());
    }
    rank.meet();
  }

  private static void ofTheComm(Rank rank) {
    rank.comm().timeout(TIMEOUT);
    if (rank.number() != absent(rank)) {
      Collective op = Proof.waiting(rank);
      long start = System.nanoTime();
      CommException e =
          Expect.thrown(
              rank,
              what(op, rank),
              CommException.class,
              () -> rank.comm().start(op, OpOptions.DEFAULT).await(rank.patience()));
      timedOut(rank, op.opName(), e, System.nanoTime() - start);
    }
    rank.meet();
  }

  /** Each operation on a communicator of its own, all waiting at the same time. */
  private static void everyOperation(Rank rank) {
    List<Integer> everybody = IntStream.range(0, rank.size()).boxed().toList();
    Map<String, Work> works = new LinkedHashMap<>();
    // How long each took by itself: making the communicators of all takes its time, too.
    Map<String, CompletableFuture<Long>> times = new HashMap<>();
    List<Comm> comms = new ArrayList<>();
    for (Call call : calls(rank)) {
      Comm comm = rank.comm().split(everybody).orElseThrow();
      comms.add(comm);
      if (rank.number() != absent(rank)) {
        long start = System.nanoTime();
        Work work = comm.start(call.op(), OpOptions.timeout(TIMEOUT));
        if (call.waits().test(rank.number())) {
          works.put(call.op().opName(), work);
          CompletableFuture<Long> time = new CompletableFuture<>();
          work.onEnd(() -> time.complete(System.nanoTime() - start));
          times.put(call.op().opName(), time);
        }
      }
    }
    works.forEach(
        (op, work) -> {
          CommException e =
              Expect.thrown(
                  rank,
                  op + " without rank " + absent(rank),
                  CommException.class,
                  () -> work.await(TIMEOUT.plus(LATENESS)));
          Expect.that(
              rank,
              work.isCompleted(),
              op
                  + " without rank "
                  + absent(rank)
                  + " has not ended "
                  + LATENESS.toSeconds()
                  + " s after its timeout of "
                  + TIMEOUT.toMillis()
                  + " ms");
          long patience = rank.patience().toMillis();
          timedOut(rank, op, e, times.get(op).orTimeout(patience, TimeUnit.MILLISECONDS).join());
        });
    rank.meet();
    comms.forEach(Comm::close);
  }

  /** An operation, and which ranks cannot end it without the absent one. */
  private record Call(Collective op, IntPredicate waits) {}

  private static List<Call> calls(Rank rank) {
    int n = rank.size();
    int gone = absent(rank);
    DType dtype = Proof.dtype(rank);
    Tensor one = rank.onDevice(Tensor.zeros(dtype, Shape.of(4)));
    Tensor all = rank.onDevice(Tensor.zeros(dtype, Shape.of(4L * n)));
    List<Tensor> list =
        Stream.generate(() -> rank.onDevice(Tensor.zeros(dtype, Shape.of(4)))).limit(n).toList();
    List<Long> fours = IntStream.range(0, n).mapToObj(_ -> 4L).toList();
    Tensor also = rank.onDevice(Tensor.zeros(dtype, Shape.of(4L * n)));
    List<Tensor> lists =
        Stream.generate(() -> rank.onDevice(Tensor.zeros(dtype, Shape.of(4)))).limit(n).toList();
    IntPredicate everybody = _ -> true;
    IntPredicate root = r -> r == 0;
    return Stream.of(
            new Call(new Collective.AllReduce(one, one, ReduceOp.SUM), everybody),
            new Call(new Collective.AllGather(list, one), everybody),
            new Call(new Collective.AllGatherV(list, one), everybody),
            new Call(new Collective.AllGatherSingle(all, one), everybody),
            new Call(new Collective.ReduceScatter(one, list, ReduceOp.SUM), everybody),
            new Call(new Collective.ReduceScatterV(one, list, ReduceOp.SUM), everybody),
            new Call(new Collective.ReduceScatterSingle(one, all, ReduceOp.SUM), everybody),
            new Call(new Collective.AllToAll(list, lists), everybody),
            new Call(new Collective.AllToAllSingle(all, also), everybody),
            new Call(new Collective.AllToAllVSingle(all, also, fours, fours), everybody),
            new Call(new Collective.Barrier(), everybody),
            new Call(new Collective.Broadcast(one, gone), everybody),
            new Call(new Collective.Scatter(one, List.of(), gone), everybody),
            new Call(new Collective.Reduce(one, 0, ReduceOp.SUM), root),
            new Call(new Collective.Gather(list, one, 0), root),
            new Call(new Collective.GatherSingle(all, one, 0), root),
            new Call(new Collective.Recv(one, gone, 0), everybody),
            new Call(
                new Collective.SendRecvBatch(
                    List.of(
                        new Collective.Send(one, gone, 0),
                        new Collective.Recv(list.getFirst(), gone, 0))),
                everybody))
        .filter(call -> rank.abilities().kinds().contains(call.op().getClass()))
        // The absent rank calls nothing; what it would call need not make sense.
        .toList();
  }

  private static String what(Collective op, Rank rank) {
    return op.opName()
        + " with a timeout of "
        + TIMEOUT.toMillis()
        + " ms, without rank "
        + absent(rank);
  }

  /** One rank's deadline may end the others' wait: then the reason tells. */
  private static void timedOut(Rank rank, String op, CommException e, long nanos) {
    boolean told =
        e instanceof CommTimeoutException
            || (e instanceof CommAbortedException || e instanceof PeerLostException)
                && String.valueOf(e.getMessage()).contains("timed out");
    if (!told) {
      throw new ConformanceError(
          rank
              + ": "
              + op
              + " without rank "
              + absent(rank)
              + " must fail with CommTimeoutException; it failed with "
              + e,
          e);
    }
    if (nanos > TIMEOUT.plus(LATENESS).toNanos()) {
      throw new ConformanceError(
          rank
              + ": "
              + op
              + " with a timeout of "
              + TIMEOUT.toMillis()
              + " ms ended after "
              + nanos / 1_000_000
              + " ms",
          e);
    }
    Expect.equal(rank, "op of the error", op, e.op());
    Expect.says(rank, op, e, op, rank.comm().name());
    Expect.that(
        rank,
        !e.missingRanks().contains(rank.number()),
        op + ": the error says that this rank itself is missing: " + e);
    if (rank.size() == 2 && e instanceof CommTimeoutException && !e.missingRanks().isEmpty()) {
      Expect.equal(
          rank,
          "missing ranks of " + op,
          Arrays.asList(absent(rank)),
          List.copyOf(e.missingRanks()));
    }
  }
}
