package dev.jcomms.jccl.internal.algo.tcp;

import static dev.jcomms.jccl.internal.algo.tcp.Engines.assertMarked;
import static dev.jcomms.jccl.internal.algo.tcp.Engines.lengths;
import static dev.jcomms.jccl.internal.algo.tcp.Engines.mark;
import static dev.jcomms.jccl.internal.algo.tcp.Engines.marked;
import static dev.jcomms.jccl.internal.algo.tcp.Engines.memory;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Collective;
import dev.jcomms.jccl.internal.algo.tcp.Engines.Seat;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Collectives that move elements, by every algorithm, among every number of ranks. */
class MovingTest {
  private static final int NOBODY = 99;

  @ParameterizedTest
  @MethodSource("dev.jcomms.jccl.internal.algo.tcp.Engines#worlds")
  void aBroadcastGivesEverybodyTheRootsElements(int n) {
    Engines.run(
        n,
        seat -> {
          for (String algorithm :
              List.of("", "binomial", "knomial", "chain", "scatter_all_gather")) {
            for (long length : lengths(n)) {
              int root = (int) (length % n);
              Tensor tensor =
                  seat.rank() == root ? marked(root, NOBODY, length) : memory(length, seat.rank());
              seat.perform(new Collective.Broadcast(tensor, root), algorithm);
              assertMarked(algorithm, tensor, root, NOBODY);
            }
          }
        });
  }

  @ParameterizedTest
  @MethodSource("dev.jcomms.jccl.internal.algo.tcp.Engines#worlds")
  void anAllGatherGivesEverybodyEverybodysElements(int n) {
    Engines.run(
        n,
        seat -> {
          for (String algorithm : List.of("", "bruck", "ring", "direct")) {
            for (long length : lengths(n)) {
              if (n * length * 4 <= 16 << 20) {
                allGather(seat, algorithm, length);
              }
            }
          }
        });
  }

  private static void allGather(Seat seat, String algorithm, long length) {
    int me = seat.rank();
    int n = seat.size();
    Tensor input = marked(me, NOBODY, length);
    List<Tensor> outputs = new ArrayList<>();
    for (int r = 0; r < n; r++) {
      outputs.add(memory(length, r + me));
    }
    seat.perform(new Collective.AllGather(outputs, input), algorithm);
    for (int r = 0; r < n; r++) {
      assertMarked(algorithm, outputs.get(r), r, NOBODY);
    }
    assertMarked(algorithm, input, me, NOBODY);

    Tensor output = memory(n * length, me);
    // In place: the input is this rank's section of the output.
    Tensor section = output.narrow(0, me * length, length).copyFrom(input);
    seat.perform(new Collective.AllGatherSingle(output, section), algorithm);
    for (int r = 0; r < n; r++) {
      assertMarked(algorithm, output.narrow(0, r * length, length), r, NOBODY);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.jcomms.jccl.internal.algo.tcp.Engines#worlds")
  void anAllGatherOfDifferentSizesDoesToo(int n) {
    Engines.run(
        n,
        seat -> {
          for (String algorithm : List.of("", "ring", "direct")) {
            for (long length : List.of(0L, 1L, 1000L, 300_000L)) {
              List<Tensor> outputs = new ArrayList<>();
              for (int r = 0; r < n; r++) {
                outputs.add(memory(length * (r % 3), r));
              }
              Tensor input = marked(seat.rank(), NOBODY, length * (seat.rank() % 3));
              seat.perform(new Collective.AllGatherV(outputs, input), algorithm);
              for (int r = 0; r < n; r++) {
                assertMarked(algorithm, outputs.get(r), r, NOBODY);
              }
            }
          }
        });
  }

  @ParameterizedTest
  @MethodSource("dev.jcomms.jccl.internal.algo.tcp.Engines#worlds")
  void anAllToAllGivesEachRankWhatIsForIt(int n) {
    Engines.run(
        n,
        seat -> {
          int me = seat.rank();
          for (String algorithm : List.of("", "bruck", "pairwise", "direct")) {
            for (long length : List.of(0L, 1L, (long) n, 1000L, 65_537L)) {
              Tensor input = memory(n * length, me);
              Tensor output = memory(n * length, me + 1);
              for (int r = 0; r < n; r++) {
                Engines.fill(input.narrow(0, r * length, length), me, r);
              }
              seat.perform(new Collective.AllToAllSingle(output, input), algorithm);
              for (int r = 0; r < n; r++) {
                assertMarked(algorithm, output.narrow(0, r * length, length), r, me);
                assertMarked(algorithm, input.narrow(0, r * length, length), me, r);
              }
            }
          }
        });
  }

  @ParameterizedTest
  @MethodSource("dev.jcomms.jccl.internal.algo.tcp.Engines#worlds")
  void anAllToAllOfDifferentSizesDoesToo(int n) {
    Engines.run(
        n,
        seat -> {
          int me = seat.rank();
          for (String algorithm : List.of("", "pairwise", "direct")) {
            for (long unit : List.of(0L, 1L, 1000L, 100_000L)) {
              // What rank a has for rank b: (a + 2b) % 3 units.
              long[] to = LongStream.range(0, n).map(r -> (me + 2 * r) % 3).toArray();
              long[] from = LongStream.range(0, n).map(r -> (r + 2 * me) % 3).toArray();
              List<Tensor> inputs = new ArrayList<>();
              List<Tensor> outputs = new ArrayList<>();
              for (int r = 0; r < n; r++) {
                inputs.add(marked(me, r, to[r] * unit));
                outputs.add(memory(from[r] * unit, r));
              }
              seat.perform(new Collective.AllToAll(outputs, inputs), algorithm);
              for (int r = 0; r < n; r++) {
                assertMarked(algorithm, outputs.get(r), r, me);
              }
              rows(seat, algorithm, to, from, unit);
            }
          }
        });
  }

  /** The same as rows of one tensor. */
  private static void rows(Seat seat, String algorithm, long[] to, long[] from, long unit) {
    int me = seat.rank();
    Tensor input = Tensor.zeros(DType.I32, Shape.of(LongStream.of(to).sum(), unit));
    Tensor output = Tensor.zeros(DType.I32, Shape.of(LongStream.of(from).sum(), unit));
    long row = 0;
    for (int r = 0; r < to.length; r++) {
      Engines.fill(input.narrow(0, row, to[r]).flatten(), me, r);
      row += to[r];
    }
    seat.perform(
        new Collective.AllToAllVSingle(
            output,
            input,
            LongStream.of(from).boxed().toList(),
            LongStream.of(to).boxed().toList()),
        algorithm);
    row = 0;
    for (int r = 0; r < from.length; r++) {
      assertMarked(algorithm, output.narrow(0, row, from[r]).flatten(), r, me);
      row += from[r];
    }
  }

  @ParameterizedTest
  @MethodSource("dev.jcomms.jccl.internal.algo.tcp.Engines#worlds")
  void aGatherGivesTheRootEverybodysElements(int n) {
    Engines.run(
        n,
        seat -> {
          int me = seat.rank();
          for (String algorithm : List.of("", "binomial", "linear")) {
            for (long length : List.of(0L, 1L, (long) n, 1000L, 65_537L)) {
              int root = (int) ((length + 1) % n);
              Tensor input = marked(me, root, length);
              List<Tensor> outputs = new ArrayList<>();
              for (int r = 0; r < n && me == root; r++) {
                outputs.add(memory(length, r));
              }
              seat.perform(new Collective.Gather(outputs, input, root), algorithm);
              for (int r = 0; r < outputs.size(); r++) {
                assertMarked(algorithm, outputs.get(r), r, root);
              }
              Tensor output = me == root ? memory(n * length, n) : null;
              seat.perform(new Collective.GatherSingle(output, input, root), algorithm);
              for (int r = 0; r < n && me == root; r++) {
                assertMarked(algorithm, output.narrow(0, r * length, length), r, root);
              }
            }
          }
        });
  }

  @ParameterizedTest
  @MethodSource("dev.jcomms.jccl.internal.algo.tcp.Engines#worlds")
  void aScatterGivesEachRankWhatTheRootHasForIt(int n) {
    Engines.run(
        n,
        seat -> {
          int me = seat.rank();
          for (String algorithm : List.of("", "binomial", "linear")) {
            for (long length : List.of(0L, 1L, (long) n, 1000L, 65_537L)) {
              int root = (int) ((length + 2) % n);
              List<Tensor> inputs = new ArrayList<>();
              for (int r = 0; r < n && me == root; r++) {
                inputs.add(marked(root, r, length));
              }
              Tensor output = memory(length, me);
              seat.perform(new Collective.Scatter(output, inputs, root), algorithm);
              assertMarked(algorithm, output, root, me);
            }
          }
        });
  }

  @ParameterizedTest
  @MethodSource("dev.jcomms.jccl.internal.algo.tcp.Engines#worlds")
  void nobodyLeavesABarrierBeforeEverybodyCame(int n) {
    AtomicInteger came = new AtomicInteger();
    Engines.run(
        n,
        seat -> {
          for (int round = 1; round <= 50; round++) {
            came.incrementAndGet();
            seat.perform(new Collective.Barrier(), "");
            assertThat(came.get()).isGreaterThanOrEqualTo(round * n);
          }
        });
  }

  @Test
  void elementsOfAnyTypeAreMovedAsTheyAre() {
    Engines.run(
        3,
        seat -> {
          for (DType dtype : DType.values()) {
            byte[] bits = new byte[1000 * dtype.bytes()];
            for (int i = 0; i < bits.length; i++) {
              bits[i] = dtype == DType.BOOL ? (byte) (i & 1) : (byte) mark(1, 0, 7 * i);
            }
            Tensor tensor =
                seat.rank() == 1
                    ? Tensor.wrap(
                        java.lang.foreign.MemorySegment.ofArray(bits), dtype, Shape.of(1000))
                    : Tensor.zeros(dtype, Shape.of(1000));
            seat.perform(new Collective.Broadcast(tensor, 1), "");
            assertThat(tensor.segment().toArray(JAVA_BYTE)).isEqualTo(bits);
          }
        });
  }
}
