package dev.jcomms.jccl.internal.exec;

import static dev.jcomms.jccl.dsl.On.on;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.jccl.dsl.Buffer;
import dev.jcomms.jccl.dsl.Chunk;
import dev.jcomms.jccl.dsl.CollectiveProgram;
import dev.jcomms.jccl.dsl.Mesh;
import dev.jcomms.jccl.dsl.ProgramSpec;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.tensor.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans of collectives with a root: the format has no word for it, our plans have. */
final class RootedPlansTest {
  private static final int RANKS = 3;
  private static final int ROOT = 1;

  @ParameterizedTest
  @ValueSource(strings = {"broadcast", "reduce", "gather", "scatter"})
  void theyAreProvedAndRunExactlyAlsoWhenReadAgain(String collective) {
    Plan plan = Plan.read(plan(collective, ROOT, ROOT).toJson());
    assertThat(plan.root()).hasValue(ROOT);
    assertThat(plan.validate()).isEmpty();
    assertThat(plan.check().flaws()).isEmpty();
    assertThat(trial(plan).isComparable()).isTrue();
    assertThat(trial(plan).withThreads()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"broadcast", "reduce", "gather", "scatter"})
  void anotherRootThanIsSaidIsFoundByProofAndByTrial(String collective) {
    Plan plan = plan(collective, ROOT, 2);
    assertThat(plan.check().flaws()).isNotEmpty();
    assertThat(trial(plan).withThreads())
        .hasValueSatisfying(text -> assertThat(text).contains("instead of"));
  }

  @Test
  void aRootThatIsNoRankIsNone() {
    String json = plan("broadcast", ROOT, ROOT).toJson();
    assertThat(Plan.read(json.replace("\"root\": 1", "\"root\": 7")).root()).isEmpty();
    assertThat(Plan.read(json.replace("\"root\": 1", "\"root\": \"1\"")).root()).isEmpty();
  }

  private static Trial trial(Plan plan) {
    return ExecPlans.trial(plan, 3 << 10, DType.I32, PacketType.LL16, Map.of());
  }

  /** Straight to or from a root, which may be another than the one it says. */
  private static Plan plan(String collective, int said, int real) {
    ProgramSpec spec =
        switch (collective) {
          case "broadcast" -> ProgramSpec.broadcast("p", RANKS, said);
          case "reduce" -> ProgramSpec.reduce("p", RANKS, said);
          case "gather" -> ProgramSpec.gather("p", RANKS, said);
          case "scatter" -> ProgramSpec.scatter("p", RANKS, said);
          default -> throw new AssertionError(collective);
        };
    boolean toAll = collective.equals("broadcast") || collective.equals("scatter");
    boolean reduces = collective.equals("reduce");
    return CollectiveProgram.define(
            spec,
            p -> {
              Mesh mesh = p.memoryMesh();
              List<Buffer> arrivals = new ArrayList<>();
              p.ranks().forEach(r -> arrivals.add(p.rank(r).scratch(reduces ? RANKS : 0)));
              mesh.forEach(link -> link.signal(on(0).relaxed()));
              mesh.forEach(link -> link.await(on(0).relaxed().syncAfter()));
              for (int r : p.ranks()) {
                int from = toAll ? real : r;
                int to = toAll ? r : real;
                Chunk given = p.rank(from).input().chunk(collective.equals("scatter") ? r : 0);
                Chunk taken =
                    reduces
                        ? arrivals.get(to).chunk(r)
                        : p.rank(to).output().chunk(collective.equals("gather") ? r : 0);
                if (r == real) {
                  p.rank(r).copy(given, taken, on(0));
                } else {
                  mesh.link(from, to).put(given, taken, on(0));
                }
              }
              mesh.forEach(link -> link.signal(on(0).syncBefore()));
              mesh.forEach(link -> link.await(on(0).syncAfter()));
              if (reduces) {
                Buffer all = arrivals.get(real);
                p.rank(real)
                    .reduce(
                        all.chunk(0),
                        List.of(all.chunk(1), all.chunk(2)),
                        p.rank(real).output().chunk(0),
                        on(0));
              }
            })
        .plan();
  }
}
