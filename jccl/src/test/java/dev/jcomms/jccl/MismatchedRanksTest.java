package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Comm;
import dev.jcomms.CommMismatchException;
import dev.jcomms.ReduceOp;
import dev.jcomms.Window;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whoever hears of a disagreement is told who disagrees: the odd one is among them, never itself.
 */
final class MismatchedRanksTest {
  private static final int SIZE = 4;
  private static final int ROUNDS = 4;

  private static final Map<String, Consumer<Comm>> CALLS =
      Map.of(
          "all_reduce", comm -> comm.allReduce(Tensor.ones(Shape.of(200)), ReduceOp.SUM),
          "all_gather", comm -> gather(comm, 200),
          "longer all_gather", comm -> gather(comm, 201),
          "barrier", Comm::barrier,
          "symmetric", comm -> comm.symmetric(DType.F32, Shape.of(3)),
          "window", MismatchedRanksTest::register,
          "split", comm -> comm.split(0, 0).ifPresent(Comm::close));

  private static void gather(Comm comm, long elements) {
    Tensor to = Tensor.zeros(Shape.of(comm.size() * elements));
    comm.allGatherSingle(to, Tensor.zeros(Shape.of(elements)));
  }

  private static void register(Comm comm) {
    try (Window window = comm.newWindow(Tensor.zeros(Shape.of(8)))) {
      window.fence();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "local, all_gather, longer all_gather",
    "shm, all_gather, longer all_gather",
    "tcp, all_gather, longer all_gather",
    "two-level, all_gather, longer all_gather",
    "tcp, all_reduce, barrier",
    "two-level, all_reduce, barrier",
    "shm, all_reduce, symmetric",
    "two-level, all_reduce, symmetric",
    "shm, barrier, window",
    "tcp, barrier, window",
    "shm, barrier, split",
    "tcp, barrier, split"
  })
  void theOddOneIsAmongThemAndNeverWhoIsTold(String transport, String usual, String unusual) {
    Map<String, String> hints =
        transport.equals("two-level")
            ? Map.of("ranks_per_host", "2")
            : Map.of("transport", transport);
    for (int round = 0; round < ROUNDS; round++) {
      int odd = round % SIZE;
      List<Throwable> ends =
          FaceRanks.run(
              List.of(Jccl.with(AlgorithmCollection.defaults())),
              SIZE,
              hints,
              comm -> CALLS.get(comm.rank() == odd ? unusual : usual).accept(comm));
      for (int rank = 0; rank < SIZE; rank++) {
        assertThat(ends.get(rank)).as("rank %d", rank).isInstanceOf(CommMismatchException.class);
        Set<Integer> named = ((CommMismatchException) ends.get(rank)).missingRanks();
        assertThat(named).as("rank %d: %s", rank, ends.get(rank)).isNotEmpty().doesNotContain(rank);
        if (rank != odd) {
          assertThat(named).as("rank %d: %s", rank, ends.get(rank)).contains(odd);
        }
      }
    }
  }
}
