package dev.jcomms.jccl.chaos;

import dev.jcomms.Comm;
import dev.jcomms.OpOptions;
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
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

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

  /** Calls before the end of a stream, within which one may pause: more than go ahead. */
  private static final int PAUSED_WITHIN = 300;

  private final int rank;
  private final int largest;
  private final Map<Script.Node, Comm> comms = new ConcurrentHashMap<>();
  private final Map<Script.Node, Throwable> failures = new ConcurrentHashMap<>();
  private final Map<Script.Node, Map<DType, Tensor>> pools = new ConcurrentHashMap<>();
  private final Map<Script.Node, List<Pending>> pending = new ConcurrentHashMap<>();
  private final Acts acts;
  private final Trouble trouble;
  private final Witness witness;

  Player(int rank, int largest, Trouble trouble, Witness witness) {
    this.rank = rank;
    this.largest = largest;
    this.acts = new Acts(largest);
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
      case STREAM -> stream(node, comm, step.seed(), odd);
      case MESSAGES -> acts.messages(step.seed(), comm);
      case OBJECTS -> acts.objects(step.seed(), comm);
      case SYMMETRIC -> symmetric(step.seed(), node, comm);
      case WINDOW -> acts.window(step.seed(), comm);
      case GRAPH -> acts.graph(step.seed(), comm);
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

  /**
   * Calls alike, one after the other: who gives may be ahead of who takes, and farthest when one
   * pauses. A pause shortly before the end has what comes next meet those who are far back.
   *
   * @param odd whether one of this rank's is not like the others
   */
  private void stream(Script.Node node, Comm comm, long seed, boolean odd) {
    Random shared = new Random(seed + 1);
    Random own = new Random(seed * 31 + rank);
    boolean isLong = shared.nextInt(4) == 0;
    int most = isLong ? 30 : 2500;
    int times = isLong ? 1000 + shared.nextInt(300) : 1 + shared.nextInt(200);
    int oddOne = odd ? own.nextInt(times) : -1;
    int pause = own.nextInt(3) == 0 ? times - 1 - own.nextInt(PAUSED_WITHIN) : -1;
    for (int i = 0; i < times; i++) {
      dawdle(own);
      if (i == pause) {
        LockSupport.parkNanos(own.nextInt(5_000_000));
      }
      long content = shared.nextLong();
      perform(
          comm,
          new RandomCall(seed, content, comm.size(), comm.rank(), most, free(node), i == oddOne));
    }
  }

  private static void perform(Comm comm, RandomCall call) {
    if (call.op() != null) {
      comm.run(call.op(), OpOptions.DEFAULT);
      call.check();
    }
  }

  private static void dawdle(Random random) {
    switch (random.nextInt(40)) {
      case 0 -> LockSupport.parkNanos(random.nextInt(200_000));
      case 1 -> Thread.yield();
      default -> {}
    }
  }

  private void call(Script.Node node, Comm comm, long seed, boolean async, boolean odd) {
    Map<DType, Tensor> free = async ? Map.of() : free(node);
    RandomCall call = new RandomCall(seed, seed, comm.size(), comm.rank(), largest, free, odd);
    if (!async) {
      perform(comm, call);
    } else if (call.op() != null) {
      Pending started = new Pending(comm.start(call.op(), OpOptions.DEFAULT), call);
      pending.computeIfAbsent(node, _ -> new ArrayList<>()).add(started);
    }
  }

  /** Symmetric memory of a communicator, unless what waits may be using it. */
  private Map<DType, Tensor> free(Script.Node node) {
    return pending.containsKey(node) ? Map.of() : pools.getOrDefault(node, Map.of());
  }

  private void awaitAll(Script.Node node) {
    for (Pending each : Optional.ofNullable(pending.remove(node)).orElse(List.of())) {
      each.work.await();
      each.call.check();
    }
  }

  private void symmetric(long seed, Script.Node node, Comm comm) {
    awaitAll(node);
    Random random = new Random(seed);
    DType dtype = DType.values()[random.nextInt(DType.values().length)];
    Tensor tensor = comm.symmetric(dtype, Shape.of(1 + RandomCall.elements(random, largest)));
    Elements.check("new symmetric memory", tensor, _ -> 0);
    pools.computeIfAbsent(node, _ -> new ConcurrentHashMap<>()).put(dtype, tensor);
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
