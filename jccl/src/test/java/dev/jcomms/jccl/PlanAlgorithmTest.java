package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans serve as algorithms of the collectives that have a root, if it is the plan's. */
final class PlanAlgorithmTest {
  @ParameterizedTest
  @CsvSource({"auto, true", "auto, false", "shm, true", "shm, false", "tcp, true", "tcp, false"})
  void theirRootIsServedAndAnotherLeftToJccl(String transport, boolean inPlace) {
    Selector plans =
        request ->
            RootedPlans.COLLECTIVES.contains(request.collective())
                ? Optional.of(Selector.Choice.of("straight_" + request.collective()))
                : Optional.empty();
    FaceRanks.run(
        3,
        Jccl.with(RootedPlans.with(3, 1, inPlace)).selector(plans),
        Map.of("transport", transport),
        comm -> RootedPlans.check(comm, 1));
  }

  /** Chunks are as long on the root as on the others, whatever each has of them. */
  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm", "tcp"})
  void ranksNeedNoBufferThatTheyAreNotAskedFor(String transport) {
    FaceRanks.run(
        3,
        Jccl.with(RootedPlans.with(3, 1, false, RootedPlans::bare)),
        Map.of("transport", transport),
        comm -> RootedPlans.check(comm, 1));
  }

  @Test
  void aPlanThatWouldCutPacketsIsRefusedAndNobodyIsTheWorseForIt() {
    String fine =
        Sample.packets(2).toJson().replace("\"buffer_alignment\": 16", "\"buffer_alignment\": 2");
    OpOptions forced = OpOptions.hint("algorithm", "packets_2");
    FaceRanks.run(
        2,
        Jccl.with(AlgorithmCollection.defaults().with(Algorithms.ofPlan(Plan.read(fine)))),
        comm -> {
          Tensor x = Tensor.full(DType.F16, Shape.of(64), comm.rank() + 1);
          assertThatIllegalArgumentException()
              .isThrownBy(() -> comm.allReduce(x, ReduceOp.SUM, forced))
              .withMessageContaining("buffer_alignment=2, which cuts LL8 packets");
          comm.allReduce(x, ReduceOp.SUM);
          assertThat(x.select(0, 63).item().toDouble()).isEqualTo(3);
        });
  }

  /** Found before anybody hears of the operation: the communicator is none the worse for it. */
  @Test
  void aPlanWhoseChunksAreNotTheCollectivesIsRefused() {
    String gathers = RootedPlans.plan("gather", 2, 0, 0, false).toJson();
    Plan reduces = Plan.read(gathers.replace("\"gather\"", "\"reduce\""));
    OpOptions forced = OpOptions.hint("algorithm", "straight_gather");
    FaceRanks.run(
        2,
        Jccl.with(AlgorithmCollection.defaults().with(Algorithms.ofPlan(reduces))),
        comm -> {
          Tensor x = Tensor.full(Shape.of(64), comm.rank() + 1);
          assertThatIllegalArgumentException()
              .isThrownBy(() -> comm.reduce(x, 0, ReduceOp.SUM, forced))
              .withMessageContaining(
                  "reduce has 256 bytes for rank 0's output, and its 2 chunks of 256 bytes are 512");
          comm.allReduce(x, ReduceOp.SUM);
          assertThat(x.getFloat(63)).isEqualTo(3);
        });
  }

  @Test
  void aPlanThatDoesNotSayItsRootIsNoAlgorithm() {
    String said = RootedPlans.plan("reduce", 2, 0, 0, false).toJson();
    Plan silent = Plan.read(said.replace("\"root\": 0", "\"top\": 0"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Algorithms.ofPlan(silent))
        .withMessage(
            "plan 'straight_reduce' is for reduce and does not say its root; the key is \"root\"");
  }
}
