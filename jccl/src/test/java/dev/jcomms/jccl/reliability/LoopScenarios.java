package dev.jcomms.jccl.reliability;

import dev.jcomms.Comm;
import dev.jcomms.CommException;
import dev.jcomms.InitHandle;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.chaos.EndlessPlay;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.spi.TensorMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Operation after operation, until the test or a failure ends it. */
final class LoopScenarios extends Scenario {
  LoopScenarios(RankComms comms, Orders orders) {
    super(comms, orders);
  }

  /** All-reduces until rank 0 is told to end; every result is checked. */
  void loop() throws Exception {
    Comm comm = comms.open("main");
    boolean rebuilds = Boolean.getBoolean("rebuilds");
    List<InitHandle> handles = rebuilds ? exchangeHandles(comm) : List.of();
    if (Boolean.getBoolean("waits at store")) {
      inThread(
          "store",
          () -> {
            comms.store().get("never", LONG);
            return "";
          });
    }
    Set<Integer> lost = new TreeSet<>();
    attempt(
        "loop",
        () -> {
          try {
            return reduceUntilToldToEnd(comm, LARGE);
          } catch (CommException e) {
            lost.addAll(e.missingRanks());
            throw e;
          }
        });
    if (rebuilds && comm.isAborted()) {
      List<InitHandle> left =
          IntStream.range(0, size).filter(r -> !lost.contains(r)).mapToObj(handles::get).toList();
      attempt(
          "rebuilt",
          () -> {
            Comm next = comm.reconfigure("after-the-loss", left);
            comms.add(next);
            for (int i = 0; i < 20; i++) {
              requireSum(next, i);
            }
            return next.rank() + " of " + next.size();
          });
    }
  }

  /** All-reduces large ordinary memory until that fails, uses it for something else, and looks. */
  void reused() {
    Comm comm = comms.open("main");
    Tensor x = Tensor.zeros(DType.F32, Shape.of(16 * LARGE));
    attempt(
        "reduced",
        () -> {
          for (int i = 0; ; i++) {
            comm.allReduce(x, ReduceOp.MAX);
            if (i == 3) {
              say("READY");
            }
          }
        });
    x.fill(7);
    attempt(
        "kept",
        () -> {
          acting.await();
          float[] content = x.toFloatArray();
          for (int i = 0; i < content.length; i++) {
            if (content[i] != 7) {
              throw new AssertionError("[" + i + "]=" + content[i]);
            }
          }
          return TensorMemory.offset(x.segment()) == 0 ? "withdrawn" : "shared";
        });
  }

  /** One closes its communicator when the others count on it. */
  void leftAlone() throws Exception {
    Comm comm = comms.open("main");
    requireSum(comm, 1);
    say("READY");
    acting.await();
    if (rank == victim) {
      comm.close();
    } else {
      attempt(
          "alone",
          () ->
              after(() -> comm.allReduce(of(DType.F32, 1), ReduceOp.SUM, OpOptions.timeout(LONG))));
    }
  }

  /** One sends something and closes its communicator at once. */
  void sent() throws Exception {
    Comm comm = comms.open("main");
    requireSum(comm, 1);
    say("READY");
    acting.await();
    if (rank == victim) {
      comm.send(Tensor.ones(Shape.of(LARGE)), 0);
      comm.close();
    } else {
      attempt(
          "received",
          () -> {
            Tensor x = Tensor.zeros(Shape.of(LARGE));
            comm.recv(x, victim);
            return "" + x.sum().toFloatArray()[0];
          });
    }
  }

  /** Broadcasts in a hurry, and then now and then: no root waits for anybody. */
  void seldom() {
    Comm comm = comms.open("main");
    Tensor x = of(DType.F32, 1);
    for (int i = 0; i < 20_000; i++) {
      comm.broadcast(x, 0);
    }
    say("READY");
    attempt(
        "broadcast",
        () -> {
          for (; ending.getCount() > 0; LockSupport.parkNanos(400_000_000)) {
            comm.broadcast(x, 0);
          }
          return "";
        });
  }

  private List<InitHandle> exchangeHandles(Comm comm) {
    comms.store().set("handle/" + rank, comm.initHandle().value().getBytes(StandardCharsets.UTF_8));
    return IntStream.range(0, size)
        .mapToObj(r -> new String(comms.store().get("handle/" + r, LONG), StandardCharsets.UTF_8))
        .map(InitHandle::new)
        .toList();
  }

  private String reduceUntilToldToEnd(Comm comm, int elements) {
    Tensor x = Tensor.zeros(DType.F32, Shape.of(elements));
    float[] content = new float[elements];
    int n = comm.size();
    for (int i = 0; ; i++) {
      Arrays.fill(content, comm.rank() + 1 + i % 100);
      content[0] = comm.rank() == 0 && ending.getCount() == 0 ? 1 : 0;
      MemorySegment.copy(content, 0, x.segment(), ValueLayout.JAVA_FLOAT, 0, elements);
      comm.allReduce(x, ReduceOp.SUM);
      MemorySegment.copy(x.segment(), ValueLayout.JAVA_FLOAT, 0, content, 0, elements);
      float sum = n * (n + 1) / 2f + n * (i % 100);
      for (int at = 1; at < elements; at++) {
        if (content[at] != sum) {
          throw new AssertionError("round " + i + ": [" + at + "]=" + content[at]);
        }
      }
      if (content[0] == 1) {
        return "" + (i + 1);
      }
      if (i == 2) {
        say("READY");
      }
    }
  }

  /** Random sequences until rank 0 is told to end or a communicator has failed. */
  void random() throws Exception {
    List<Comm> worlds = List.of(comms.open("world0"), comms.open("world1"));
    say("READY");
    try (EndlessPlay play =
        new EndlessPlay(Long.getLong("seed"), worlds, () -> ending.getCount() == 0, this::failed)) {
      attempt("played", () -> play.play() + " rounds");
      ending.await();
    }
  }
}
