package dev.jcomms.jccl.internal.exec;

import static dev.jcomms.jccl.dsl.On.on;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.jccl.dsl.CollectiveProgram;
import dev.jcomms.jccl.dsl.Mesh;
import dev.jcomms.jccl.dsl.ProgramSpec;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.tensor.DType;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A send and receive goes as far around its ring as the plan makes it, on all ranks alike. */
final class SendRecvPlansTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void itRunsExactlyHoweverFarItGoes(int distance) {
    assertThat(trial(plan(rank -> (rank + distance) % 4)).withThreads()).isEmpty();
  }

  @Test
  void ranksThatGoDifferentlyFarAreFound() {
    // Two pairs that swap: one rank of each sends forward and one back.
    Plan mixed = plan(rank -> rank < 2 ? 1 - rank : 5 - rank);
    assertThat(trial(mixed).withThreads())
        .hasValueSatisfying(text -> assertThat(text).contains("instead of"));
  }

  private static Trial trial(Plan plan) {
    return ExecPlans.trial(plan, 1 << 10, DType.I32, PacketType.LL16, Map.of());
  }

  private static Plan plan(IntUnaryOperator to) {
    return CollectiveProgram.define(
            ProgramSpec.sendRecv("further", 4),
            p -> {
              Mesh mesh = p.memoryMesh();
              mesh.forEach(link -> link.signal(on(0).relaxed()));
              mesh.forEach(link -> link.await(on(0).relaxed().syncAfter()));
              for (int rank : p.ranks()) {
                int peer = to.applyAsInt(rank);
                mesh.link(rank, peer)
                    .put(p.rank(rank).input().all(), p.rank(peer).output().all(), on(0));
              }
              mesh.forEach(link -> link.signal(on(0).syncBefore()));
              mesh.forEach(link -> link.await(on(0).syncAfter()));
            })
        .plan();
  }
}
