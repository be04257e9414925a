package dev.jcomms.jccl.reliability;

import dev.jcomms.Comm;
import dev.jcomms.CommException;
import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/** What the scenarios of one {@link RankProgram} have in common. */
abstract class Scenario {
  /** Longer than any test waits: what ends earlier was ended by something else. */
  static final Duration LONG = Duration.ofSeconds(90);

  static final int LARGE = 1 << 20;

  /** What the test has told this rank. */
  record Orders(CountDownLatch ending, CountDownLatch acting) {}

  /** What a rank tries; gives back what there is to say of it. */
  interface Body {
    String run() throws Exception;
  }

  final int rank = Integer.getInteger("rank");
  final int size = Integer.getInteger("size");
  final int victim = Integer.getInteger("victim", -1);
  final RankComms comms;
  final CountDownLatch ending;
  final CountDownLatch acting;
  private final List<Thread> threads = new ArrayList<>();

  Scenario(RankComms comms, Orders orders) {
    this.comms = comms;
    this.ending = orders.ending;
    this.acting = orders.acting;
  }

  static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  /** Does something and reports how it ended. */
  void attempt(String label, Body body) {
    long start = System.nanoTime();
    try {
      String message = body.run();
      long millis = (System.nanoTime() - start) / 1_000_000;
      say(new Report(rank, label, "ok", Set.of(), millis, message, 0).encode());
    } catch (Throwable e) {
      failed(label, Duration.ofNanos(System.nanoTime() - start), e);
    }
  }

  void failed(String label, Duration took, Throwable e) {
    if (!(e instanceof CommException)) {
      e.printStackTrace();
    }
    String outcome = e.getClass().getSimpleName();
    Set<Integer> missing = e instanceof CommException c ? c.missingRanks() : Set.of();
    String message = String.valueOf(e.getMessage());
    say(new Report(rank, label, outcome, missing, took.toMillis(), message, 0).encode());
  }

  void inThread(String label, Body body) {
    threads.add(Thread.ofPlatform().daemon().start(() -> attempt(label, body)));
  }

  void joinAll() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }

  static void requireSum(Comm comm, int i) {
    Tensor x = Tensor.of(comm.rank() + 1L, i);
    comm.allReduce(x, ReduceOp.SUM);
    long n = comm.size();
    require(x.getLong(0) == n * (n + 1) / 2 && x.getLong(1) == n * i, "the sum is wrong: " + x);
  }

  static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }

  static String after(Runnable body) {
    body.run();
    return "";
  }

  static Tensor ones() {
    return Tensor.ones(DType.F32, Shape.of(1000));
  }

  static Tensor of(DType dtype, long elements) {
    return Tensor.ones(dtype, Shape.of(elements));
  }
}
