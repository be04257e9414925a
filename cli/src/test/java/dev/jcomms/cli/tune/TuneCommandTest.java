package dev.jcomms.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.cli.Cli;
import dev.jcomms.jccl.Selector;
import dev.jcomms.jccl.Selector.Choice;
import dev.jcomms.jccl.Tuner;
import dev.jcomms.jccl.TuningTable;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code jcomms tune} refuses, says to its ranks and shows. */
final class TuneCommandTest {
  private static final TuningTable.Hardware HERE =
      new TuningTable.Hardware("<Z80>", 2, "0.1.0", 2, 2, Selector.Transport.SHM);

  @TempDir private Path folder;

  @Test
  void wrongUsageIsToldBeforeAnythingStarts() {
    assertThat(refused("--collectives", "all_reduse"))
        .contains("no collective named 'all_reduse'; there are all_reduce, ");
    assertThat(refused("--transport", "pigeon")).contains("there are auto, shm, tcp, local");
    assertThat(refused("-b", "2M", "-e", "1M")).contains("there is no size");
    assertThat(refused("--op", "avg")).contains("--op=avg of --dtype=f32 is not tuned");
    assertThat(refused("--rounds", "0")).contains("--rounds=0 is not positive");
    assertThat(refused("--time", "61")).contains("--time=61.0 is not a number of seconds up to 60");
    assertThat(refused("-f", "1")).contains("-f 1 is below 2");
    assertThat(refused("--dtype", "f31")).contains("--dtype: no dtype named 'f31'");
  }

  @Test
  void optionsThatBenchHasTooKeepDefaultsOfTheirOwn() {
    assertThat(Cli.run("tune", "--help").out())
        .containsPattern("Smallest size, such as 8, 4K, 1M \\(default:\\s+1K\\)")
        .containsPattern("Largest size \\(default: 128M\\)")
        .contains("--symmetric");
    assertThat(Cli.run("bench", "--help").out())
        .containsPattern("Smallest size, such as 8, 4K, 1M \\(default:\\s+8\\)")
        .containsPattern("Largest size \\(default: 64M\\)");
  }

  @Test
  void aFileThatIsNoTableIsNotOverwritten() throws Exception {
    Path file = Files.writeString(folder.resolve("precious.txt"), "a poem");
    assertThat(refused("-o", file.toString())).contains("it is not overwritten");
    assertThat(file).content().isEqualTo("a poem");
  }

  @Test
  void nothingIsLeftWhereNothingWasMeasured() {
    Path file = folder.resolve("tuning.json");
    Path page = folder.resolve("tuning.html");
    Cli.Result result =
        Cli.run("tune", "-J-XX:+NoSuchFlag", "-o", file.toString(), "--html", page.toString());
    assertThat(result.status()).isEqualTo(1);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void theTableAndThePageAreTwoFiles() {
    String file = folder.resolve("tuning").toString();
    assertThat(refused("-o", file, "--html", file)).contains("are the same file");
  }

  @Test
  void aSourceThatDoesNotCompileIsShownWithItsLine() throws Exception {
    Path source =
        Files.writeString(folder.resolve("Bad.java"), "class Bad {\n  int x = \"\";\n}\n");
    assertThat(refused("--native", source.toString()))
        .contains("--native=" + source)
        .contains("Bad.java:2: incompatible types");
  }

  @Test
  void aFileThatIsNoPlanIsNamedWithItsOption() throws Exception {
    Path plan = Files.writeString(folder.resolve("bad.json"), "{\"name\": \"x\"}");
    assertThat(refused("--plan", plan.toString())).contains("--plan=" + plan + ": ");
  }

  private static String refused(String... words) {
    String[] all = new String[words.length + 1];
    all[0] = "tune";
    System.arraycopy(words, 0, all, 1, words.length);
    Cli.Result result = Cli.run(all);
    assertThat(result.status()).as(result.err()).isEqualTo(2);
    return result.err();
  }

  @Test
  void plansAndMessagesSurviveTheWayToOtherProcesses() {
    TunePlan plan =
        new TunePlan(
            List.of("all_reduce"),
            List.of(8L, 1L << 40),
            "f32",
            "sum",
            "auto",
            true,
            0,
            1_000_000,
            3,
            List.of("a.json"),
            List.of());
    assertThat(TunePlan.of(plan.text())).isEqualTo(plan);
    TuneMessage size = new TuneMessage.Size(progress());
    TuneMessage done =
        new TuneMessage.Done(
            new TuningTable(
                List.of(
                    new TuningTable.Profile(
                        HERE, Map.of("all_reduce", List.of(progress().entry()))))));
    assertThat(TuneMessage.parse(size.line())).contains(size);
    assertThat(TuneMessage.parse(done.line())).contains(done);
    assertThat(TuneMessage.parse("hello")).isEmpty();
  }

  private static Tuner.Progress progress() {
    return new Tuner.Progress(
        1,
        2,
        "all_reduce",
        new TuningTable.Entry(1024, true, Choice.of("flat"), 2, 5),
        List.of(Choice.of("direct"), Choice.of("staged")),
        Map.of("auto", 5.0, "flat", 2.0),
        Map.of("mine", "wrong results: 3 elements on a rank", "ring", "no <such> thing"));
  }

  @Test
  void theReportAndThePageShowWhoWon() {
    StringWriter text = new StringWriter();
    try (PrintWriter out = new PrintWriter(text)) {
      TuneReport.print(out, HERE, List.of(progress()));
    }
    assertThat(text.toString())
        .contains("2 ranks, 2 a host, shm, symmetric tensors")
        .containsPattern("all_reduce +1 KiB +flat +2.00 +direct or staged +5.00 +2.50")
        .contains("# WRONG: all_reduce mine: wrong results: 3 elements");
    assertThat(HeatMap.page(HERE, List.of(progress())))
        .contains("&lt;Z80&gt;", "<td class=\"taken\"", "title=\"direct or staged\"")
        .doesNotContain("http", "<script");
  }
}
