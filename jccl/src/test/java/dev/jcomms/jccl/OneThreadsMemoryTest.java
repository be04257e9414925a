package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.BackendException;
import dev.jcomms.CommAbortedException;
import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tensors over memory of a confined arena: only the thread that calls may touch it. */
final class OneThreadsMemoryTest {
  /** Also sizes for which other threads help, or take parts over. */
  @ParameterizedTest
  @CsvSource({"tcp, 100", "tcp, 300000", "tcp, 4200000", "shm, 100", "shm, 300000"})
  void collectivesDoNotNeedOtherThreads(String transport, long elements) {
    List<Throwable> ends =
        FaceRanks.run(
            List.of(Jccl.with(AlgorithmCollection.defaults())),
            3,
            Map.of("transport", transport, "tcp.lanes", "2"),
            comm -> {
              try (Arena arena = Arena.ofConfined()) {
                Tensor x =
                    Tensor.wrap(arena.allocate(4 * elements, 64), DType.F32, Shape.of(elements));
                for (int i = 0; i < 3; i++) {
                  x.fill(comm.rank() + 1);
                  comm.allReduce(x, ReduceOp.SUM);
                  assertThat(x.select(0, elements - 1).item().toDouble()).isEqualTo(6);
                  x.fill(comm.rank() == 1 ? i : -1);
                  comm.broadcast(x, 1);
                  assertThat(x.select(0, elements / 2).item().toDouble()).isEqualTo(i);
                }
              }
            });
    assertThat(ends).containsOnlyNulls();
  }

  /** An asynchronous operation runs on another thread. */
  @ParameterizedTest
  @CsvSource({"tcp, 100", "tcp, 300000", "tcp, 4200000", "shm, 100", "shm, 300000"})
  void asynchronousOperationsRefuseIt(String transport, long elements) {
    List<Throwable> ends =
        FaceRanks.run(
            List.of(Jccl.with(AlgorithmCollection.defaults())),
            2,
            Map.of("transport", transport, "tcp.lanes", "2"),
            comm -> {
              try (Arena arena = Arena.ofConfined()) {
                Tensor x =
                    Tensor.wrap(arena.allocate(4 * elements, 64), DType.F32, Shape.of(elements));
                comm.allReduceAsync(x, ReduceOp.SUM).await();
              }
            });
    assertThat(ends)
        .allSatisfy(
            end ->
                assertThat(end)
                    .isInstanceOfAny(BackendException.class, CommAbortedException.class)
                    .hasMessageContaining("WrongThreadException"));
  }
}
