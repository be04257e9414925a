package dev.jcomms.jccl.internal.exec;

import static dev.jcomms.jccl.dsl.On.on;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.jcomms.jccl.dsl.CollectiveProgram;
import dev.jcomms.jccl.dsl.Mesh;
import dev.jcomms.jccl.dsl.ProgramSpec;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.tensor.DType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A plan that would cut an element in two is refused, not run wrongly. */
final class GrainTest {
  @Test
  void unitsOfAPipelineHoldWholeElements() {
    assertThat(trial(sum(16, 1000), DType.I32).withThreads()).isEmpty();
    assertThat(trial(sum(16, 1002), DType.F16).withThreads()).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> trial(sum(16, 1002), DType.I32).requirePossible())
        .withMessage(
            "plan 'sum' reduces in a pipeline with unit_size=1002, which cuts elements of i32");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> trial(sum(16, 1002), DType.I32).withThreads());
  }

  @Test
  void chunksHoldWholeElementsAndPacketsIfThereAreAny() {
    assertThat(trial(sum(4, 64), DType.I32).withThreads()).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> trial(sum(4, 64), DType.I64).requirePossible())
        .withMessageContaining("buffer_alignment=4, which cuts elements of i64");
    String packed = sum(4, 64).toJson().replace("Simple", "LL");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> trial(Plan.read(packed), DType.I32).requirePossible())
        .withMessageContaining("buffer_alignment=4, which cuts LL16 packets");
  }

  private static Trial trial(Plan plan, DType dtype) {
    return ExecPlans.trial(plan, 8 << 10, dtype, PacketType.LL16, Map.of());
  }

  /** Two ranks read and add each other's halves, some bytes at a time. */
  private static Plan sum(int alignment, long unit) {
    return CollectiveProgram.define(
            ProgramSpec.reduceScatter("sum", 2).bufferAlignment(alignment),
            p -> {
              Mesh mesh = p.memoryMesh();
              mesh.forEach(link -> link.signal(on(0).relaxed()));
              mesh.forEach(link -> link.await(on(0).relaxed().syncAfter()));
              p.loop(
                  unit,
                  1,
                  () ->
                      mesh.forEach(
                          link ->
                              link.reduce(
                                  p.rank(link.from()).input().chunk(link.from()),
                                  List.of(p.rank(link.to()).input().chunk(link.from())),
                                  p.rank(link.from()).output().chunk(0),
                                  on(0))));
              mesh.forEach(link -> link.signal(on(0).syncBefore()));
              mesh.forEach(link -> link.await(on(0)));
            })
        .plan();
  }
}
