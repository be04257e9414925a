package dev.jcomms.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Codecs;
import dev.jcomms.cli.Cli;
import dev.jcomms.testkit.Tier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CheckCommandTest {
  @Test
  void aRightBackendPasses(@TempDir Path folder) throws Exception {
    Path json = folder.resolve("results.json");
    Cli.Result result =
        Cli.run(
            "check",
            "--backend",
            "reference",
            "-n",
            "1,2",
            "--filter",
            "broadcast/*",
            "--json",
            json.toString());
    assertThat(result.status()).as(result.out()).isZero();
    assertThat(result.out())
        .contains("backend reference 1.0.0, ranks are threads, n=1,2, tier quick")
        .containsPattern("broadcast +\\d+ passed")
        .doesNotContain("failed");
    Map<?, ?> document = (Map<?, ?>) Codecs.JSON.decode(Files.readAllBytes(json));
    assertThat(document.get("failed")).isEqualTo(0L);
    assertThat((List<?>) document.get("results")).hasSizeGreaterThan(10);
  }

  @Test
  void aBackendThatMovesNothingFailsAndIsToldWhere() {
    Cli.Result result =
        Cli.run("check", "--backend", "fake", "-n", "2", "--filter", "all_gather/moves f32");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out()).contains("failed  all_gather/moves f32 [n=2]: rank ", "it should be");
  }

  @Test
  void wrongUsageIsStatusTwo() {
    assertThat(Cli.run("check").status()).isEqualTo(2);
    Cli.Result unknown = Cli.run("check", "--backend", "nope");
    assertThat(unknown.status()).isEqualTo(2);
    assertThat(unknown.err())
        .contains("no backend named 'nope'; available: [fake, jccl, reference]");
    assertThat(Cli.run("check", "--backend", "fake", "--tier", "slow").status()).isEqualTo(2);
    assertThat(Cli.run("check", "--backend", "fake", "-n", "0").status()).isEqualTo(2);
  }

  @Test
  void whatTheBackendRefusesIsWrongUsage() {
    assertRefused("transport=foo", "-b", "jccl", "--hint", "transport=foo");
    assertRefused("transport=foo", "-b", "jccl", "--hint", "transport=foo", "--processes");
    assertRefused("no backend named 'nosuch'", "-b", "cpu:nosuch");
    assertRefused("no backend named 'nosuch'", "-b", "cpu:nosuch", "--processes");
  }

  private static void assertRefused(String message, String... options) {
    List<String> words = new ArrayList<>(List.of("check", "-n", "2", "--filter", "barrier"));
    words.addAll(List.of(options));
    Cli.Result result = Cli.run(words.toArray(String[]::new));
    assertThat(result.status()).as(result.err()).isEqualTo(2);
    assertThat(result.err()).startsWith("jcomms: --backend=").contains(message);
    assertThat(result.out()).isEmpty();
  }

  @Test
  void aFileThatCannotBeWrittenIsSaidBeforeAnythingIsChecked(@TempDir Path folder) {
    for (String what : List.of("--backend=reference", "--device=cpu")) {
      String file = folder + "/none/x.json";
      Cli.Result result = Cli.run("check", what, "--filter", "none such", "--json", file);
      assertThat(result.status()).isEqualTo(1);
      assertThat(result.err()).contains("/none/x.json: no such file or folder");
      assertThat(result.out()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--backend=reference -n 1 --filter barrier/*",
        "--backend=reference -n 1 --filter barrier/* --processes",
        "--device=cpu --filter abs"
      })
  void resultsReplaceThoseBeforeAsAWhole(String words, @TempDir Path folder) throws Exception {
    Path json = Files.writeString(folder.resolve("results.json"), "{}");
    Object before = Files.getAttribute(json, "unix:ino");
    Cli.Result result = Cli.run(("check " + words + " --json " + json).split(" "));
    assertThat(result.status()).as(result.out() + result.err()).isZero();
    assertThat(json).content().contains("\"failed\":0");
    assertThat(Files.getAttribute(json, "unix:ino")).isNotEqualTo(before);
  }

  @Test
  void aFilterThatMatchesNothingIsNoSuccess() {
    Cli.Result result = Cli.run("check", "--backend", "fake", "--filter", "all_redcue");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out()).contains("no scenario has 'all_redcue' in its name");
  }

  @Test
  void aPlanSurvivesTheWayToAnotherProcess() {
    Plan plan =
        new Plan("cpu:reference", List.of(2, 3), Tier.FULL, "", true, Map.of("transport", "tcp"));
    assertThat(Plan.of(plan.words())).isEqualTo(plan);
  }
}
