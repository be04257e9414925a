package dev.jcomms.jccl.chaos;

import dev.jcomms.Codecs;
import dev.jcomms.Comm;
import dev.jcomms.CommGraph;
import dev.jcomms.ReduceOp;
import dev.jcomms.Window;
import dev.jcomms.Work;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * What ranks do together in a step that is more than one operation, from a seed that they share.
 * Each checks its results.
 */
final class Acts {
  private final int largest;

  /**
   * @param largest how many elements a tensor has at most
   */
  Acts(int largest) {
    this.largest = largest;
  }

  /** Everybody sends to one and receives from another, with a tag for each message. */
  void messages(long seed, Comm comm) {
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

  void objects(long seed, Comm comm) {
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
    if (!right) {
      throw new AssertionError("objects differ");
    }
  }

  void window(long seed, Comm comm) {
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

  void graph(long seed, Comm comm) {
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
}
