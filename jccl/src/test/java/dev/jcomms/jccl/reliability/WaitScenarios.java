package dev.jcomms.jccl.reliability;

import dev.jcomms.Comm;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Waits for a rank that does not come. */
final class WaitScenarios extends Scenario {
  private static final OpOptions PACKETS =
      OpOptions.hint("algorithm", "packets_" + Integer.getInteger("size"));

  WaitScenarios(RankComms comms, Orders orders) {
    super(comms, orders);
  }

  /** Everybody but the victim waits, in one operation on each of some communicators. */
  void blocked() throws Exception {
    Comm allReduce = comms.open("all_reduce");
    Comm broadcast = comms.open("broadcast");
    Comm recv = comms.open("recv");
    Comm barrier = comms.open("barrier");
    Comm plan = comms.openPlanned("plan");
    for (int i = 0; i < 3; i++) {
      plan.allReduce(planned(), ReduceOp.SUM, PACKETS);
    }
    Comm split = comms.open("split");
    Comm monitored = comms.open("monitored_barrier");
    Comm symmetric = comms.open("symmetric");
    Comm idle = comms.open("idle");
    if (rank != victim) {
      int next = (rank + 1) % size == victim ? (rank + 2) % size : (rank + 1) % size;
      inThread("all_reduce", () -> after(() -> allReduce.allReduce(ones(), ReduceOp.SUM)));
      inThread("broadcast", () -> after(() -> broadcast.broadcast(ones(), victim)));
      inThread("recv", () -> after(() -> recv.recv(ones(), next)));
      inThread("barrier", () -> after(barrier::barrier));
      inThread("split", () -> after(() -> split.split(0, rank)));
      inThread("monitored_barrier", () -> after(() -> monitored.monitoredBarrier(LONG)));
      inThread("symmetric", () -> after(() -> symmetric.symmetric(DType.F32, Shape.of(10))));
      inThread("plan", () -> after(() -> plan.allReduce(planned(), ReduceOp.SUM, PACKETS)));
    }
    say("READY");
    if (rank != victim) {
      joinAll();
      // What was idle when it happened is told by its next operation, if not before.
      attempt("idle", () -> after(() -> idle.allReduce(ones(), ReduceOp.SUM)));
    }
  }

  /** Everybody but the victim waits, in one operation and nowhere else. */
  void waiting() throws Exception {
    Comm comm = comms.open("main");
    say("READY");
    if (rank != victim) {
      attempt(
          "wait",
          () ->
              after(
                  () -> {
                    switch (System.getProperty("waits in")) {
                      case "split" -> comm.split(0, rank);
                      case "monitored_barrier" -> comm.monitoredBarrier(LONG);
                      case "symmetric" -> comm.symmetric(DType.F32, Shape.of(10));
                      case String other -> throw new IllegalArgumentException(other);
                    }
                  }));
    }
  }

  /** Opens a communicator; the one that is late, when the test says so. */
  void open() throws InterruptedException {
    if (rank == Integer.getInteger("late", -1)) {
      if (Boolean.getBoolean("counts")) {
        awaitCounts();
        say("COUNTED");
      }
      acting.await();
    }
    if (Boolean.getBoolean("together")) {
      comms.store().barrier("together", size, LONG);
    }
    attempt("open", () -> "rank " + comms.open("main").rank());
  }

  /** The others have come, know of each other, and count in the store. */
  private void awaitCounts() {
    List<String> counts =
        IntStream.range(0, size)
            .filter(r -> r != rank)
            .mapToObj(r -> "jcomms/0/main/1/core/beats/" + r)
            .toList();
    comms.store().await(counts, LONG);
  }

  /** A split in which the victim ends while the members of the part still wait for each other. */
  void part() {
    Comm comm = comms.open("main");
    say("READY");
    int color = Boolean.getBoolean("halves") ? 2 * rank / size : 0;
    attempt("split", () -> after(() -> comm.split(color, rank)));
    attempt("later", () -> after(comm::barrier));
  }

  /** A rank dies when all are in a part; the whole has nothing to do with it. */
  void whole() {
    Comm comm = comms.open("main");
    Comm part = comm.split(0, rank).orElseThrow();
    say("READY");
    if (rank != victim) {
      attempt("all_reduce", () -> after(() -> part.allReduce(ones(), ReduceOp.SUM)));
      part.close();
      attempt("close", () -> after(comm::close));
    }
  }

  /**
   * Rank 0 dies, who has the store, when all are in halves. One of the others' half waits at the
   * store then; the last one comes there later.
   */
  void halves() throws Exception {
    Comm half = comms.open("main").split(2 * rank / size, rank).orElseThrow();
    comms.add(half);
    say("READY");
    if (rank < size / 2) {
      return;
    }
    if (rank == size - 1) {
      acting.await();
    }
    attempt("split", () -> after(() -> half.split(0, rank)));
    attempt("all_reduce", () -> after(() -> requireSum(half, 1)));
    attempt("monitored_barrier", () -> after(() -> half.monitoredBarrier(LONG)));
    attempt("split again", () -> after(() -> half.split(List.of(half.rank()))));
    attempt("later", () -> after(() -> requireSum(half, 2)));
  }

  /** A plan that is prepared runs without meeting anybody before. */
  private Tensor planned() {
    return Tensor.ones(DType.F32, Shape.of(128L * size));
  }

  void abort() throws Exception {
    Comm comm = comms.open("main");
    say("READY");
    if (rank == victim) {
      acting.await();
      comm.abort("enough of this");
    } else {
      attempt("all_reduce", () -> after(() -> comm.allReduce(ones(), ReduceOp.SUM)));
    }
  }

  void stopped() throws Exception {
    Comm patient = comms.open("patient");
    Comm receiving = comms.open("receiving");
    if (rank != victim) {
      inThread("patient", () -> after(() -> patient.allReduce(ones(), ReduceOp.SUM)));
      inThread("receiving", () -> after(() -> receiving.recv(ones(), victim)));
    }
    say("READY");
    joinAll();
  }

  /** Every operation, each on a communicator of its own, with a rank that never comes. */
  void absent() throws Exception {
    Duration patience = Duration.ofSeconds(4);
    OpOptions soon = OpOptions.timeout(patience);
    List<String> names =
        List.of(
            "all_reduce",
            "large all_reduce",
            "broadcast",
            "reduce",
            "all_gather",
            "reduce_scatter",
            "all_to_all",
            "scatter",
            "gather",
            "barrier",
            "monitored_barrier",
            "recv",
            "send");
    Map<String, Comm> all = new LinkedHashMap<>();
    names.forEach(name -> all.put(name, comms.open(name)));
    say("READY");
    if (rank == victim) {
      return;
    }
    comms.store().barrier("all come", size - 1, LONG); // or the last ones are late themselves
    int live = victim == 0 ? 1 : 0;
    all.forEach(
        (name, comm) ->
            inThread(
                name,
                () ->
                    after(
                        () -> {
                          switch (name) {
                            case "all_reduce" -> comm.allReduce(ones(), ReduceOp.SUM, soon);
                            case "large all_reduce" ->
                                comm.allReduce(
                                    Tensor.ones(DType.F32, Shape.of(LARGE)), ReduceOp.SUM, soon);
                            case "broadcast" -> comm.broadcast(ones(), victim, soon);
                            case "reduce" -> comm.reduce(ones(), live, ReduceOp.SUM, soon);
                            case "all_gather" -> comm.allGather(many(), ones(), soon);
                            case "reduce_scatter" ->
                                comm.reduceScatter(ones(), many(), ReduceOp.SUM, soon);
                            case "all_to_all" -> comm.allToAll(many(), many(), soon);
                            case "scatter" -> comm.scatter(ones(), List.of(), victim, soon);
                            case "gather" ->
                                comm.gather(rank == live ? many() : List.of(), ones(), live, soon);
                            case "barrier" -> comm.barrier(soon);
                            case "monitored_barrier" -> comm.monitoredBarrier(patience);
                            case "recv" -> comm.recv(ones(), victim, soon);
                            case "send" ->
                                comm.send(
                                    Tensor.ones(DType.F32, Shape.of(8L * LARGE)), victim, soon);
                            default -> throw new AssertionError(name);
                          }
                        })));
    joinAll();
  }

  private List<Tensor> many() {
    return Stream.generate(Scenario::ones).limit(size).toList();
  }
}
