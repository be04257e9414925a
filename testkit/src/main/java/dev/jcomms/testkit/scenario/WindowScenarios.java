package dev.jcomms.testkit.scenario;

import dev.jcomms.CommException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.Window;
import dev.jcomms.Work;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.testkit.Capability;
import dev.jcomms.testkit.ConformanceError;
import dev.jcomms.testkit.Needs;
import dev.jcomms.testkit.Rank;
import dev.jcomms.testkit.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongToDoubleFunction;
import java.util.stream.Stream;

/** One-sided windows. */
final class WindowScenarios {
  private static final Needs WINDOW = Needs.capability(Capability.WINDOW);

  private WindowScenarios() {}

  static Stream<Scenario> all() {
    return Stream.concat(
        Stream.of(DType.F32, DType.I32, DType.I8, DType.BF16)
            .map(
                dtype ->
                    new Scenario(
                        "window/put, signal and await around a ring, " + dtype,
                        WINDOW.and(dtype),
                        rank -> ring(rank, dtype))),
        Stream.of(
            of("get reads what is there", WindowScenarios::get),
            of("accumulates of all ranks add up", WindowScenarios::accumulate),
            of("a fence puts everything in place", WindowScenarios::fence),
            of("a flush puts everything in place at one rank", WindowScenarios::flush),
            of("fences and flushes may be started and waited for later", WindowScenarios::started),
            new Scenario(
                "window/a fence that a rank does not come to is a timeout",
                WINDOW.and(DType.I64).ranks(2),
                WindowScenarios::noFence),
            of("signals count, one for each await", WindowScenarios::signals),
            of("a signal that does not come is a timeout", WindowScenarios::noSignal),
            of(
                "the communicator's own timeout counts where an operation has none",
                WindowScenarios::ofTheComm),
            of("ranks may bring parts of different sizes", WindowScenarios::sizes),
            of("what does not fit is refused", WindowScenarios::bounds),
            of("what is out of order is refused", WindowScenarios::states),
            of("memory that is shared can be mapped", WindowScenarios::mapped)));
  }

  private static Scenario of(String what, Scenario.Body body) {
    return new Scenario("window/" + what, WINDOW.and(DType.I64), body);
  }

  private static Tensor tensor(Rank rank, DType dtype, long count, LongToDoubleFunction values) {
    Tensor host = Tensor.empty(dtype, Shape.of(count));
    for (long i = 0; i < count; i++) {
      host.setDouble(values.applyAsDouble(i), i);
    }
    return rank.onDevice(host);
  }

  private static void is(Rank rank, String what, Tensor tensor, LongToDoubleFunction expected) {
    double[] actual = rank.onHost(tensor).flatten().toDoubleArray();
    for (int i = 0; i < actual.length; i++) {
      if (actual[i] != expected.applyAsDouble(i)) {
        throw new ConformanceError(
            rank
                + ": "
                + what
                + ": element "
                + i
                + " is "
                + Trial.number(actual[i])
                + "; it should be "
                + Trial.number(expected.applyAsDouble(i)));
      }
    }
  }

  /** Ten rounds: each rank puts its values into its own place at the next, and signals. */
  private static void ring(Rank rank, DType dtype) {
    int n = rank.size();
    for (long count : List.of(1L, 5L, 1000L)) {
      Tensor memory = tensor(rank, dtype, count * n, _ -> 1);
      try (Window window = rank.comm().newWindow(memory)) {
        for (int round = 0; round < 10; round++) {
          int seed = round;
          Tensor mine = tensor(rank, dtype, count, i -> Values.of(dtype, rank.number(), seed, i));
          OpOptions options = OpOptions.timeout(rank.patience());
          window.putAsync(mine, rank.next(), rank.number() * count, options).await(rank.patience());
          window.signalAsync(rank.next(), options).await(rank.patience());
          window.awaitSignal(rank.previous());
          is(
              rank,
              "window of "
                  + count * n
                  + " x "
                  + dtype
                  + " after put "
                  + round
                  + " of rank "
                  + rank.previous(),
              rank.onHost(memory).narrow(0, rank.previous() * count, count),
              i -> Values.of(dtype, rank.previous(), seed, i));
          // The next put must not come before this one was looked at.
          window.signal(rank.previous());
          window.awaitSignal(rank.next());
        }
        window.deregister();
      }
    }
  }

  private static void get(Rank rank) {
    Tensor memory = tensor(rank, DType.I64, 50, i -> Values.of(DType.I64, rank.number(), 0, i));
    try (Window window = rank.comm().newWindow(memory)) {
      for (int r = 0; r < rank.size(); r++) {
        int of = r;
        Tensor whole = tensor(rank, DType.I64, 50, _ -> -1);
        window.get(whole, of, 0);
        is(rank, "get from rank " + of, whole, i -> Values.of(DType.I64, of, 0, i));
        Tensor part = tensor(rank, DType.I64, 7, _ -> -1);
        window.getAsync(part, of, 43, OpOptions.DEFAULT).await(rank.patience());
        is(rank, "get from rank " + of + " at 43", part, i -> Values.of(DType.I64, of, 0, i + 43));
      }
      window.fence();
      is(
          rank,
          "own memory that was only read",
          memory,
          i -> Values.of(DType.I64, rank.number(), 0, i));
      window.deregister();
    }
  }

  private static void accumulate(Rank rank) {
    int n = rank.size();
    Tensor memory = tensor(rank, DType.I64, 10, i -> i);
    try (Window window = rank.comm().newWindow(memory)) {
      Tensor mine = tensor(rank, DType.I64, 4, i -> i + 1);
      for (int time = 0; time < 5; time++) {
        for (int r = 0; r < n; r++) {
          window.accumulate(mine, r, 3, ReduceOp.SUM);
        }
      }
      window.fence();
      is(
          rank,
          "window after 5 accumulates of every rank",
          memory,
          i -> i + (i >= 3 && i < 7 ? 5L * n * (i - 2) : 0));
      window.fence();
      window.accumulate(tensor(rank, DType.I64, 1, _ -> 1000 + rank.number()), 0, 9, ReduceOp.MAX);
      window.fence();
      if (rank.number() == 0) {
        is(
            rank,
            "window after accumulates by max",
            rank.onHost(memory).narrow(0, 9, 1),
            _ -> 1000 + n - 1);
      }
      window.deregister();
    }
  }

  private static void fence(Rank rank) {
    int n = rank.size();
    Tensor memory = tensor(rank, DType.I64, 3L * n, _ -> -1);
    try (Window window = rank.comm().newWindow(memory)) {
      for (int round = 0; round < 3; round++) {
        int seed = round;
        List<Work> works = new ArrayList<>();
        for (int r = 0; r < n; r++) {
          int dst = r;
          Tensor mine = tensor(rank, DType.I64, 3, i -> 100 * rank.number() + 10 * dst + i + seed);
          works.add(window.putAsync(mine, dst, 3L * rank.number(), OpOptions.DEFAULT));
        }
        works.forEach(work -> work.await(rank.patience()));
        window.fence();
        is(
            rank,
            "window after fence " + round,
            memory,
            i -> 100 * (i / 3) + 10 * rank.number() + i % 3 + seed);
        window.fence();
      }
      window.deregister();
    }
  }

  private static void flush(Rank rank) {
    Tensor memory = tensor(rank, DType.I64, rank.size(), _ -> -1);
    try (Window window = rank.comm().newWindow(memory)) {
      window.put(tensor(rank, DType.I64, 1, _ -> 7), rank.next(), rank.number());
      window.flush(rank.next());
      Tensor back = tensor(rank, DType.I64, 1, _ -> -1);
      window.get(back, rank.next(), rank.number());
      is(rank, "what was put and flushed", back, _ -> 7);
      rank.meet();
      is(
          rank,
          "own memory after the other's flush",
          rank.onHost(memory).narrow(0, rank.previous(), 1),
          _ -> 7);
      window.deregister();
    }
  }

  /** No form waits for the others: each rank starts its fences before it lets the next begin. */
  private static void started(Rank rank) {
    int n = rank.size();
    OpOptions options = OpOptions.timeout(rank.patience());
    Tensor memory = tensor(rank, DType.I64, 2L * n, _ -> -1);
    try (Window window = rank.comm().newWindow(memory)) {
      List<Work> fences = new ArrayList<>();
      for (int turn = 0; turn < n; turn++) {
        if (turn == rank.number()) {
          for (int round = 0; round < 2; round++) {
            int value = 10 * rank.number() + round;
            for (int r = 0; r < n; r++) {
              window.put(tensor(rank, DType.I64, 1, _ -> value), r, 2L * rank.number() + round);
            }
            fences.add(round == 0 ? window.fenceAsync() : window.fenceAsync(options));
          }
        }
        rank.meet();
      }
      fences.forEach(fence -> fence.await(rank.patience()));
      is(rank, "window after two fences", memory, i -> 10 * (i / 2) + i % 2);
      rank.meet();
      window.put(tensor(rank, DType.I64, 1, _ -> 7), rank.next(), 2L * rank.number());
      window.flushAsync(rank.next()).await(rank.patience());
      window.put(tensor(rank, DType.I64, 1, _ -> 8), rank.next(), 2L * rank.number() + 1, options);
      window.flushAsync(rank.next(), options).await(rank.patience());
      rank.meet();
      Tensor mine = rank.onHost(memory).narrow(0, 2L * rank.previous(), 2);
      is(rank, "own memory after the other's flushes", mine, i -> 7 + i);
      // Taken back under a fence that nobody waited for.
      window.fenceAsync(options);
      window.deregister();
    }
  }

  private static void noFence(Rank rank) {
    try (Window window = rank.comm().newWindow(tensor(rank, DType.I64, 1, _ -> 0))) {
      if (rank.number() > 0) {
        Expect.thrown(
            rank,
            "a fence without rank 0",
            CommTimeoutException.class,
            () -> window.fence(OpOptions.timeout(Duration.ofMillis(100))));
      }
      rank.meet();
      // The ranks are out of step: nobody is to wait for the others when the window closes.
      rank.comm().abort("a fence that was not for all");
    }
  }

  private static void signals(Rank rank) {
    try (Window window = rank.comm().newWindow(tensor(rank, DType.I64, 1, _ -> 0))) {
      for (int i = 0; i < 3; i++) {
        window.signal(rank.next());
      }
      for (int i = 0; i < 3; i++) {
        window.awaitSignal(rank.previous());
      }
      Expect.thrown(
          rank,
          "a fourth await after three signals",
          CommTimeoutException.class,
          () ->
              window
                  .awaitSignalAsync(rank.previous(), OpOptions.timeout(Duration.ofMillis(100)))
                  .await(rank.patience()));
      window.fence();
      window.deregister();
    }
  }

  private static void noSignal(Rank rank) {
    try (Window window = rank.comm().newWindow(tensor(rank, DType.I64, 1, _ -> 0))) {
      long start = System.nanoTime();
      CommException e =
          Expect.thrown(
              rank,
              "an await without a signal",
              CommTimeoutException.class,
              () ->
                  window
                      .awaitSignalAsync(rank.next(), OpOptions.timeout(Duration.ofMillis(100)))
                      .await(rank.patience()));
      Expect.that(
          rank,
          System.nanoTime() - start < 5_100_000_000L,
          "an await of 100 ms has taken " + (System.nanoTime() - start) / 1_000_000 + " ms");
      Expect.says(rank, "an await without a signal", e, rank.comm().name());
      rank.meet();
      window.deregister();
    }
  }

  private static void ofTheComm(Rank rank) {
    Duration before = rank.comm().options().timeout();
    try (Window window = rank.comm().newWindow(tensor(rank, DType.I64, 1, _ -> 0))) {
      rank.comm().timeout(Duration.ofMillis(100));
      Expect.thrown(
          rank,
          "an await without a signal and without a timeout of its own",
          CommTimeoutException.class,
          () -> window.awaitSignalAsync(rank.next()).await(rank.patience()));
      rank.comm().timeout(before);
      rank.meet();
      window.deregister();
    }
  }

  private static void sizes(Rank rank) {
    long mine = 3L * rank.number();
    Tensor memory = tensor(rank, DType.I64, mine, _ -> -1);
    try (Window window = rank.comm().newWindow()) {
      window.register(memory);
      for (int r = 0; r < rank.size(); r++) {
        Expect.equal(rank, "elements of rank " + r, 3L * r, window.attributes(r).elements());
        int dst = r;
        if (rank.number() == 0 && r > 0) {
          window.put(tensor(rank, DType.I64, 3L * r, i -> i + dst), r, 0);
        }
      }
      window.fence();
      if (rank.number() > 0) {
        is(rank, "a part of " + mine + " elements", memory, i -> i + rank.number());
      }
      window.deregister();
      // The window can be used again, for other memory.
      Tensor other = tensor(rank, DType.I64, 2, _ -> 0);
      window.register(other);
      window.put(tensor(rank, DType.I64, 2, i -> i + 1), rank.next(), 0);
      window.fence();
      is(rank, "the second memory of a window", other, i -> i + 1);
      window.deregister();
    }
  }

  private static void bounds(Rank rank) {
    int n = rank.size();
    Tensor memory = tensor(rank, DType.I64, 10, i -> i);
    try (Window window = rank.comm().newWindow(memory)) {
      Tensor four = tensor(rank, DType.I64, 4, _ -> 99);
      List<Runnable> wrong =
          List.of(
              () -> window.put(four, rank.next(), 7),
              () -> window.put(four, rank.next(), -1),
              () -> window.put(four, rank.next(), Long.MAX_VALUE),
              () -> window.get(four, rank.next(), 7),
              () -> window.accumulate(four, rank.next(), 7, ReduceOp.SUM),
              () -> window.put(four, n, 0),
              () -> window.get(four, -1, 0),
              () -> window.signal(n),
              () -> window.awaitSignal(-1),
              () -> window.flush(n),
              () -> window.flushAsync(-1),
              () -> window.attributes(n),
              () -> window.accumulate(four, rank.next(), 0, ReduceOp.AVG));
      for (int i = 0; i < wrong.size(); i++) {
        Expect.thrown(
            rank,
            "window call " + i + " with wrong arguments",
            IllegalArgumentException.class,
            wrong.get(i));
      }
      if (rank.abilities().dtypes().contains(DType.I32)) {
        Tensor other = tensor(rank, DType.I32, 4, _ -> 99);
        Expect.thrown(
            rank,
            "put of another dtype",
            IllegalArgumentException.class,
            () -> window.put(other, rank.next(), 0));
      }
      window.fence();
      is(rank, "memory after refused calls", memory, i -> i);
      is(rank, "tensor of refused calls", four, _ -> 99);
      // Looked at by all, before anybody puts again.
      rank.meet();
      window.put(four, rank.next(), 6);
      window.fence();
      is(rank, "memory after a put that fits exactly", memory, i -> i < 6 ? i : 99);
      window.deregister();
    }
  }

  private static void states(Rank rank) {
    Tensor memory = tensor(rank, DType.I64, 4, _ -> 0);
    Window window = rank.comm().newWindow();
    Tensor one = tensor(rank, DType.I64, 1, _ -> 0);
    Expect.thrown(
        rank, "put before register", IllegalStateException.class, () -> window.put(one, 0, 0));
    Expect.thrown(rank, "fence before register", IllegalStateException.class, window::fence);
    Expect.thrown(
        rank, "flush before register", IllegalStateException.class, () -> window.flushAsync(0));
    window.register(memory);
    Expect.thrown(
        rank, "a second register", IllegalStateException.class, () -> window.register(memory));
    window.fence();
    window.deregister();
    Expect.thrown(
        rank, "put after deregister", IllegalStateException.class, () -> window.put(one, 0, 0));
    window.close();
    window.close();
    Expect.thrown(
        rank, "register after close", IllegalStateException.class, () -> window.register(memory));
    Proof.works(rank, rank.comm(), "the comm after windows");
  }

  private static void mapped(Rank rank) {
    Tensor memory = tensor(rank, DType.I64, 4, i -> 10 * rank.number() + i);
    try (Window window = rank.comm().newWindow(memory)) {
      for (int r = 0; r < rank.size(); r++) {
        int of = r;
        if (window.attributes(r).access() == Window.Access.UNIFIED) {
          is(rank, "memory mapped of rank " + r, window.mapRemote(r), i -> 10 * of + i);
        } else {
          Expect.thrown(
              rank,
              "map_remote of memory that is not shared",
              UnsupportedOperationException.class,
              () -> window.mapRemote(of));
        }
      }
      window.fence();
      window.deregister();
    }
  }
}
