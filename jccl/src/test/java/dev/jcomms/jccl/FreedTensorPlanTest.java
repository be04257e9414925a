package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A tensor whose memory was freed is refused by an algorithm that is not jccl's own, too, and
 * nobody has heard of the operation.
 */
final class FreedTensorPlanTest {
  private static final OpOptions PACKETS = OpOptions.hint("algorithm", "packets_2");
  private static final AlgorithmCollection PLANS =
      AlgorithmCollection.defaults().with(Algorithms.ofPlan(Sample.packets(2)));

  private static Tensor freed(int elements) {
    try (Arena arena = Arena.ofShared()) {
      return Tensor.wrap(arena.allocate(4L * elements, 64), DType.F32, Shape.of(elements));
    }
  }

  private static void assertRefused(Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("its arena is closed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm", "tcp"})
  void whatWasFreedIsRefusedBeforeAnybodyHearsOfIt(String transport) {
    List<Throwable> ends =
        FaceRanks.run(
            List.of(Jccl.with(PLANS)),
            2,
            Map.of("transport", transport),
            comm -> {
              // Before the plan is prepared, and when it is.
              for (int i = 0; i < 2; i++) {
                if (comm.rank() == 0) {
                  Tensor freed = freed(64);
                  Tensor living = Tensor.ones(Shape.of(64));
                  assertRefused(() -> comm.allReduce(freed, ReduceOp.SUM, PACKETS));
                  assertRefused(() -> comm.allReduce(freed, living, ReduceOp.SUM, PACKETS));
                  assertRefused(() -> comm.allReduce(living, freed, ReduceOp.SUM, PACKETS));
                }
                Tensor sum = Tensor.full(Shape.of(64), comm.rank() + 1);
                comm.allReduce(sum, ReduceOp.SUM, PACKETS);
                assertThat(sum.toFloatArray()).containsOnly(3);
              }
            });
    assertThat(ends).containsOnlyNulls();
  }

  /** It is left alone there. */
  @Test
  void whatOnlyTheRootIsAskedForMayBeFreedElsewhere() {
    FaceRanks.run(
        2,
        Jccl.with(RootedPlans.with(2, 1, false)),
        comm -> {
          Tensor all = comm.rank() == 1 ? Tensor.zeros(Shape.of(64)) : freed(64);
          Tensor mine = Tensor.full(Shape.of(32), comm.rank() + 1);
          comm.gatherSingle(all, mine, 1, OpOptions.hint("algorithm", "straight_gather"));
          if (comm.rank() == 1) {
            assertThat(all.getFloat(31)).isEqualTo(1);
            assertThat(all.getFloat(63)).isEqualTo(2);
          }
        });
  }
}
