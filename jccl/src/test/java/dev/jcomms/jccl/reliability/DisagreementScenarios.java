package dev.jcomms.jccl.reliability;

import dev.jcomms.Comm;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.Window;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import java.time.Duration;
import java.util.List;

/** Ranks that disagree. */
final class DisagreementScenarios extends Scenario {
  private interface Call {
    void on(Comm comm);
  }

  DisagreementScenarios(RankComms comms, Orders orders) {
    super(comms, orders);
  }

  /** The last rank calls something else than the others, in each case on a new communicator. */
  void disagree() {
    boolean odd = rank == size - 1;
    OpOptions soon = OpOptions.timeout(Duration.ofSeconds(20));
    disagree("size", comm -> comm.allReduce(of(DType.F32, odd ? 2000 : 1000), ReduceOp.SUM, soon));
    disagree(
        "large size",
        comm -> comm.allReduce(of(DType.F32, odd ? LARGE : LARGE - 1), ReduceOp.SUM, soon));
    disagree(
        "dtype", comm -> comm.allReduce(of(odd ? DType.I32 : DType.F32, 1000), ReduceOp.SUM, soon));
    disagree(
        "reduce op",
        comm -> comm.allReduce(of(DType.F32, 1000), odd ? ReduceOp.MAX : ReduceOp.SUM, soon));
    disagree(
        "sizes",
        comm ->
            comm.allGatherV(
                List.of(of(DType.F32, odd ? 2 : 1), of(DType.F32, 5), of(DType.F32, 0)),
                of(DType.F32, rank == 0 ? 1 : rank == 1 ? 5 : 0),
                soon));
    disagree("root", comm -> comm.broadcast(of(DType.F32, 1000), odd ? 1 : 0, soon));
    Call allReduce = comm -> comm.allReduce(of(DType.F32, 1000), ReduceOp.SUM, soon);
    disagree("kind", odd ? comm -> comm.broadcast(of(DType.F32, 1000), 0, soon) : allReduce);
    disagree(
        "order",
        comm -> {
          for (boolean reduces : new boolean[] {odd, !odd}) {
            if (reduces) {
              allReduce.on(comm);
            } else {
              comm.barrier(soon);
            }
          }
        });
    disagree("symmetric", odd ? comm -> comm.symmetric(DType.F32, Shape.of(4), soon) : allReduce);
    Call split = comm -> comm.split(rank, 0);
    Call monitored = comm -> comm.monitoredBarrier(Duration.ofSeconds(20));
    disagree("split", odd ? split : allReduce);
    disagree("monitored barrier", odd ? allReduce : monitored);
    disagree("split or barrier", odd ? split : monitored);
    Call window = comm -> comm.newWindow().register(of(DType.F32, 10), soon);
    disagree("window", odd ? window : allReduce);
    disagree("window or split", odd ? window : split);
    disagree("window or barrier", odd ? monitored : window);
    disagree("fence", comm -> endOrFence(comm.newWindow(of(DType.F32, 10)), odd, soon));
    disagree(
        "message",
        comm -> {
          if (odd) {
            comm.recv(of(DType.F32, 10), 0, soon);
          } else if (rank == 0) {
            comm.send(of(DType.F32, 11), size - 1, soon);
          }
        });
    attempt(
        "after all that",
        () -> {
          requireSum(comms.open("fine"), 7);
          return "";
        });
  }

  private static void endOrFence(Window window, boolean end, OpOptions options) {
    if (end) {
      window.deregister();
    } else {
      window.fence(options);
    }
  }

  private void disagree(String what, Call call) {
    Comm comm = comms.open(what);
    attempt(what, () -> after(() -> call.on(comm)));
    // Everybody has reported before anybody goes on: closing early would be another failure.
    comms.store().barrier("disagreed/" + what, size, LONG);
  }
}
