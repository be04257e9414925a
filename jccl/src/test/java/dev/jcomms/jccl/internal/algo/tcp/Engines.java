package dev.jcomms.jccl.internal.algo.tcp;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import dev.jcomms.Collective;
import dev.jcomms.OpOptions;
import dev.jcomms.jccl.internal.transport.tcp.TcpRanks;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** What the tests of the engine share. */
final class Engines {
  private Engines() {}

  /** One rank's engine. */
  record Seat(TcpRanks.Rank place, TcpEngine engine) {
    int rank() {
      return engine.rank();
    }

    int size() {
      return engine.size();
    }

    void perform(Collective op, String algorithm) {
      OpOptions options =
          algorithm.isEmpty() ? OpOptions.DEFAULT : OpOptions.hint("algorithm", algorithm);
      engine.perform(op, options, place.deadline());
    }
  }

  interface Body {
    void run(Seat seat) throws Exception;
  }

  static void run(int n, Body body) {
    run(n, Map.of(), body);
  }

  static void run(int n, Map<String, String> hints, Body body) {
    TcpRanks.run(n, _ -> hints, rank -> live(rank, body));
  }

  /** What each rank threw, of ranks that tell each other of alarms. */
  static List<Throwable> outcomes(int n, Body body) {
    return outcomes(n, Map.of(), body);
  }

  static List<Throwable> outcomes(int n, Map<String, String> hints, Body body) {
    return TcpRanks.tellingOutcomes(n, hints, rank -> live(rank, body));
  }

  private static void live(TcpRanks.Rank rank, Body body) throws Exception {
    List<Integer> all = IntStream.range(0, rank.size()).boxed().toList();
    try (TcpEngine engine = new TcpEngine(rank.fabric(), 1, all)) {
      body.run(new Seat(rank, engine));
      rank.leave(); // nobody closes before everybody is through
    }
  }

  static IntStream worlds() {
    return IntStream.of(1, 2, 3, 4, 7, 8);
  }

  /** Around the number of ranks, around a chunk, and more than chunks on their way. */
  static List<Long> lengths(int n) {
    return List.of(0L, 1L, n - 1L, (long) n, n + 1L, 1000L, 65_537L, n < 5 ? 2_000_003L : 400_009L);
  }

  /** A number that says who made it, for whom, and where it belongs. */
  static int mark(int from, int to, long position) {
    return (int) (from * 100_000_007L + to * 1_000_003L + position);
  }

  /** Elements marked by maker and receiver; every other one in heap memory. */
  static Tensor marked(int from, int to, long elements) {
    return fill(memory(elements, from + to), from, to);
  }

  static Tensor fill(Tensor tensor, int from, int to) {
    int[] marks = marks(from, to, tensor.elements());
    MemorySegment.copy(marks, 0, tensor.segment(), JAVA_INT_UNALIGNED, 0, marks.length);
    return tensor;
  }

  private static int[] marks(int from, int to, long elements) {
    int[] marks = new int[(int) elements];
    for (int i = 0; i < marks.length; i++) {
      marks[i] = mark(from, to, i);
    }
    return marks;
  }

  /** Zeros, in native or in heap memory. */
  static Tensor memory(long elements, int variant) {
    return variant % 2 == 0
        ? Tensor.zeros(DType.I32, Shape.of(elements))
        : Tensor.wrap(
            MemorySegment.ofArray(new int[(int) elements]), DType.I32, Shape.of(elements));
  }

  static void assertMarked(String what, Tensor tensor, int from, int to) {
    int[] marks = marks(from, to, tensor.elements());
    long wrong = tensor.segment().mismatch(MemorySegment.ofArray(marks));
    if (wrong >= 0) {
      throw new AssertionError(
          "%s: element %d of %d from %d to %d is %d, not %d"
              .formatted(
                  what,
                  wrong / 4,
                  tensor.elements(),
                  from,
                  to,
                  tensor.getInt(wrong / 4),
                  marks[(int) wrong / 4]));
    }
  }
}
