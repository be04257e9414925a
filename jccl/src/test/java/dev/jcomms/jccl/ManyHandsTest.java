package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Comm;
import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several threads a rank come to the same bits as one. */
final class ManyHandsTest {
  private static final int RANKS = 3;

  /** Of each piece: enough for two threads and more, and no multiple of anything. */
  private static final int ELEMENTS = 800_003;

  @ParameterizedTest
  @CsvSource({
    "local, F32, false",
    "local, BF16, false",
    "shm, F32, false",
    "shm, F32, true",
    "shm, F64, false",
    "shm, BF16, true"
  })
  void theSameResults(String transport, DType dtype, boolean symmetric) {
    List<List<Integer>> alone = results(transport, dtype, symmetric, 1);
    assertThat(results(transport, dtype, symmetric, 3)).isEqualTo(alone);
    assertThat(alone.get(0)).as("all have the sum").startsWith(alone.get(1).getFirst());
  }

  private static List<List<Integer>> results(
      String transport, DType dtype, boolean symmetric, int threads) {
    List<List<Integer>> all =
        Collections.synchronizedList(new ArrayList<>(Collections.nCopies(RANKS, null)));
    FaceRanks.run(
        RANKS,
        Jccl.with(AlgorithmCollection.defaults()),
        Map.of("transport", transport, "host.threads", "" + threads),
        comm -> all.set(comm.rank(), new Program(comm, dtype, symmetric).run()));
    return all;
  }

  /** Every kind of large operation, in place and not. */
  private record Program(Comm comm, DType dtype, boolean symmetric) {
    private Tensor empty(int pieces) {
      Shape shape = Shape.of((long) pieces * ELEMENTS);
      return symmetric ? comm.symmetric(dtype, shape) : Tensor.zeros(dtype, shape);
    }

    private Tensor random(int pieces, int seed) {
      SplittableRandom random = new SplittableRandom(100L * seed + comm.rank());
      double[] values = new double[pieces * ELEMENTS];
      Arrays.setAll(values, _ -> random.nextInt() * 0x1p-31);
      return empty(pieces).copyFrom(Tensor.wrap(values));
    }

    private List<Integer> run() {
      List<Integer> hashes = new ArrayList<>();
      Tensor x = random(RANKS, 1);
      Tensor y = empty(RANKS);
      comm.allReduce(y, x, ReduceOp.SUM);
      hashes.add(hash(y));
      comm.allReduce(x, ReduceOp.AVG);
      hashes.add(hash(x));
      Tensor r = random(RANKS, 2);
      comm.reduce(r, 1, ReduceOp.MAX);
      hashes.add(comm.rank() == 1 ? hash(r) : 0);
      Tensor part = empty(1);
      comm.reduceScatterSingle(part, random(RANKS, 3), ReduceOp.SUM);
      hashes.add(hash(part));
      comm.allGatherSingle(y, part);
      hashes.add(hash(y));
      comm.allToAllSingle(y, random(RANKS, 4));
      hashes.add(hash(y));
      Tensor b = random(RANKS, 5);
      comm.broadcast(b, 2);
      hashes.add(hash(b));
      List<Tensor> pieces = IntStream.range(0, RANKS).mapToObj(_ -> empty(1)).toList();
      comm.allGather(pieces, random(1, 6));
      pieces.forEach(piece -> hashes.add(hash(piece)));
      return hashes;
    }

    private static int hash(Tensor tensor) {
      return Arrays.hashCode(tensor.segment().toArray(ValueLayout.JAVA_BYTE));
    }
  }
}
