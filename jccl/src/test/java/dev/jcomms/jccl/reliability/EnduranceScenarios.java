package dev.jcomms.jccl.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Comm;
import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.RootedPlans;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/** Nothing fails: what it costs. */
final class EnduranceScenarios extends Scenario {
  EnduranceScenarios(RankComms comms, Orders orders) {
    super(comms, orders);
  }

  void openAndClose() {
    int times = Integer.getInteger("times");
    attempt(
        "open and close",
        () -> {
          String early = "";
          for (int i = 0; i < times; i++) {
            openUseClose(i);
            if (i == times / 4) {
              early = Holdings.now().encode();
            }
          }
          return early + " " + Holdings.now().encode();
        });
    say("READY");
  }

  private void openUseClose(int i) {
    Comm comm = comms.open("passing");
    requireSum(comm, i);
    Tensor token = Tensor.of((long) rank);
    Tensor got = Tensor.of(-1L);
    var sent = comm.sendAsync(token, (rank + 1) % size);
    comm.recv(got, (rank + size - 1) % size);
    sent.await();
    require(got.getLong(0) == (rank + size - 1) % size, "a foreign token: " + got);
    comms.close();
  }

  /** The victim takes a hundred times as long as the others between operations. */
  void slow() throws Exception {
    Comm comm = comms.open("main");
    for (int i = 0; i < 20; i++) {
      requireSum(comm, i);
    }
    Tensor x = of(DType.F32, LARGE / 4);
    Tensor parcel = of(DType.F32, LARGE / 4);
    Holdings before = Holdings.now();
    attempt(
        "collectives",
        () -> {
          for (int i = 0; i < 60; i++) {
            dawdle();
            x.fill(rank + i);
            comm.allReduce(x, ReduceOp.SUM);
            float sum = size * (size - 1) / 2f + size * i;
            require(x.getFloat(0) == sum && x.getFloat(LARGE / 4 - 1) == sum, "wrong: " + x);
          }
          return "";
        });
    attempt(
        "messages",
        () -> {
          for (int i = 0; i < 100; i++) {
            if (rank == victim) {
              dawdle();
              comm.recv(parcel, 0);
              require(
                  parcel.getFloat(0) == i && parcel.getFloat(LARGE / 4 - 1) == i, "wrong: " + i);
            } else if (rank == 0) {
              comm.send(parcel.fill(i), victim);
            }
          }
          comm.barrier();
          return "";
        });
    attempt("memory", () -> before.encode() + " " + Holdings.now().encode());
    say("READY");
  }

  void tiny() {
    Comm comm = comms.open("main");
    Tensor x = of(DType.F32, 1);
    for (int i = 0; i < Integer.getInteger("times"); i++) {
      comm.allReduce(x.fill(1), ReduceOp.SUM);
      require(x.getFloat(0) == size, "wrong: " + x);
    }
    say("READY");
  }

  void rootedPlans() {
    int root = Integer.getInteger("root");
    Comm comm = comms.open("main", RootedPlans.with(size, root, Boolean.getBoolean("in place")));
    RootedPlans.check(comm, root);
    say("READY");
  }

  /** Each in turn has nothing to give, and all others much. */
  void emptyPieces() {
    Comm comm = comms.open("main");
    for (int r = 0; r < size; r++) {
      int none = r;
      IntFunction<Tensor> piece = of -> Tensor.full(Shape.of(of == none ? 0 : LARGE), of + 1);
      List<Tensor> all = new ArrayList<>();
      for (int of = 0; of < size; of++) {
        all.add(Tensor.zeros(piece.apply(of).shape()));
      }
      comm.allGatherV(all, piece.apply(rank));
      for (int of = 0; of < size; of++) {
        assertThat(all.get(of).toFloatArray()).isEqualTo(piece.apply(of).toFloatArray());
      }
    }
    say("READY");
  }

  private void dawdle() {
    if (rank == victim) {
      LockSupport.parkNanos(20_000_000);
    }
  }
}
