package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Comm;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All-to-alls whose outputs lie where their inputs do, of a few bytes and of many. */
final class InPlaceAllToAllTest {
  private static final int SIZE = 3;

  /** What one rank has for another: one number in so many elements. */
  private static float value(int from, int to) {
    return 10 * from + to + 1;
  }

  private static Tensor filled(Tensor tensor, int rank) {
    long each = tensor.elements() / SIZE;
    for (int to = 0; to < SIZE; to++) {
      tensor.narrow(0, to * each, each).fill(value(rank, to));
    }
    return tensor;
  }

  private static List<Tensor> sections(Tensor tensor) {
    long each = tensor.elements() / SIZE;
    return IntStream.range(0, SIZE).mapToObj(r -> tensor.narrow(0, r * each, each)).toList();
  }

  private static void assertExchanged(Comm comm, Tensor tensor) {
    List<Tensor> sections = sections(tensor);
    for (int from = 0; from < SIZE; from++) {
      assertThat(sections.get(from).toFloatArray())
          .as("rank %d from rank %d", comm.rank(), from)
          .containsOnly(value(from, comm.rank()));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "local, 4",
    "local, 1000000",
    "shm, 4",
    "shm, 3000",
    "shm, 1000000",
    "tcp, 4",
    "tcp, 1000000"
  })
  void give(String transport, long each) {
    List<Throwable> ends =
        FaceRanks.run(
            List.of(Jccl.with(AlgorithmCollection.defaults())),
            SIZE,
            Map.of("transport", transport),
            comm -> {
              for (int round = 0; round < 3; round++) {
                Tensor x = filled(Tensor.empty(Shape.of(SIZE * each)), comm.rank());
                comm.allToAllSingle(x, x);
                assertExchanged(comm, x);
                filled(x, comm.rank());
                comm.allToAllVSingle(
                    x, x, Collections.nCopies(SIZE, each), Collections.nCopies(SIZE, each));
                assertExchanged(comm, x);
                filled(x, comm.rank());
                comm.allToAll(sections(x), sections(x));
                assertExchanged(comm, x);
              }
            });
    assertThat(ends).containsOnlyNulls();
  }

  @ParameterizedTest
  @CsvSource({"local, 4", "local, 100000", "shm, 4", "shm, 100000"})
  void giveSymmetric(String transport, long each) {
    List<Throwable> ends =
        FaceRanks.run(
            List.of(Jccl.with(AlgorithmCollection.defaults())),
            SIZE,
            Map.of("transport", transport),
            comm -> {
              Tensor x = comm.symmetric(DType.F32, Shape.of(SIZE * each));
              for (int round = 0; round < 3; round++) {
                filled(x, comm.rank());
                comm.barrier();
                comm.allToAllSingle(x, x);
                assertExchanged(comm, x);
              }
            });
    assertThat(ends).containsOnlyNulls();
  }
}
