package dev.jcomms.testkit.scenario;

import dev.jcomms.Collective;
import dev.jcomms.Comm;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.Work;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.testkit.ConformanceError;
import dev.jcomms.testkit.Needs;
import dev.jcomms.testkit.Rank;
import dev.jcomms.testkit.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Many operations at once: in call order on one communicator, independent on several, from any
 * thread.
 */
final class OrderScenarios {
  private static final Needs SUM = Needs.ops(Collective.AllReduce.class).and(DType.I64);

  private OrderScenarios() {}

  static Stream<Scenario> all() {
    return Stream.of(
        new Scenario(
            "order/operations on one tensor take effect in call order",
            SUM.and(Collective.Broadcast.class),
            OrderScenarios::chain),
        new Scenario(
            "order/a receive takes effect before what comes after it",
            SUM.and(Collective.Send.class, Collective.Recv.class).ranks(2),
            OrderScenarios::receiveFirst),
        new Scenario(
            "order/different collectives overlap, awaited in any order",
            SUM.and(
                Collective.Broadcast.class,
                Collective.AllGatherSingle.class,
                Collective.ReduceScatterSingle.class,
                Collective.AllToAllSingle.class),
            OrderScenarios::overlap),
        new Scenario(
            "order/blocking calls wait for async ones before them", SUM, OrderScenarios::mixed),
        new Scenario(
            "order/several threads of a rank may call at once", SUM, OrderScenarios::threads),
        new Scenario(
            "order/communicators do not wait for each other", SUM, OrderScenarios::severalComms),
        new Scenario(
            "order/threads with a communicator each do not disturb each other",
            SUM,
            OrderScenarios::threadsWithComms));
  }

  private static Tensor i64(Rank rank, long... values) {
    return rank.onDevice(Tensor.of(values));
  }

  private static void is(Rank rank, String what, Tensor tensor, long... expected) {
    long[] actual = rank.onHost(tensor).toLongArray();
    for (int i = 0; i < expected.length; i++) {
      if (actual[i] != expected[i]) {
        throw new ConformanceError(
            rank
                + ": "
                + what
                + ": tensor["
                + i
                + "] is "
                + actual[i]
                + "; it should be "
                + expected[i]);
      }
    }
  }

  /** Nobody waits in between: x = root's, then n times it, then the next root's of that, … */
  private static void chain(Rank rank) {
    int n = rank.size();
    Tensor x = i64(rank, rank.number() + 1, 5);
    long expected = 1;
    Work last = null;
    for (int round = 0; round < 6; round++) {
      rank.comm().broadcastAsync(x, round % n);
      last = rank.comm().allReduceAsync(x, ReduceOp.SUM);
      expected *= n;
    }
    last.await(rank.patience());
    is(rank, "broadcast and all_reduce 6 times on 2 x i64", x, expected, 5 * expected);
  }

  private static void receiveFirst(Rank rank) {
    int n = rank.size();
    Tensor x = i64(rank, 1, 1);
    if (rank.number() == 0) {
      rank.comm().sendAsync(i64(rank, 100, 200), n - 1);
    } else if (rank.number() == n - 1) {
      rank.comm().recvAsync(x, 0);
    }
    rank.comm().allReduceAsync(x, ReduceOp.SUM).await(rank.patience());
    is(rank, "recv and then all_reduce on 2 x i64", x, 100 + n - 1, 200 + n - 1);
  }

  private static void overlap(Rank rank) {
    int n = rank.size();
    int me = rank.number();
    for (int round = 0; round < 3; round++) {
      List<Work> works = new ArrayList<>();
      Comm comm = rank.comm();
      Trial t = new Trial(rank, "five different collectives at once");
      DType dtype = DType.I64;
      Tensor sum =
          t.inPlace(
              "all_reduce tensor", dtype, 33, i -> me + i, i -> i * n + n * (n - 1) / 2, _ -> 0);
      works.add(comm.allReduceAsync(sum, ReduceOp.SUM));
      int root = round % n;
      Tensor sent =
          t.inPlace(
              "broadcast tensor",
              dtype,
              21,
              i -> Values.of(dtype, me, 0, i),
              i -> Values.of(dtype, root, 0, i),
              _ -> 0);
      works.add(comm.broadcastAsync(sent, root));
      works.add(
          comm.allGatherSingleAsync(
              t.output(
                  "all_gather_single output",
                  dtype,
                  5L * n,
                  i -> Values.of(dtype, (int) (i / 5), 1, i % 5)),
              t.input("all_gather_single input", dtype, 5, i -> Values.of(dtype, me, 1, i))));
      works.add(
          comm.allToAllSingleAsync(
              t.output(
                  "all_to_all_single output",
                  dtype,
                  4L * n,
                  i -> Values.of(dtype, (int) (i / 4), me, i % 4)),
              t.input(
                  "all_to_all_single input",
                  dtype,
                  4L * n,
                  i -> Values.of(dtype, me, (int) (i / 4), i % 4))));
      works.add(
          comm.reduceScatterSingleAsync(
              t.output("reduce_scatter_single output", dtype, 3, i -> n * (3L * me + i)),
              t.input("reduce_scatter_single input", dtype, 3L * n, i -> i),
              ReduceOp.SUM));
      // Ranks differ in what they wait for first.
      java.util.Collections.rotate(works, me);
      works.reversed().forEach(work -> work.await(rank.patience()));
      t.verify();
    }
  }

  private static void mixed(Rank rank) {
    int n = rank.size();
    Tensor x = i64(rank, 1);
    long expected = 1;
    for (int i = 0; i < 5; i++) {
      rank.comm().allReduceAsync(x, ReduceOp.SUM);
      rank.comm().allReduce(x, ReduceOp.SUM);
      expected *= (long) n * n;
      is(rank, "all_reduce after " + (2 * i + 1) + " others", x, expected);
    }
  }

  /** All calls are alike, so whichever thread comes first, the ranks agree. */
  private static void threads(Rank rank) throws Exception {
    int n = rank.size();
    inThreads(
        rank,
        4,
        thread -> {
          for (int i = 0; i < 10; i++) {
            Tensor x = i64(rank, 3, rank.number());
            rank.comm().allReduce(x, ReduceOp.SUM);
            is(rank, "all_reduce of thread " + thread, x, 3L * n, n * (n - 1L) / 2);
          }
        });
  }

  private static void severalComms(Rank rank) {
    int n = rank.size();
    List<Integer> everybody = IntStream.range(0, n).boxed().toList();
    try (Comm a = rank.comm().split(everybody).orElseThrow();
        Comm b = rank.comm().split(everybody.reversed()).orElseThrow()) {
      for (int i = 0; i < 5; i++) {
        Tensor x = i64(rank, 1);
        Tensor y = i64(rank, 10);
        Tensor z = i64(rank, 100);
        // Ranks call the communicators in different orders.
        List<Runnable> calls = new ArrayList<>();
        List<Work> works = new ArrayList<>();
        calls.add(() -> works.add(rank.comm().allReduceAsync(x, ReduceOp.SUM)));
        calls.add(() -> works.add(a.allReduceAsync(y, ReduceOp.SUM)));
        calls.add(() -> works.add(b.allReduceAsync(z, ReduceOp.SUM)));
        java.util.Collections.rotate(calls, rank.number());
        calls.forEach(Runnable::run);
        works.forEach(work -> work.await(rank.patience()));
        is(rank, "all_reduce on the first of three comms", x, n);
        is(rank, "all_reduce on the second of three comms", y, 10L * n);
        is(rank, "all_reduce on the third of three comms", z, 100L * n);
      }
      rank.meet();
    }
  }

  private static void threadsWithComms(Rank rank) throws Exception {
    int n = rank.size();
    List<Integer> everybody = IntStream.range(0, n).boxed().toList();
    List<Comm> comms = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      comms.add(rank.comm().split(everybody).orElseThrow());
    }
    inThreads(
        rank,
        comms.size(),
        thread -> {
          for (int i = 0; i < 10; i++) {
            Tensor x = i64(rank, thread + i);
            comms.get(thread).run(new Collective.AllReduce(x, x, ReduceOp.SUM), OpOptions.DEFAULT);
            is(rank, "all_reduce #" + i + " of thread " + thread, x, (long) n * (thread + i));
          }
        });
    rank.meet();
    comms.forEach(Comm::close);
  }

  private interface Body {
    void run(int thread);
  }

  private static void inThreads(Rank rank, int count, Body body) throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < count; t++) {
      int thread = t;
      threads.add(
          Thread.ofPlatform()
              .daemon()
              .name("rank-" + rank.number() + "-" + t)
              .start(
                  () -> {
                    try {
                      body.run(thread);
                    } catch (Throwable e) {
                      failure.compareAndSet(null, e);
                    }
                  }));
    }
    for (Thread thread : threads) {
      if (!thread.join(rank.patience())) {
        throw new ConformanceError(rank + ": thread " + thread.getName() + " hangs");
      }
    }
    switch (failure.get()) {
      case null -> {}
      case ConformanceError error -> throw error;
      case Throwable other -> throw new ConformanceError(rank + ": " + other, other);
    }
  }
}
