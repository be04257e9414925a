package dev.jcomms.jccl.reliability;

import dev.jcomms.Comm;
import dev.jcomms.CommException;
import dev.jcomms.InitHandle;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.RootedPlans;
import dev.jcomms.jccl.chaos.EndlessPlay;
import dev.jcomms.store.StoreSecret;
import dev.jcomms.store.TcpStoreServer;
import dev.jcomms.store.TcpStoreServerOptions;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One rank of a {@link Group}: does what its scenario says, reports how everything ended, and stays
 * until it is told to end or its test is gone.
 *
 * <p>Says {@code READY} when the trouble may begin, {@code REPORT|…} for each thing it tried and
 * {@code CLOSED} when all its communicators are. Hears {@code end}, {@code act} and {@code route
 * PORT}.
 */
final class RankProgram {
  /** Longer than any test waits: what ends earlier was ended by something else. */
  private static final Duration LONG = Duration.ofSeconds(90);

  private static final int LARGE = 1 << 20;

  private static final OpOptions PACKETS =
      OpOptions.hint("algorithm", "packets_" + Integer.getInteger("size"));

  private interface Body {
    String run() throws Exception;
  }

  private final int rank = Integer.getInteger("rank");
  private final int size = Integer.getInteger("size");
  private final int victim = Integer.getInteger("victim", -1);
  private final List<Thread> threads = new ArrayList<>();
  private final CountDownLatch ending = new CountDownLatch(1);
  private final CountDownLatch acting = new CountDownLatch(1);
  private final RankComms comms = new RankComms(rank, size, LONG);

  public static void main(String[] args) throws Exception {
    if (args[0].equals("store")) {
      serveStore();
    }
    new RankProgram().run(args[0]);
    System.exit(0); // also where a thread is stuck, which its missing report tells
  }

  private static void serveStore() throws Exception {
    TcpStoreServerOptions options =
        TcpStoreServerOptions.defaults()
            .address(InetAddress.ofLiteral(System.getProperty("address", "127.0.0.1")));
    StoreSecret secret = StoreSecret.fromEnvironment(System.getenv()).orElse(null);
    TcpStoreServer server = TcpStoreServer.start(secret == null ? options : options.secret(secret));
    say("PORT " + server.port());
    while (System.in.read() >= 0) {
      // until the test is gone
    }
    System.exit(0);
  }

  static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private void run(String scenario) throws Exception {
    Thread.ofPlatform().daemon().start(this::listen);
    switch (scenario) {
      case "loop" -> loop();
      case "seldom" -> seldom();
      case "blocked" -> blocked();
      case "part" -> part();
      case "abort" -> abort();
      case "stopped" -> stopped();
      case "absent" -> absent();
      case "disagree" -> disagree();
      case "open and close" -> openAndClose();
      case "slow" -> slow();
      case "tiny" -> tiny();
      case "rooted plans" -> rootedPlans();
      case "random" -> random();
      default -> throw new IllegalArgumentException(scenario);
    }
    ending.await();
    comms.close();
    say("CLOSED");
  }

  private void listen() {
    try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in))) {
      for (String line; (line = in.readLine()) != null; ) {
        switch (line.split(" ")[0]) {
          case "end" -> ending.countDown();
          case "act" -> acting.countDown();
          case "route" -> comms.route(Integer.parseInt(line.split(" ")[1]));
          default -> throw new IllegalArgumentException(line);
        }
      }
    } catch (IOException e) {
      // as at its end
    }
    Runtime.getRuntime().halt(9); // the test is gone
  }

  /** Does something and reports how it ended. */
  private void attempt(String label, Body body) {
    long start = System.nanoTime();
    try {
      String message = body.run();
      long millis = (System.nanoTime() - start) / 1_000_000;
      say(new Report(rank, label, "ok", Set.of(), millis, message, 0).encode());
    } catch (Throwable e) {
      failed(label, Duration.ofNanos(System.nanoTime() - start), e);
    }
  }

  private void failed(String label, Duration took, Throwable e) {
    if (!(e instanceof CommException)) {
      e.printStackTrace();
    }
    String outcome = e.getClass().getSimpleName();
    Set<Integer> missing = e instanceof CommException c ? c.missingRanks() : Set.of();
    String message = String.valueOf(e.getMessage());
    say(new Report(rank, label, outcome, missing, took.toMillis(), message, 0).encode());
  }

  private void inThread(String label, Body body) {
    threads.add(Thread.ofPlatform().daemon().start(() -> attempt(label, body)));
  }

  private void joinAll() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** All-reduces until rank 0 is told to end; every result is checked. */
  private void loop() throws Exception {
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
    attempt("loop", () -> reduceUntilToldToEnd(comm, LARGE));
    if (rebuilds && comm.isAborted()) {
      List<InitHandle> left =
          IntStream.range(0, size).filter(r -> r != victim).mapToObj(handles::get).toList();
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

  /** Broadcasts now and then: no root waits for anybody. */
  private void seldom() {
    Comm comm = comms.open("main");
    Tensor x = of(DType.F32, 1);
    for (int i = 0; i < 10; i++) {
      comm.broadcast(x, 0);
    }
    say("READY");
    attempt(
        "broadcast",
        () -> {
          for (; ending.getCount() > 0; LockSupport.parkNanos(100_000_000)) {
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

  private static void requireSum(Comm comm, int i) {
    Tensor x = Tensor.of(comm.rank() + 1L, i);
    comm.allReduce(x, ReduceOp.SUM);
    long n = comm.size();
    require(x.getLong(0) == n * (n + 1) / 2 && x.getLong(1) == n * i, "the sum is wrong: " + x);
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
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

  /** Everybody but the victim waits, in one operation on each of some communicators. */
  private void blocked() throws Exception {
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

  /** A split in which the victim ends while the members of the part still wait for each other. */
  private void part() {
    Comm comm = comms.open("main");
    say("READY");
    int color = Boolean.getBoolean("halves") ? 2 * rank / size : 0;
    attempt("split", () -> after(() -> comm.split(color, rank)));
    attempt("later", () -> after(comm::barrier));
  }

  private static String after(Runnable body) {
    body.run();
    return "";
  }

  private static Tensor ones() {
    return Tensor.ones(DType.F32, Shape.of(1000));
  }

  /** A plan that is prepared runs without meeting anybody before. */
  private Tensor planned() {
    return Tensor.ones(DType.F32, Shape.of(128L * size));
  }

  private void abort() throws Exception {
    Comm comm = comms.open("main");
    say("READY");
    if (rank == victim) {
      acting.await();
      comm.abort("enough of this");
    } else {
      attempt("all_reduce", () -> after(() -> comm.allReduce(ones(), ReduceOp.SUM)));
    }
  }

  private void stopped() throws Exception {
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
  private void absent() throws Exception {
    OpOptions soon = OpOptions.timeout(Duration.ofMillis(1500));
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
                            case "monitored_barrier" ->
                                comm.monitoredBarrier(Duration.ofMillis(1500));
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
    return Stream.generate(RankProgram::ones).limit(size).toList();
  }

  /** The last rank calls something else than the others, in each case on a new communicator. */
  private void disagree() {
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
    disagree("root", comm -> comm.broadcast(of(DType.F32, 1000), odd ? 1 : 0, soon));
    disagree(
        "kind",
        comm -> {
          if (odd) {
            comm.broadcast(of(DType.F32, 1000), 0, soon);
          } else {
            comm.allReduce(of(DType.F32, 1000), ReduceOp.SUM, soon);
          }
        });
    disagree(
        "order",
        comm -> {
          for (boolean reduces : new boolean[] {odd, !odd}) {
            if (reduces) {
              comm.allReduce(of(DType.F32, 1000), ReduceOp.SUM, soon);
            } else {
              comm.barrier(soon);
            }
          }
        });
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

  private interface Call {
    void on(Comm comm);
  }

  private void disagree(String what, Call call) {
    Comm comm = comms.open(what);
    attempt(what, () -> after(() -> call.on(comm)));
    // Everybody has reported before anybody goes on: closing early would be another failure.
    comms.store().barrier("disagreed/" + what, size, LONG);
  }

  private static Tensor of(DType dtype, long elements) {
    return Tensor.ones(dtype, Shape.of(elements));
  }

  private void openAndClose() {
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
  private void slow() throws Exception {
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

  private void tiny() {
    Comm comm = comms.open("main");
    Tensor x = of(DType.F32, 1);
    for (int i = 0; i < Integer.getInteger("times"); i++) {
      comm.allReduce(x.fill(1), ReduceOp.SUM);
      require(x.getFloat(0) == size, "wrong: " + x);
    }
    say("READY");
  }

  private void rootedPlans() {
    int root = Integer.getInteger("root");
    Comm comm = comms.open("main", RootedPlans.with(size, root, Boolean.getBoolean("in place")));
    RootedPlans.check(comm, root);
    say("READY");
  }

  /** Random sequences until rank 0 is told to end or a communicator has failed. */
  private void random() throws Exception {
    List<Comm> worlds = List.of(comms.open("world0"), comms.open("world1"));
    say("READY");
    try (EndlessPlay play =
        new EndlessPlay(Long.getLong("seed"), worlds, () -> ending.getCount() == 0, this::failed)) {
      attempt("played", () -> play.play() + " rounds");
      ending.await();
    }
  }

  private void dawdle() {
    if (rank == victim) {
      LockSupport.parkNanos(20_000_000);
    }
  }
}
