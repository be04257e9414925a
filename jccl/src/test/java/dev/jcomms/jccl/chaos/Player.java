package dev.jcomms.jccl.chaos;

import dev.jcomms.Codecs;
import dev.jcomms.Comm;
import dev.jcomms.CommGraph;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.Window;
import dev.jcomms.Work;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * One rank: plays a {@link Script}, checks every result and remembers how each communicator failed.
 * One that has failed is left alone; the script goes on with the others.
 */
final class Player implements AutoCloseable {
  /** Hears of a communicator that has failed. */
  interface Witness {
    /**
     * @param took how long the step took that failed
     */
    void failed(Script.Node node, Duration took, Throwable failure);
  }

  private record Pending(Work work, RandomCall call) {}

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final int rank;
  private final int largest;
  private final Map<Script.Node, Comm> comms = new ConcurrentHashMap<>();
  private final Map<Script.Node, Throwable> failures = new ConcurrentHashMap<>();
  private final Map<Script.Node, Map<DType, Tensor>> pools = new ConcurrentHashMap<>();
  private final Map<Script.Node, List<Pending>> pending = new ConcurrentHashMap<>();
  private final Trouble trouble;
  private final Witness witness;

  Player(int rank, int largest, Trouble trouble, Witness witness) {
    this.rank = rank;
    this.largest = largest;
    this.trouble = trouble;
    this.witness = witness;
  }

  /** How communicators have failed here. */
  Map<Script.Node, Throwable> failures() {
    return failures;
  }

  void play(Script script, List<Comm> worlds) {
    for (int i = 0; i < worlds.size(); i++) {
      comms.put(script.worlds().get(i), worlds.get(i));
    }
    for (Script.Step step : script.steps()) {
      if (step.kind() == Script.Kind.PARALLEL) {
        inThreads(step);
      } else {
        guarded(step.node(), comm -> play(step, comm));
      }
    }
    // In the order of the script: the same on all ranks.
    comms.keySet().stream()
        .sorted(Comparator.comparingInt(Script.Node::id))
        .forEach(
            node ->
                guarded(
                    node,
                    comm -> {
                      awaitAll(node);
                      comm.barrier();
                    }));
  }

  private void guarded(Script.Node node, Consumer<Comm> action) {
    Comm comm = comms.get(node);
    if (comm != null && !failures.containsKey(node)) {
      long start = System.nanoTime();
      try {
        action.accept(comm);
      } catch (Throwable t) {
        failures.put(node, t);
        pending.remove(node);
        witness.failed(node, Duration.ofNanos(System.nanoTime() - start), t);
      } finally {
        Thread.interrupted(); // meant for this step alone
      }
    }
  }

  private void inThreads(Script.Step step) {
    List<Thread> threads = new ArrayList<>();
    for (Script.Node node : step.others()) {
      Random random = new Random(step.seed() + node.id());
      threads.add(
          Thread.ofPlatform()
              .start(
                  () ->
                      guarded(
                          node,
                          comm -> {
                            for (int i = random.nextInt(5); i >= 0; i--) {
                              call(node, comm, random.nextLong(), random.nextBoolean(), false);
                            }
                          })));
    }
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private void play(Script.Step step, Comm comm) {
    Script.Node node = step.node();
    boolean odd = trouble.strikes(rank, step) && trouble.make(comm);
    switch (step.kind()) {
      case BLOCKING -> call(node, comm, step.seed(), false, odd);
      case ASYNC -> call(node, comm, step.seed(), true, odd);
      case AWAIT -> awaitAll(node);
      case STREAM -> stream(step.seed(), comm);
      case MESSAGES -> messages(step.seed(), comm);
      case OBJECTS -> objects(step.seed(), comm);
      case SYMMETRIC -> symmetric(step.seed(), node, comm);
      case WINDOW -> window(step.seed(), comm);
      case GRAPH -> graph(step.seed(), comm);
      case MONITORED_BARRIER -> comm.monitoredBarrier(PATIENCE);
      case SPLIT -> split(step, comm);
      case CLOSE -> {
        awaitAll(node);
        comm.close();
        comms.remove(node);
      }
      case PARALLEL -> throw new AssertionError(step);
    }
  }

  private void call(Script.Node node, Comm comm, long seed, boolean async, boolean odd) {
    List<Pending> waiting = pending.computeIfAbsent(node, _ -> new ArrayList<>());
    // What waits may be using the shared memory.
    Map<DType, Tensor> free =
        async || !waiting.isEmpty() ? Map.of() : pools.getOrDefault(node, Map.of());
    RandomCall call = new RandomCall(seed, comm.size(), comm.rank(), largest, free, odd);
    if (call.op() == null) {
      return;
    }
    if (async) {
      waiting.add(new Pending(comm.start(call.op(), OpOptions.DEFAULT), call));
    } else {
      comm.run(call.op(), OpOptions.DEFAULT);
      call.check();
    }
  }

  private void awaitAll(Script.Node node) {
    for (Pending each : Optional.ofNullable(pending.remove(node)).orElse(List.of())) {
      each.work.await();
      each.call.check();
    }
  }

  /** Small broadcasts of one root, one after the other: it may run ahead of the others. */
  private void stream(long seed, Comm comm) {
    Random random = new Random(seed);
    int root = random.nextInt(comm.size());
    Tensor x = Tensor.zeros(DType.I64, Shape.of(1 + random.nextInt(300)));
    for (int left = random.nextInt(200); left >= 0; left--) {
      long content = seed + left;
      if (comm.rank() == root) {
        Elements.fill(x, i -> Elements.mix(content, root, 3, i));
      }
      comm.broadcast(x, root);
      Elements.check("a broadcast of a stream", x, i -> Elements.mix(content, root, 3, i));
    }
  }

  /** Everybody sends to one and receives from another, with a tag for each message. */
  private void messages(long seed, Comm comm) {
    Random random = new Random(seed);
    int size = comm.size();
    if (size == 1) {
      return;
    }
    int shift = 1 + random.nextInt(size - 1);
    int to = (comm.rank() + shift) % size;
    int from = (comm.rank() - shift + size) % size;
    List<Work> works = new ArrayList<>();
    List<Runnable> checks = new ArrayList<>();
    for (int tag = random.nextInt(4); tag >= 0; tag--) {
      int number = tag;
      Shape shape = Shape.of(RandomCall.elements(random, largest));
      Tensor sent = Tensor.zeros(DType.I32, shape);
      Elements.fill(sent, i -> Elements.mix(seed, comm.rank(), number, i));
      works.add(comm.sendAsync(sent, to, tag));
      Tensor got = Tensor.zeros(DType.I32, shape);
      if (random.nextBoolean()) {
        comm.recv(got, from, tag);
      } else {
        works.add(comm.recvAsync(got, from, tag));
      }
      checks.add(() -> Elements.check("a message", got, i -> Elements.mix(seed, from, number, i)));
    }
    works.forEach(Work::await);
    checks.forEach(Runnable::run);
  }

  private void objects(long seed, Comm comm) {
    Random random = new Random(seed);
    int root = random.nextInt(comm.size());
    int length = random.nextInt(random.nextBoolean() ? 100 : 100_000);
    boolean isRoot = comm.rank() == root;
    List<String> all =
        IntStream.range(0, comm.size()).mapToObj(r -> ("<" + r + ">").repeat(length / 3)).toList();
    String mine = all.get(comm.rank());
    boolean right =
        switch (random.nextInt(4)) {
          case 0 ->
              comm.broadcastObject(isRoot ? mine : null, root, Codecs.STRING).equals(all.get(root));
          case 1 -> comm.allGatherObject(mine, Codecs.STRING).equals(all);
          case 2 -> comm.gatherObject(mine, root, Codecs.STRING).equals(isRoot ? all : List.of());
          default -> comm.scatterObject(isRoot ? all : List.of(), root, Codecs.STRING).equals(mine);
        };
    require(right, "objects differ");
  }

  private void symmetric(long seed, Script.Node node, Comm comm) {
    awaitAll(node);
    Random random = new Random(seed);
    DType dtype = DType.values()[random.nextInt(DType.values().length)];
    Tensor tensor = comm.symmetric(dtype, Shape.of(1 + RandomCall.elements(random, largest)));
    Elements.check("new symmetric memory", tensor, _ -> 0);
    pools.computeIfAbsent(node, _ -> new ConcurrentHashMap<>()).put(dtype, tensor);
  }

  private void window(long seed, Comm comm) {
    Random random = new Random(seed);
    int size = comm.size();
    long part = 1 + RandomCall.elements(random, Math.min(largest, 50_000));
    Tensor mine = Tensor.zeros(DType.I64, Shape.of(part * size));
    try (Window window = comm.newWindow(mine)) {
      for (int round = random.nextInt(3); round >= 0; round--) {
        long content = seed + round;
        int shift = random.nextInt(size);
        int to = (comm.rank() + shift) % size;
        int from = (comm.rank() - shift + size) % size;
        Tensor x = Tensor.zeros(DType.I64, Shape.of(part));
        Elements.fill(x, i -> Elements.mix(content, comm.rank(), 1, i));
        switch (random.nextInt(4)) {
          case 0 -> {
            window.put(x, to, comm.rank() * part);
            window.fence();
            Tensor got = mine.narrow(0, from * part, part);
            Elements.check("a put", got, i -> Elements.mix(content, from, 1, i));
          }
          case 1 -> {
            window.putAsync(x, to, comm.rank() * part);
            window.signal(to);
            window.awaitSignal(from);
            Tensor got = mine.narrow(0, from * part, part);
            Elements.check("a put and signal", got, i -> Elements.mix(content, from, 1, i));
          }
          case 2 -> {
            mine.narrow(0, comm.rank() * part, part).copyFrom(x);
            window.fence();
            Tensor got = Tensor.zeros(DType.I64, Shape.of(part));
            window.get(got, to, to * part);
            Elements.check("a get", got, i -> Elements.mix(content, to, 1, i));
          }
          default -> {
            mine.zero();
            window.fence();
            for (int r = 0; r < size; r++) {
              window.accumulate(x, r, 0, ReduceOp.SUM);
            }
            window.fence();
            Tensor got = mine.narrow(0, 0, part);
            Elements.check("a sum", got, i -> sum(content, size, i));
          }
        }
        window.fence();
      }
    }
  }

  private static long sum(long content, int size, long i) {
    return IntStream.range(0, size).mapToLong(r -> Elements.mix(content, r, 1, i)).sum();
  }

  private void graph(long seed, Comm comm) {
    Random random = new Random(seed);
    int root = random.nextInt(comm.size());
    Shape shape = Shape.of(RandomCall.elements(random, largest));
    Tensor a = Tensor.zeros(DType.I64, shape);
    Tensor b = Tensor.zeros(DType.I32, shape);
    try (CommGraph graph =
        comm.capture(
            () -> {
              comm.allReduce(a, ReduceOp.SUM);
              comm.broadcast(b, root);
            })) {
      for (int times = random.nextInt(4); times >= 0; times--) {
        long content = seed + times;
        Elements.fill(a, i -> Elements.mix(content, comm.rank(), 1, i));
        Elements.fill(b, i -> Elements.mix(content, comm.rank(), 2, i));
        graph.replay();
        Elements.check("replayed sum", a, i -> sum(content, comm.size(), i));
        Elements.check("replayed broadcast", b, i -> Elements.mix(content, root, 2, i));
      }
    }
  }

  private void split(Script.Step step, Comm comm) {
    List<Integer> ranks = step.node().ranks();
    int color = -1;
    for (int i = 0; i < step.parts().size(); i++) {
      color = step.parts().get(i).ranks().contains(rank) ? i : color;
    }
    Script.Node part = color < 0 ? null : step.parts().get(color);
    List<Integer> list =
        part == null ? List.of() : part.ranks().stream().map(ranks::indexOf).toList();
    Optional<Comm> made =
        step.seed() % 2 == 0
            ? comm.split(list)
            : comm.split(color, part == null ? 0 : part.ranks().indexOf(rank));
    require(made.isPresent() == (part != null), "split gave " + made);
    if (part != null) {
      comms.put(part, made.get());
      require(made.get().ranks().equals(part.ranks()), "split gave " + made.get().ranks());
    }
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }

  /** Closes what has come of the worlds. */
  void closeParts() {
    comms.forEach(
        (node, comm) -> {
          if (!node.isWorld()) {
            comm.close();
          }
        });
  }

  @Override
  public void close() {
    comms.values().forEach(Comm::close);
  }
}
