package dev.jcomms.jccl.internal.algo.tcp;

import static dev.jcomms.jccl.internal.algo.tcp.Engines.memory;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.Collective;
import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.OpOptions;
import dev.jcomms.PeerLostException;
import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What ranks get when they disagree, when one is gone, and when one does not come. */
class TroubleTest {

  /** What the last rank does, and what the others do. */
  private record Quarrel(
      String what, IntFunction<Collective> last, IntFunction<Collective> others) {
    @Override
    public String toString() {
      return what;
    }
  }

  private static Tensor f32(long elements) {
    return Tensor.zeros(Shape.of(elements));
  }

  private static Collective allReduce(DType dtype, long elements, ReduceOp op) {
    Tensor tensor = Tensor.zeros(dtype, Shape.of(elements));
    return new Collective.AllReduce(tensor, tensor, op);
  }

  private static List<Tensor> blocks(int n, long elements) {
    return Stream.generate(() -> f32(elements)).limit(n).toList();
  }

  static Stream<Quarrel> quarrels() {
    return Stream.of(
        new Quarrel(
            "sizes",
            _ -> allReduce(DType.F32, 1000, ReduceOp.SUM),
            _ -> allReduce(DType.F32, 2000, ReduceOp.SUM)),
        new Quarrel(
            "sizes for which algorithms differ",
            _ -> allReduce(DType.F32, 1, ReduceOp.SUM),
            _ -> allReduce(DType.F32, 1 << 20, ReduceOp.SUM)),
        new Quarrel(
            "dtypes",
            _ -> allReduce(DType.F32, 1000, ReduceOp.SUM),
            _ -> allReduce(DType.I32, 1000, ReduceOp.SUM)),
        new Quarrel(
            "reduce ops",
            _ -> allReduce(DType.F32, 1000, ReduceOp.SUM),
            _ -> allReduce(DType.F32, 1000, ReduceOp.MAX)),
        new Quarrel(
            "broadcast roots",
            n -> new Collective.Broadcast(f32(10), n - 1),
            _ -> new Collective.Broadcast(f32(10), 0)),
        new Quarrel(
            "reduce roots",
            n -> new Collective.Reduce(f32(10), n - 1, ReduceOp.SUM),
            _ -> new Collective.Reduce(f32(10), 0, ReduceOp.SUM)),
        new Quarrel(
            "gather roots",
            n -> new Collective.Gather(blocks(n, 10), f32(10), n - 1),
            n -> new Collective.Gather(blocks(n, 10), f32(10), 0)),
        new Quarrel(
            "scatter roots",
            n -> new Collective.Scatter(f32(10), blocks(n, 10), n - 1),
            n -> new Collective.Scatter(f32(10), blocks(n, 10), 0)),
        new Quarrel(
            "large scatter roots",
            n -> new Collective.Scatter(f32(100_000), blocks(n, 100_000), n - 1),
            n -> new Collective.Scatter(f32(100_000), blocks(n, 100_000), 0)),
        new Quarrel(
            "kinds", _ -> new Collective.Barrier(), _ -> allReduce(DType.F32, 10, ReduceOp.SUM)),
        new Quarrel(
            "rooted and unrooted",
            _ -> new Collective.Broadcast(f32(10), 0),
            _ -> allReduce(DType.F32, 10, ReduceOp.SUM)),
        new Quarrel(
            "lists of sizes",
            n -> new Collective.AllGatherV(blocks(n, 3), f32(3)),
            n -> new Collective.AllGatherV(blocks(n, 4), f32(4))),
        new Quarrel(
            "blocks of an all-to-all",
            n -> new Collective.AllToAll(blocks(n, 3), blocks(n, 3)),
            n -> new Collective.AllToAll(blocks(n, 4), blocks(n, 4))));
  }

  static Stream<Arguments> quarrelsInWorlds() {
    return quarrels().flatMap(q -> Stream.of(2, 3, 4, 7).map(n -> Arguments.of(q, n)));
  }

  @ParameterizedTest
  @MethodSource("quarrelsInWorlds")
  void ranksThatDisagreeAllLearnIt(Quarrel quarrel, int n) {
    long start = System.nanoTime();
    List<Throwable> first = Collections.synchronizedList(new java.util.ArrayList<>());
    List<Throwable> outcomes =
        Engines.outcomes(
            n,
            seat -> {
              IntFunction<Collective> role =
                  seat.rank() == n - 1 ? quarrel.last() : quarrel.others();
              try {
                seat.perform(role.apply(n), "");
              } catch (CommException e) {
                first.add(e);
              }
              // Whoever had its part done before the quarrel broke out hears of it now.
              seat.perform(new Collective.Barrier(), "");
            });
    assertThat(first).isNotEmpty();
    assertThat(first)
        .allSatisfy(failure -> assertThat(failure).isInstanceOf(CommMismatchException.class));
    assertThat(outcomes)
        .allSatisfy(failure -> assertThat(failure).isInstanceOf(CommMismatchException.class));
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void twoRootsDoNotBothSucceed(int n) {
    // Each would send and be done, if nobody had to answer.
    for (boolean broadcast : new boolean[] {true, false}) {
      List<Throwable> outcomes =
          Engines.outcomes(
              n,
              seat ->
                  seat.perform(
                      broadcast
                          ? new Collective.Broadcast(f32(4), seat.rank())
                          : new Collective.Scatter(f32(4), blocks(n, 4), seat.rank()),
                      ""));
      assertThat(outcomes)
          .allSatisfy(failure -> assertThat(failure).isInstanceOf(CommMismatchException.class));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"recursive_doubling", "recursive_halving", "ring", "direct"})
  void aRankThatIsGoneIsNamedOnEveryOther(String algorithm) {
    int n = 4;
    int victim = 2;
    List<Throwable> outcomes =
        Engines.outcomes(
            n,
            seat -> {
              seat.perform(allReduce(DType.F32, 100_000, ReduceOp.SUM), algorithm);
              if (seat.rank() == victim) {
                seat.place().fabric().close();
              } else {
                seat.perform(allReduce(DType.F32, 1_000_000, ReduceOp.SUM), algorithm);
              }
            });
    for (int r = 0; r < n; r++) {
      if (r != victim) {
        assertThat(outcomes.get(r)).isInstanceOf(PeerLostException.class);
        assertThat(((CommException) outcomes.get(r)).missingRanks()).isEqualTo(Set.of(victim));
      }
    }
  }

  @Test
  void aRankThatDoesNotComeIsNamedInEveryOperation() {
    List<Collective> ops =
        List.of(
            allReduce(DType.F32, 10, ReduceOp.SUM),
            allReduce(DType.F32, 1_000_000, ReduceOp.SUM),
            new Collective.Barrier(),
            new Collective.Broadcast(f32(10), 0),
            new Collective.Reduce(f32(10), 0, ReduceOp.SUM),
            new Collective.AllGather(blocks(2, 10), f32(10)),
            new Collective.AllToAll(blocks(2, 10), blocks(2, 10)),
            new Collective.Gather(blocks(2, 10), f32(10), 0),
            new Collective.Scatter(f32(10), blocks(2, 10), 0));
    for (Collective op : ops) {
      CountDownLatch over = new CountDownLatch(1);
      List<Throwable> outcomes =
          Engines.outcomes(
              2,
              seat -> {
                if (seat.rank() == 1) {
                  assertThat(over.await(30, TimeUnit.SECONDS)).isTrue();
                  return;
                }
                Deadline deadline = new Deadline(Duration.ofMillis(300), seat.place().alarm());
                try {
                  seat.engine().perform(op, OpOptions.DEFAULT, deadline);
                } finally {
                  over.countDown();
                }
              });
      assertThat(outcomes.getFirst())
          .as(op.opName())
          .isInstanceOf(CommTimeoutException.class)
          .hasMessageContaining("waiting for rank 1 at 127.0.0.1:");
      assertThat(((CommException) outcomes.getFirst()).missingRanks()).isEqualTo(Set.of(1));
    }
  }

  @Test
  void ranksOfAPartAreNamedAsTheWholeCountsThem() {
    List<Throwable> outcomes =
        Engines.outcomes(
            4,
            seat -> {
              if (seat.rank() != 3) {
                return;
              }
              try (TcpEngine pair = new TcpEngine(seat.place().fabric(), 7, List.of(1, 3))) {
                assertThat(pair.rank()).isEqualTo(1);
                Deadline deadline = new Deadline(Duration.ofMillis(300), seat.place().alarm());
                pair.perform(new Collective.Barrier(), OpOptions.DEFAULT, deadline);
              }
            });
    assertThat(outcomes.getLast()).isInstanceOf(CommTimeoutException.class);
    assertThat(((CommException) outcomes.getLast()).missingRanks()).isEqualTo(Set.of(1));
  }

  @Test
  void anAlgorithmThatIsNotThereIsRefusedWithTheNamesOfThoseThatAre() {
    Engines.run(
        2,
        seat -> {
          Collective op = allReduce(DType.F32, 10, ReduceOp.SUM);
          assertThatThrownBy(() -> seat.perform(op, "magic"))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessage(
                  "hint algorithm=magic: all_reduce over TCP among 2 ranks has none of that name;"
                      + " there are direct, exchange, recursive_doubling, recursive_halving,"
                      + " ring");
          Collective uneven =
              new Collective.AllGatherV(List.of(f32(1), f32(2)), f32(1 + seat.rank()));
          assertThatThrownBy(() -> seat.perform(uneven, "bruck"))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("cannot use that for this; there are direct, ring");
          seat.perform(op, "ring"); // nothing had moved
        });
  }

  @Test
  void ranksThatNameDifferentAlgorithmsDisagree() {
    List<Throwable> outcomes =
        Engines.outcomes(
            3,
            seat -> {
              String name = seat.rank() == 0 ? "ring" : "direct";
              seat.perform(allReduce(DType.F32, 10, ReduceOp.SUM), name);
            });
    assertThat(outcomes)
        .allSatisfy(
            failure ->
                assertThat(failure)
                    .isInstanceOf(CommMismatchException.class)
                    .hasMessageContaining("by another algorithm"));
  }

  @Test
  void theChoiceIsToldAndTheHintFollowed() {
    Engines.run(
        2,
        seat -> {
          Collective small = allReduce(DType.F32, 10, ReduceOp.SUM);
          Collective large = allReduce(DType.F32, 1 << 20, ReduceOp.SUM);
          TcpEngine engine = seat.engine();
          assertThat(engine.algorithm(small, OpOptions.DEFAULT)).isEqualTo("recursive_doubling");
          assertThat(engine.algorithm(large, OpOptions.DEFAULT)).isEqualTo("direct");
          OpOptions ring = OpOptions.hint("algorithm", "ring");
          assertThat(engine.algorithm(small, ring)).isEqualTo("ring");
        });
  }

  @Test
  void manyOperationsInARowKeepTheirOrder() {
    Engines.run(
        3,
        seat -> {
          for (int round = 0; round < 300; round++) {
            Tensor tensor = memory(1 + round % 40, round);
            tensor.fill((long) seat.rank() + round);
            seat.perform(new Collective.AllReduce(tensor, tensor, ReduceOp.SUM), "");
            assertThat(tensor.getInt(0)).isEqualTo(3 + 3 * round);
            Tensor root = memory(3, round);
            root.fill((long) seat.rank() * 1000 + round);
            seat.perform(new Collective.Broadcast(root, round % 3), "");
            assertThat(root.getInt(2)).isEqualTo(round % 3 * 1000 + round);
          }
        });
  }
}
