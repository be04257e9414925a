package dev.jcomms.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Codecs;
import dev.jcomms.cli.Cli;
import dev.jcomms.jccl.plan.Plan;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PlanCommandTest {
  @TempDir private Path folder;
  private String exchange;
  private Path file;

  @BeforeEach
  void writePlan() throws IOException {
    try (InputStream in = PlanCommandTest.class.getResourceAsStream("exchange.json")) {
      exchange = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    file = write("exchange.json", exchange);
  }

  @Test
  void aSoundPlanIsProved() {
    Cli.Result result = Cli.run("plan", "check", file.toString());
    assertThat(result.status()).as(result.out() + result.err()).isZero();
    assertThat(result.out())
        .isEqualTo(
            "proved: every rank ends with the inputs of all ranks, in order"
                + " (allgather of 2 ranks; 3 launches; chunks of 16 bytes)\n");
  }

  @Test
  void aPlanWithoutASignalIsNot() throws IOException {
    String without = exchange.replaceFirst("\\{\\s*\"name\": \"signal\"[^}]*\\},", "");
    assertThat(without).isNotEqualTo(exchange);
    Cli.Result result = Cli.run("plan", "check", write("mutant.json", without).toString());
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out()).contains("invalid: rank 0: ", "not proved: that every rank ends with");
  }

  @Test
  void aWrongSourceIsNamedWithItsPlace() throws IOException {
    String wrong =
        exchange.replaceAll("(\"put\",\\s*\"src_buff\": \\[\\s*\\{\\s*\"type\": )\"i\"", "$1\"o\"");
    assertThat(wrong).isNotEqualTo(exchange);
    Cli.Result result = Cli.run("plan", "check", write("mutant.json", wrong).toString());
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out()).contains("rank 1 block 0 op 5");
  }

  @Test
  void theVerdictIsAlsoJson() {
    Cli.Result result = Cli.run("plan", "check", "--json", file.toString());
    Map<?, ?> document =
        (Map<?, ?>) Codecs.JSON.decode(result.out().getBytes(StandardCharsets.UTF_8));
    assertThat(document.get("proved")).isEqualTo(true);
    assertThat(document.get("collective")).isEqualTo("allgather");
    assertThat(document.get("flaws")).asInstanceOf(InstanceOfAssertFactories.LIST).isEmpty();
  }

  @Test
  void aMissingNopIsAnError() throws IOException {
    String without = exchange.replaceFirst("\\{\\s*\"name\": \"nop\"\\s*\\},", "");
    String mutant = write("mutant.json", without).toString();
    Cli.Result result = Cli.run("plan", "check", mutant);
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out()).contains("missing nop: rank 0 block 0 op 1");
  }

  @Test
  void aProgramIsCompiledToAPlanThatIsProved() throws IOException {
    Path example = Path.of("..", "examples", "06-dsl", "PacketAllReduce.java");
    Path plan = folder.resolve("plan.json");
    Cli.Result compiled =
        Cli.run("plan", "compile", example.toString(), "ranks=3", "-o", plan.toString());
    assertThat(compiled.status()).as(compiled.out() + compiled.err()).isZero();
    assertThat(Plan.read(plan).ranks()).hasSize(3);
    assertThat(Cli.run("plan", "check", plan.toString()).status()).isZero();
  }

  @Test
  void aPlanIsRunAndItsResultChecked() {
    Cli.Result result = Cli.run("plan", "run", file.toString(), "--bytes", "64K");
    assertThat(result.status()).as(result.out() + result.err()).isZero();
    assertThat(result.out()).endsWith(": exact\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--bytes=17179869184G | --bytes 17179869184G is more than any machine has",
        "--bytes=64X          | --bytes 64X is not a size",
        "--packet=foo         | --packet=foo: there are ll16, ll8",
        "--dtype=f31          | --dtype: no dtype named 'f31'",
        "--launches=0         | --launches=0 is not positive",
        "--timeout=0          | --timeout=0 is not positive",
      })
  void whatCannotBeRunIsWrongUsage(String option, String message) {
    Cli.Result result = Cli.run("plan", "run", file.toString(), option);
    assertThat(result.err()).contains(message, "See: jcomms plan run --help");
    assertThat(result.status()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--launches=3", "--processes"})
  void aTimeoutBeyondAllClocksIsNone(String more) {
    Cli.Result result =
        Cli.run("plan", "run", file.toString(), "--timeout=99999999999999999", more);
    assertThat(result.status()).as(result.out() + result.err()).isZero();
  }

  @Test
  void whatIsNotThereIsNotRun() {
    Cli.Result result =
        Cli.run("plan", "run", folder.resolve("none.json").toString(), "--bytes", "1K");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains("none.json: no such file");
  }

  @Test
  void aProgramThatDoesNotCompileIsShownWithItsLine() throws IOException {
    Path source = write("Broken.java", "class Broken {\n  int x = ;\n}\n");
    Cli.Result result = Cli.run("plan", "compile", source.toString());
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains("Broken.java:2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "{\"name\": 3}", "not json"})
  void whatIsNoPlanIsUnreadable(String text) throws IOException {
    Path bad = write("bad.json", text);
    for (String command : new String[] {"check", "show", "convert"}) {
      Cli.Result result = Cli.run("plan", command, bad.toString());
      assertThat(result.status()).as(command).isEqualTo(2);
      assertThat(result.err()).startsWith("jcomms: " + bad + ": ");
    }
  }

  @Test
  void aFileThatIsNotThereIsUnreadable() {
    Cli.Result result = Cli.run("plan", "check", folder + "/none.json");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains("none.json: no such file");
  }

  @Test
  void aFolderIsUnreadable() {
    assertThat(Cli.run("plan", "check", folder.toString()).status()).isEqualTo(2);
  }

  @Test
  void aConvertedPlanIsTheSamePlan() throws IOException {
    Path copy = folder.resolve("copy.json");
    assertThat(Cli.run("plan", "convert", file.toString(), "-o", copy.toString()).status())
        .isZero();
    assertThat(Plan.read(copy)).isEqualTo(Plan.read(file));
    assertThat(Cli.run("plan", "convert", file.toString()).out()).isEqualTo(Files.readString(copy));
  }

  @Test
  void theSummarySaysWhatBlocksDo() {
    Cli.Result result = Cli.run("plan", "show", file.toString());
    assertThat(result.status()).isZero();
    assertThat(result.out())
        .contains(
            "exchange: allgather",
            "ranks     2, 2 blocks in all",
            "chunks    input 1, output 2, scratch 0",
            "rank 0 block 0; rank 1 block 0:",
            "copy nop rlxsignal rlxwait nop put nop signal wait");
  }

  @Test
  void theDrawingIsAnImageOfEveryOp() throws IOException {
    Path svg = folder.resolve("plan.svg");
    assertThat(Cli.run("plan", "show", file.toString(), "--svg", svg.toString()).status()).isZero();
    assertWellFormed(Files.readString(svg));
    assertThat(Files.readString(svg))
        .contains("rank 0 block 0 op 5: put input[0] -&gt; rank 1 output[0]")
        .contains("class=\"link signal\"");
  }

  @Test
  void thePageNeedsNothingElse() throws IOException {
    Path html = folder.resolve("plan.html");
    Path named = write("named.json", exchange.replace("\"exchange\"", "\"<script>\\u001b[2J\""));
    Cli.Result result = Cli.run("plan", "show", named.toString(), "--html", html.toString());
    assertThat(result.status()).isZero();
    assertThat(result.out()).doesNotContain("\u001b");
    assertThat(Files.readString(html))
        .contains("<svg", "&lt;script&gt;")
        .doesNotContain("<script", "src=", "href=", "\u001b");
  }

  @Test
  void aPlanThatWaitsForEverIsDrawnAsFarAsItComes() throws IOException {
    Path svg = folder.resolve("plan.svg");
    // Rank 0 signals last: both wait before they signal.
    String stuck =
        exchange
            .replaceAll("\"rlxsignal\"", "\"swap\"")
            .replace("\"rlxwait\"", "\"rlxsignal\"")
            .replace("\"swap\"", "\"rlxwait\"");
    String mutant = write("mutant.json", stuck).toString();
    assertThat(Cli.run("plan", "show", mutant, "--svg", svg.toString()).status()).isZero();
    assertThat(Files.readString(svg)).contains("rank 0 block 0 op 2 waits for ever");
  }

  @Test
  void aCommandIsNeeded() {
    Cli.Result result = Cli.run("plan");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains("jcomms plan needs one of show, check, convert");
    assertThat(Cli.run("plan", "check").status()).isEqualTo(2);
    assertThat(Cli.run("plan", "check", "--help").out()).contains("Exit status: 0 proved");
  }

  /** Every tag is closed, by the right one. */
  private static void assertWellFormed(String xml) {
    Deque<String> open = new ArrayDeque<>();
    for (MatchResult tag :
        Pattern.compile("<(/?)([a-z]+)[^>]*?(/?)>").matcher(xml).results().toList()) {
      if (!tag.group(1).isEmpty()) {
        assertThat(open.pop()).isEqualTo(tag.group(2));
      } else if (tag.group(3).isEmpty()) {
        open.push(tag.group(2));
      }
    }
    assertThat(open).isEmpty();
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }
}
