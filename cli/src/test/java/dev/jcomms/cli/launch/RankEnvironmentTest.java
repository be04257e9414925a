package dev.jcomms.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RankEnvironmentTest {
  private static final RankEnvironment.Common COMMON =
      new RankEnvironment.Common("mark", "id", "default", "10.0.0.1", 29500, 3, "s".repeat(32));
  private static final Placement THIRD = new Placement(3, 6, 1, 3, 1, 2);

  @Test
  void torchrunsVariablesHaveTorchrunsValues() {
    assertThat(environment(Map.of(), Map.of()))
        .containsEntry("RANK", "3")
        .containsEntry("WORLD_SIZE", "6")
        .containsEntry("LOCAL_RANK", "1")
        .containsEntry("LOCAL_WORLD_SIZE", "3")
        .containsEntry("GROUP_RANK", "1")
        .containsEntry("GROUP_WORLD_SIZE", "2")
        .containsEntry("ROLE_RANK", "3")
        .containsEntry("ROLE_WORLD_SIZE", "6")
        .containsEntry("ROLE_NAME", "default")
        .containsEntry("MASTER_ADDR", "10.0.0.1")
        .containsEntry("MASTER_PORT", "29500")
        .containsEntry("TORCHELASTIC_RESTART_COUNT", "2")
        .containsEntry("TORCHELASTIC_MAX_RESTARTS", "3")
        .containsEntry("TORCHELASTIC_RUN_ID", "id")
        .containsEntry("TORCHELASTIC_USE_AGENT_STORE", "True")
        .containsEntry("TORCHELASTIC_ERROR_FILE", "/logs/error.json");
  }

  @Test
  void ranksKnowTheSecretAndCarryTheMark() {
    assertThat(environment(Map.of(), Map.of()))
        .containsEntry("JCOMMS_SECRET", "s".repeat(32))
        .containsEntry("JCOMMS_JOB", "mark");
  }

  @Test
  void oneThreadARankUnlessTheUserSaysOtherwise() {
    assertThat(environment(Map.of(), Map.of())).containsEntry("OMP_NUM_THREADS", "1");
    assertThat(environment(Map.of("OMP_NUM_THREADS", "8"), Map.of()))
        .doesNotContainKey("OMP_NUM_THREADS");
    assertThat(
            RankEnvironment.of(
                new Placement(0, 1, 0, 1, 0, 1), COMMON, 0, Path.of("e"), Map.of(), Map.of()))
        .doesNotContainKey("OMP_NUM_THREADS");
  }

  @Test
  void theUsersWordIsLast() {
    assertThat(environment(Map.of(), Map.of("RANK", "9", "MINE", "x")))
        .containsEntry("RANK", "9")
        .containsEntry("MINE", "x");
  }

  private static Map<String, String> environment(
      Map<String, String> inherited, Map<String, String> extra) {
    return RankEnvironment.of(THIRD, COMMON, 2, Path.of("/logs/error.json"), inherited, extra);
  }
}
