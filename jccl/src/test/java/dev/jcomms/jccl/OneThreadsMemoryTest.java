package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.ReduceOp;
import dev.jcomms.Work;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tensors over memory of a confined arena: only the thread that calls may touch it. */
final class OneThreadsMemoryTest {
  /** Also sizes for which other threads help, or take parts over. */
  @ParameterizedTest
  @CsvSource({
    "tcp, 100",
    "tcp, 300000",
    "tcp, 4200000",
    "shm, 100",
    "shm, 300000",
    "shm, 4200000",
    "local, 4200000"
  })
  void collectivesDoNotNeedOtherThreads(String transport, long elements) {
    List<Throwable> ends =
        FaceRanks.run(
            List.of(Jccl.with(AlgorithmCollection.defaults())),
            3,
            Map.of("transport", transport, "tcp.lanes", "2", "host.threads", "3"),
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
                assertThatThrownBy(() -> comm.allReduceAsync(x, ReduceOp.SUM))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("belongs to one thread");
                comm.barrier(); // which is none the worse for it
              }
            });
    assertThat(ends).containsOnlyNulls();
  }

  /** A blocking one waits for its turn where it was called. */
  @ParameterizedTest
  @ValueSource(strings = {"tcp", "shm"})
  void aBlockingOneThatComesBehindOthersDoesNotNeedOtherThreads(String transport) {
    List<Throwable> ends =
        FaceRanks.run(
            List.of(Jccl.with(AlgorithmCollection.defaults())),
            2,
            Map.of("transport", transport),
            comm -> {
              try (Arena arena = Arena.ofConfined()) {
                Tensor x = Tensor.wrap(arena.allocate(400, 64), DType.F32, Shape.of(100));
                Tensor before = Tensor.full(Shape.of(1 << 20), 1);
                for (int i = 0; i < 20; i++) {
                  x.fill(comm.rank() + 1);
                  Work work = comm.allReduceAsync(before, ReduceOp.MAX);
                  comm.allReduce(x, ReduceOp.SUM);
                  work.await();
                  assertThat(x.getFloat(99)).isEqualTo(3);
                }
              }
            });
    assertThat(ends).containsOnlyNulls();
  }

  /** On one rank, and the others wait: it can come with another tensor. */
  @ParameterizedTest
  @CsvSource({"tcp, 100", "tcp, 300000", "shm, 100", "shm, 300000", "shm, 4200000"})
  void memoryThatWasFreedIsRefusedAndTheOthersAreNoneTheWorse(String transport, long elements) {
    List<Throwable> ends =
        FaceRanks.run(
            List.of(Jccl.with(AlgorithmCollection.defaults())),
            2,
            Map.of("transport", transport),
            comm -> {
              Tensor freed;
              try (Arena arena = Arena.ofShared()) {
                freed = Tensor.wrap(arena.allocate(4 * elements), DType.F32, Shape.of(elements));
              }
              if (comm.rank() == 1) {
                assertThatThrownBy(() -> comm.allReduce(freed, ReduceOp.SUM))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("its arena is closed");
                assertThatThrownBy(() -> comm.broadcastAsync(freed, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("its arena is closed");
              }
              Tensor x = Tensor.full(Shape.of(elements), comm.rank());
              comm.allReduce(x, ReduceOp.SUM);
              assertThat(x.getFloat(0)).isEqualTo(1);
            });
    assertThat(ends).containsOnlyNulls();
  }
}
