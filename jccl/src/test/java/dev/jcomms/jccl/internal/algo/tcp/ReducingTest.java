package dev.jcomms.jccl.internal.algo.tcp;

import static dev.jcomms.jccl.internal.algo.tcp.Engines.lengths;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Collective;
import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.algo.tcp.Engines.Seat;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Collectives that reduce, by every algorithm, among every number of ranks. */
class ReducingTest {
  private static final List<String> REDUCE = List.of("", "binomial", "knomial", "chain", "direct");
  private static final List<String> REDUCE_SCATTER = List.of("", "direct", "ring");

  private static List<String> allReduces(int n) {
    List<String> names = List.of("", "recursive_doubling", "recursive_halving", "ring", "direct");
    return n == 2 ? Stream.concat(names.stream(), Stream.of("exchange")).toList() : names;
  }

  @ParameterizedTest
  @MethodSource("dev.jcomms.jccl.internal.algo.tcp.Engines#worlds")
  void anAllReduceGivesEverybodyTheReductionOfAll(int n) {
    Engines.run(
        n,
        seat -> {
          for (String algorithm : allReduces(n)) {
            for (long length : lengths(n)) {
              allReduce(seat, algorithm, DType.I64, ReduceOp.SUM, length);
            }
          }
        });
  }

  @ParameterizedTest
  @MethodSource("dev.jcomms.jccl.internal.algo.tcp.Engines#worlds")
  void aReduceGivesItToTheRootAndLeavesTheOthersAlone(int n) {
    Engines.run(
        n,
        seat -> {
          for (String algorithm : REDUCE) {
            for (long length : lengths(n)) {
              reduce(seat, algorithm, DType.I64, ReduceOp.SUM, length, (int) (length % n));
            }
          }
        });
  }

  @ParameterizedTest
  @MethodSource("dev.jcomms.jccl.internal.algo.tcp.Engines#worlds")
  void aReduceScatterGivesEachRankItsPart(int n) {
    Engines.run(
        n,
        seat -> {
          for (String algorithm : REDUCE_SCATTER) {
            for (long length : lengths(n)) {
              if (n * length < 4_000_000) {
                reduceScatter(seat, algorithm, DType.I64, ReduceOp.SUM, length);
              }
            }
          }
        });
  }

  /** Every dtype with every operation it has. */
  static Stream<DType> reducible() {
    return Stream.of(DType.values()).filter(ReduceOp.SUM::accepts);
  }

  private static List<ReduceOp> operations(DType dtype, int rank) {
    List<ReduceOp> ops = new ArrayList<>(List.of(ReduceOp.Standard.values()));
    ops.add(ReduceOp.premulSum(Reckoning.factor(rank)));
    ops.removeIf(op -> !op.accepts(dtype));
    return ops;
  }

  @ParameterizedTest
  @MethodSource("reducible")
  void everyOperationIsExactForEveryDtype(DType dtype) {
    for (int n : new int[] {2, 3, 4, 7}) {
      Engines.run(
          n,
          seat -> {
            for (ReduceOp op : operations(dtype, seat.rank())) {
              for (long length : new long[] {1, n + 1, 1000}) {
                allReduces(n).forEach(algorithm -> allReduce(seat, algorithm, dtype, op, length));
                REDUCE.forEach(algorithm -> reduce(seat, algorithm, dtype, op, length, n - 1));
                REDUCE_SCATTER.forEach(
                    algorithm -> reduceScatter(seat, algorithm, dtype, op, length));
              }
            }
          });
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 5})
  void manyChunksOfWidePartialResultsStayInOrder(int n) {
    Engines.run(
        n,
        seat -> {
          for (DType dtype : List.of(DType.F16, DType.BF16, DType.I8)) {
            ReduceOp op = dtype == DType.I8 ? ReduceOp.AVG : ReduceOp.SUM;
            for (String algorithm : allReduces(n)) {
              allReduce(seat, algorithm, dtype, op, 1_500_007);
            }
            for (String algorithm : REDUCE) {
              reduce(seat, algorithm, dtype, op, 1_500_007, 1);
            }
            for (String algorithm : REDUCE_SCATTER) {
              reduceScatter(seat, algorithm, dtype, op, 700_001);
            }
          }
        });
  }

  private static void allReduce(
      Seat seat, String algorithm, DType dtype, ReduceOp op, long length) {
    Reckoning reckoning = new Reckoning(dtype, op, seat.size());
    Tensor input = reckoning.input(seat.rank(), 0, length);
    byte[] before = input.segment().toArray(JAVA_BYTE);
    Tensor output = Tensor.zeros(dtype, Shape.of(length));
    seat.perform(new Collective.AllReduce(output, input, op), algorithm);
    reckoning.assertResult(algorithm, output, 0);
    assertThat(input.segment().toArray(JAVA_BYTE)).isEqualTo(before);

    Tensor inPlace = onHeap(input);
    seat.perform(new Collective.AllReduce(inPlace, inPlace, op), algorithm);
    reckoning.assertResult(algorithm + " in place", inPlace, 0);
  }

  private static void reduce(
      Seat seat, String algorithm, DType dtype, ReduceOp op, long length, int root) {
    Reckoning reckoning = new Reckoning(dtype, op, seat.size());
    Tensor tensor = reckoning.input(seat.rank(), 0, length);
    byte[] before = tensor.segment().toArray(JAVA_BYTE);
    seat.perform(new Collective.Reduce(tensor, root, op), algorithm);
    if (seat.rank() == root) {
      reckoning.assertResult(algorithm, tensor, 0);
    } else {
      assertThat(tensor.segment().toArray(JAVA_BYTE)).isEqualTo(before);
    }
  }

  private static void reduceScatter(
      Seat seat, String algorithm, DType dtype, ReduceOp op, long length) {
    int me = seat.rank();
    int n = seat.size();
    Reckoning reckoning = new Reckoning(dtype, op, n);
    Tensor input = reckoning.input(me, 0, n * length);
    Tensor output = Tensor.zeros(dtype, Shape.of(length));
    seat.perform(new Collective.ReduceScatterSingle(output, input, op), algorithm);
    reckoning.assertResult(algorithm, output, me * length);

    List<Tensor> inputs = new ArrayList<>();
    for (int r = 0; r < n; r++) {
      inputs.add(onHeap(input.narrow(0, r * length, length)));
    }
    seat.perform(new Collective.ReduceScatter(output.zero(), inputs, op), algorithm);
    reckoning.assertResult(algorithm, output, me * length);

    // Of different sizes: rank r gets r % 3 thirds.
    List<Tensor> uneven = new ArrayList<>();
    for (int r = 0; r < n; r++) {
      uneven.add(inputs.get(r).narrow(0, 0, length / 3 * (r % 3)));
    }
    Tensor part = output.narrow(0, 0, length / 3 * (me % 3)).zero();
    seat.perform(new Collective.ReduceScatterV(part, uneven, op), algorithm);
    reckoning.assertResult(algorithm, part, me * length);

    // In place: the output is this rank's section of the input.
    Tensor section = input.narrow(0, me * length, length);
    seat.perform(new Collective.ReduceScatterSingle(section, input, op), algorithm);
    reckoning.assertResult(algorithm + " in place", section, me * length);
  }

  private static Tensor onHeap(Tensor tensor) {
    MemorySegment bytes = MemorySegment.ofArray(tensor.segment().toArray(JAVA_BYTE));
    return Tensor.wrap(bytes, tensor.dtype(), Shape.of(tensor.elements()));
  }

  @Test
  void sumsWhoseOrderMattersHaveTheSameBitsEverywhereAndEveryTime() {
    int n = 7;
    for (String algorithm : allReduces(n)) {
      List<byte[]> results = java.util.Collections.synchronizedList(new ArrayList<>());
      for (int run = 0; run < 2; run++) {
        Engines.run(
            n,
            seat -> {
              Tensor tensor = Tensor.zeros(DType.F32, Shape.of(10_000));
              java.util.Random random = new java.util.Random(seat.rank());
              for (int i = 0; i < 10_000; i++) {
                float scale = (float) Math.pow(10, random.nextInt(10) - 5);
                tensor.setFloat(random.nextFloat() * scale, i);
              }
              seat.perform(new Collective.AllReduce(tensor, tensor, ReduceOp.SUM), algorithm);
              results.add(tensor.segment().toArray(JAVA_BYTE));
            });
      }
      assertThat(results).hasSize(2 * n).allSatisfy(r -> assertThat(r).isEqualTo(results.get(0)));
    }
  }

  @Test
  void aNanOfOneRankReachesEverybody() {
    for (String algorithm : allReduces(3)) {
      for (ReduceOp op : List.of(ReduceOp.MIN, ReduceOp.MAX, ReduceOp.SUM)) {
        Engines.run(
            3,
            seat -> {
              Tensor tensor = Tensor.full(Shape.of(10), seat.rank());
              tensor.setFloat(Float.NaN, seat.rank());
              seat.perform(new Collective.AllReduce(tensor, tensor, op), algorithm);
              for (int i = 0; i < 10; i++) {
                assertThat(Float.isNaN(tensor.getFloat(i))).isEqualTo(i < 3);
              }
            });
      }
    }
  }
}
