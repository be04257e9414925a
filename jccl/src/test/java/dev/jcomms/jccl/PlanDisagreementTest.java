package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Comm;
import dev.jcomms.CommMismatchException;
import dev.jcomms.OpOptions;
import dev.jcomms.PeerLostException;
import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A plan that all ranks have prepared runs without meeting them first: ranks that come with
 * something else while it runs are told all the same.
 */
final class PlanDisagreementTest {
  private static final OpOptions PLAN = OpOptions.hint("algorithm", "packets_3");
  private static final AlgorithmCollection PLANS =
      AlgorithmCollection.defaults().with(Algorithms.ofPlan(Sample.packets(3)));

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm", "tcp"})
  void ofAnotherSize(String transport) {
    assertMismatch(transport, comm -> sum(comm, 1536, DType.F32, PLAN));
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm", "tcp"})
  void ofAnotherDtype(String transport) {
    assertMismatch(transport, comm -> sum(comm, 768, DType.I32, PLAN));
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm", "tcp"})
  void byAnotherAlgorithm(String transport) {
    assertMismatch(transport, comm -> sum(comm, 768, DType.F32, OpOptions.DEFAULT));
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm", "tcp"})
  void withAnotherOperation(String transport) {
    assertMismatch(transport, Comm::barrier);
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm", "tcp"})
  void whoClosesInsteadIsLost(String transport) {
    List<Throwable> ends = run(transport, Comm::close);
    assertThat(ends.get(1)).isNull();
    assertThat(List.of(ends.get(0), ends.get(2)))
        .allSatisfy(
            end ->
                assertThat(end)
                    .isInstanceOfSatisfying(
                        PeerLostException.class,
                        lost -> assertThat(lost.missingRanks()).containsExactly(1)));
  }

  private static void assertMismatch(String transport, Consumer<Comm> instead) {
    assertThat(run(transport, instead))
        .allSatisfy(end -> assertThat(end).isInstanceOf(CommMismatchException.class));
  }

  /** What each rank got when rank 1 did something else than the prepared plan. */
  private static List<Throwable> run(String transport, Consumer<Comm> instead) {
    return FaceRanks.run(
        List.of(Jccl.with(PLANS)),
        3,
        Map.of("transport", transport),
        comm -> {
          for (int i = 0; i < 3; i++) {
            sum(comm, 768, DType.F32, PLAN);
            sum(comm, 1536, DType.F32, PLAN);
            sum(comm, 768, DType.I32, PLAN);
          }
          if (comm.rank() == 1) {
            instead.accept(comm);
          } else {
            sum(comm, 768, DType.F32, PLAN);
          }
        });
  }

  private static void sum(Comm comm, long elements, DType dtype, OpOptions options) {
    Tensor x = Tensor.full(dtype, Shape.of(elements), comm.rank() + 1);
    comm.allReduce(x, ReduceOp.SUM, options);
    assertThat(x.select(0, elements - 1).item().toDouble()).isEqualTo(6);
  }
}
