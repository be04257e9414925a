package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.CommMismatchException;
import dev.jcomms.OpOptions;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks of an all-to-all that do not expect what they are given. */
final class UnequalPiecesTest {
  private static final int SIZE = 3;

  private static List<Tensor> pieces(long elements) {
    return IntStream.range(0, SIZE).mapToObj(_ -> Tensor.zeros(Shape.of(elements))).toList();
  }

  /** Rank 1 gives one element more to rank 0 than that expects; all else fits. */
  @ParameterizedTest
  @CsvSource({
    "local,, 10",
    "local, direct, 10",
    "local, direct, 0",
    "shm,, 10",
    "tcp,, 10",
    "tcp, direct, 10",
    "tcp, pairwise, 10"
  })
  void bothFindOut(String transport, String algorithm, int elements) {
    OpOptions options =
        algorithm == null ? OpOptions.DEFAULT : OpOptions.DEFAULT.withHint("algorithm", algorithm);
    List<Throwable> ends =
        FaceRanks.run(
            List.of(Jccl.with(AlgorithmCollection.defaults())),
            SIZE,
            Map.of("transport", transport),
            comm -> {
              List<Tensor> inputs = new ArrayList<>(pieces(elements));
              if (comm.rank() == 1) {
                inputs.set(0, Tensor.zeros(Shape.of(elements + 1)));
              }
              comm.allToAll(pieces(elements), inputs, options);
              comm.barrier();
            });
    for (int rank : List.of(0, 1)) {
      assertThat(ends.get(rank))
          .as("rank %d", rank)
          .isInstanceOf(CommMismatchException.class)
          .hasMessageContaining("all_to_all")
          .hasMessageContaining("" + 4 * (elements + 1))
          .hasMessageContaining("" + 4 * elements);
    }
  }
}
