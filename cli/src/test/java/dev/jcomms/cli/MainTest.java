package dev.jcomms.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class MainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void withoutACommandItShowsThemAll() {
    assertThat(run()).isZero();
    assertThat(out.toString()).contains("run", "exec", "dist", "help");
  }

  @Test
  void helpOfACommandShowsItsOptions() {
    assertThat(run("help", "run")).isZero();
    assertThat(out.toString()).contains("--nproc-per-node", "--max-restarts", "--open-store");
  }

  @Test
  void versionNamesTheProjectAndJava() {
    assertThat(run("--version")).isZero();
    assertThat(out.toString()).matches("(?s)jcomms \\d+\\.\\d+.* \\(Java 25.*");
  }

  @Test
  void everyCommandKnowsItsVersion() {
    List<List<String>> commands =
        List.of(List.of("bench"), List.of("run"), List.of("store", "get"), List.of("plan", "run"));
    for (List<String> command : commands) {
      out.getBuffer().setLength(0);
      String[] words = Stream.concat(command.stream(), Stream.of("-V")).toArray(String[]::new);
      assertThat(run(words)).isZero();
      assertThat(out.toString()).as("%s", command).startsWith("jcomms " + Version.number());
    }
  }

  @Test
  void ofAnOptionThatIsGivenTwiceTheLastOneHolds() {
    assertThat(run("run", "-n", "2", "-n", "0", "No.java")).isEqualTo(2);
    assertThat(err.toString()).contains("--nproc-per-node=0");
    CommandLine.ParseResult bench =
        Main.commandLine().parseArgs("bench", "--no-check", "--check", "--limit", "--no-limit");
    Predicate<String> value = name -> bench.subcommand().matchedOption(name).getValue();
    assertThat(value.test("--no-check")).isTrue();
    assertThat(value.test("--no-limit")).isFalse();
  }

  @Test
  void anUnknownCommandIsAUsageErrorWithANearMiss() {
    assertThat(run("rnu")).isEqualTo(2);
    assertThat(err.toString()).contains("no command 'rnu'; did you mean run?", "jcomms --help");
  }

  @Test
  void anUnknownOptionIsAUsageErrorWithANearMiss() {
    assertThat(run("run", "--nproc-pernode", "2", "X.java")).isEqualTo(2);
    assertThat(err.toString()).contains("did you mean --nproc-per-node?", "jcomms run --help");
  }

  @Test
  void nothingToRunSaysWhatCanBe() {
    assertThat(run("run")).isEqualTo(2);
    assertThat(err.toString()).contains(".java file", ".jar", "-m MODULE/CLASS", "after --");
  }

  @Test
  void aMissingFileIsNamed() {
    assertThat(run("run", "No.java")).isEqualTo(2);
    assertThat(err.toString()).contains("no file No.java");
  }

  @Test
  void somethingThatIsNoProgramSaysHowToRunIt() {
    assertThat(run("run", "python3")).isEqualTo(2);
    assertThat(err.toString()).contains("-- python3");
  }

  @Test
  void aFileThatCannotBeWrittenIsNamedAndNoDefect() {
    assertThat(run("run", "--log-dir", "/proc/none", "--", "true")).isEqualTo(1);
    assertThat(err.toString()).startsWith("jcomms: /proc/none: ").doesNotContain("defect");
  }

  @Test
  void wrongUsageSaysWhereHelpIs() {
    assertThat(run("run", "-n", "0", "No.java")).isEqualTo(2);
    assertThat(err.toString()).contains("--nproc-per-node=0", "See: jcomms run --help");
  }

  @Test
  void execOfACommandSaysWhatToDoInstead() {
    assertThat(run("exec", "--", "ls")).isEqualTo(2);
    assertThat(err.toString()).contains("'ls' needs no jcomms", "start it directly");
  }

  @Test
  void noLineOfHelpIsTooLongForATerminal() {
    CommandLine main = Main.commandLine();
    Stream.concat(Stream.of(main), main.getSubcommands().values().stream())
        .flatMap(line -> Stream.concat(Stream.of(line), line.getSubcommands().values().stream()))
        .flatMap(line -> Stream.of(line.getCommandSpec().usageMessage().footer()))
        .forEach(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(80));
  }

  private int run(String... args) {
    CommandLine line =
        Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return line.execute(Underscores.toDashes(line, args));
  }
}
