package dev.jcomms.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.jccl.TuningTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands where the language has digits of its own: what programs read has 0 to 9. */
final class PlainNumbersTest {
  private static final Map<String, String> PERSIAN =
      Map.of("JAVA_TOOL_OPTIONS", "-Duser.language=fa -Duser.country=IR");

  @TempDir private Path folder;

  @Test
  void tablesAndPagesOfTuneHavePlainNumbers() throws Exception {
    Path table = folder.resolve("tuning.json");
    Path page = folder.resolve("tuning.html");
    run("tune -n 2 -b 64 -e 64 --time 0.001 --rounds 1 -o " + table + " --html " + page);
    assertThat(TuningTable.read(table).profiles()).hasSize(1);
    assertPlain(List.of(Files.readString(page)));
  }

  @Test
  void tablesAndPagesOfBenchHavePlainNumbers() throws Exception {
    Path page = folder.resolve("bench.html");
    String words = "bench all_reduce --backend reference -b 8 -e 8 -w 1 --iters 2 --html " + page;
    assertThat(run(words + " -n 2")).contains("out # Out of bounds values : 0 OK");
    assertPlain(List.of(Files.readString(page)));
  }

  private List<String> run(String words) throws Exception {
    try (Launcher command = Launcher.start(folder, PERSIAN, words.split(" "))) {
      assertThat(command.status()).as("%s", command.lines()).isZero();
      assertPlain(command.lines());
      return command.lines();
    }
  }

  private static void assertPlain(List<String> text) {
    assertThat(text).noneMatch(line -> line.codePoints().anyMatch(PlainNumbersTest::isForeign));
  }

  private static boolean isForeign(int character) {
    return Character.isDigit(character) && (character < '0' || character > '9');
  }
}
