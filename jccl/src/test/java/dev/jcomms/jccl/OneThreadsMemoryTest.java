package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.Work;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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

  /** Plans reach into the tensors of others, on threads of their own. */
  @ParameterizedTest
  @CsvSource({"auto, true", "auto, false", "shm, true", "shm, false", "tcp, true", "tcp, false"})
  void plansDoNotNeedOtherThreadsEither(String transport, boolean inPlace) {
    FaceRanks.run(
        3,
        Jccl.with(RootedPlans.with(3, 1, inPlace)),
        Map.of("transport", transport),
        comm -> {
          boolean isRoot = comm.rank() == 1;
          try (Arena arena = Arena.ofConfined()) {
            Tensor x = confined(arena, comm.rank() + 1);
            comm.reduce(x, 1, ReduceOp.SUM, byPlan("reduce"));
            assertThat(x.getFloat(99)).isEqualTo(isRoot ? 6 : comm.rank() + 1);
            comm.broadcast(x, 1, byPlan("broadcast"));
            assertThat(x.getFloat(99)).isEqualTo(6);
            List<Tensor> all =
                isRoot
                    ? List.of(confined(arena, 0), confined(arena, 0), confined(arena, 0))
                    : List.of();
            x.fill(comm.rank());
            comm.gather(all, x, 1, byPlan("gather"));
            for (int r = 0; r < all.size(); r++) {
              assertThat(all.get(r).getFloat(99)).isEqualTo(r);
            }
            comm.scatter(x, all, 1, byPlan("scatter"));
            assertThat(x.getFloat(99)).isEqualTo(comm.rank());
          }
        });
  }

  /** A broadcast's root need not be able to write. */
  @ParameterizedTest
  @CsvSource({"auto, true", "auto, false", "shm, false", "tcp, false"})
  void aPlanLeavesWhatTheRootMayOnlyRead(String transport, boolean inPlace) {
    FaceRanks.run(
        3,
        Jccl.with(RootedPlans.with(3, 1, inPlace)),
        Map.of("transport", transport),
        comm -> {
          MemorySegment memory = Arena.ofAuto().allocate(400, 64);
          boolean isRoot = comm.rank() == 1;
          memory.setAtIndex(ValueLayout.JAVA_FLOAT, 99, comm.rank());
          Tensor x = Tensor.wrap(isRoot ? memory.asReadOnly() : memory, DType.F32, Shape.of(100));
          comm.broadcast(x, 1, byPlan("broadcast"));
          assertThat(x.getFloat(99)).isEqualTo(1);
        });
  }

  private static Tensor confined(Arena arena, int value) {
    return Tensor.wrap(arena.allocate(400, 64), DType.F32, Shape.of(100)).fill(value);
  }

  private static OpOptions byPlan(String collective) {
    return OpOptions.hint("algorithm", "straight_" + collective);
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

  @ParameterizedTest
  @ValueSource(strings = {"local", "shm", "tcp"})
  void anotherThreadsMemoryIsRefusedAndNobodyIsTheWorse(String transport) {
    FaceRanks.run(
        2,
        Jccl.with(AlgorithmCollection.defaults()),
        Map.of("transport", transport),
        comm -> {
          try (Arena arena = Arena.ofConfined()) {
            Tensor foreign = confined(arena, 1);
            Throwable refusal =
                CompletableFuture.supplyAsync(
                        () -> catchThrowable(() -> comm.allReduce(foreign, ReduceOp.SUM)),
                        task -> Thread.ofPlatform().start(task))
                    .get(10, TimeUnit.SECONDS);
            assertThat(refusal)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("belongs to another thread");
            comm.allReduce(foreign, ReduceOp.SUM);
            assertThat(foreign.getFloat(0)).isEqualTo(2);
          }
        });
  }
}
