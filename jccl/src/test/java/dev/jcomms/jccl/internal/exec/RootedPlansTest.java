package dev.jcomms.jccl.internal.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.jccl.RootedPlans;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.tensor.DType;
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
  @ValueSource(strings = {"reduce", "gather", "scatter"})
  void ranksNeedNoBufferThatTheyAreNotAskedFor(String collective) {
    Plan plan = RootedPlans.bare(plan(collective, ROOT, ROOT));
    assertThat(plan.check().flaws()).isEmpty();
    assertThat(trial(plan).withThreads()).isEmpty();
    assertThat(ExecPlans.trial(plan, 96, DType.I32, PacketType.LL16, Map.of()).withThreads())
        .isEmpty();
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

  private static Plan plan(String collective, int said, int real) {
    return RootedPlans.plan(collective, RANKS, said, real, false);
  }
}
