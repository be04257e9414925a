package dev.jcomms.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Codecs;
import dev.jcomms.cli.Cli;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
final class BenchCommandTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                            | name an operation: all_reduce, broadcast,",
        "all_redcue                    | no operation named 'all_redcue'; there are all_reduce,",
        "all_reduce -b 1M -e 8         | -b 1048576 is above -e 8",
        "all_reduce -b none            | -b none is not a size",
        "all_reduce -n 0               | --nproc-per-node=0 is neither a positive number",
        "all_reduce -f 1               | -f 1 is below 2",
        "all_reduce -f 2 -i 8          | -f and -i exclude each other",
        "all_reduce --dtype f31        | --dtype: no dtype named 'f31'",
        "all_reduce --op mean          | --op: no reduce op named 'mean'; there are sum,",
        "all_reduce --op band          | --op=band cannot combine --dtype=f32",
        "broadcast --root 2            | --root=2 is not a rank of 2",
        "broadcast --root -1           | --root=-1 is negative",
        "all_reduce --transport ib     | --transport=ib: there are auto, shm, tcp, local",
        "all_reduce --hint few         | Value for option option '--hint",
        "all_reduce --hint transport=tcp       | --hint transport: use --transport",
        "all_reduce --hint algorithm=ring      | --hint algorithm: use --algorithm",
        "send_recv -n 1                | send_recv needs at least 2 ranks",
        "all_reduce --backend nope     | --backend: no backend named 'nope'; available: [fake,",
        "all_reduce --against mpich    | --against: no peer named 'mpich'; there are openmpi, gloo",
        "all_reduce --iters 0          | --iters=0 is not positive",
        "all_reduce -w -1              | --warmup=-1 is negative",
        "all_reduce --time 0           | --time=0.0 is not a number of seconds",
        "all_reduce --rounds 0         | --rounds=0 is not positive",
        "all_reduce --as-rank --rounds 2         | --as-rank is one round of ours",
        "all_reduce --as-rank -n 4    | --as-rank is a rank of another launcher's job: no --nproc-per",
        "all_reduce --as-rank --env A=B          | no --env",
        "all_reduce --as-rank --transport local  | --transport=local is one process",
        "all_reduce --json r --html ./r         | --json=r and --html=./r are the same file",
        "all_reduce --symetric         | did you mean --symmetric?",
      })
  void wrongUsageIsStatusTwoAndSaysWhatIsRight(String words, String message) {
    List<String> args = new ArrayList<>(List.of("bench"));
    args.addAll(Arrays.stream(words.split(" +")).filter(word -> !word.isEmpty()).toList());
    Cli.Result result = Cli.run(args.toArray(String[]::new));
    assertThat(result.err()).contains(message, "See: jcomms bench --help");
    assertThat(result.status()).isEqualTo(2);
  }

  @Test
  void aFileThatCannotBeWrittenIsSaidBeforeAnythingIsMeasured() {
    Cli.Result result = Cli.run("bench", "all_reduce", "--json", folder + "/none/x.json");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("/none/x.json: no such file or folder");
    assertThat(result.out()).isEmpty();
  }

  @Test
  void processesAreMeasuredAndChecked() throws Exception {
    Path json = folder.resolve("results.json");
    Path html = folder.resolve("page.html");
    Cli.Result result =
        Cli.run(
            ("bench all_reduce,broadcast --backend reference -n 2 -b 8 -e 1K -f 8 -w 1 --iters 3"
                    + " --json %s --html %s")
                .formatted(json, html)
                .split(" "));
    assertThat(result.status()).as(result.out() + result.err()).isZero();
    assertThat(result.out())
        .contains("# all_reduce: 2 ranks (processes), backend reference 1.0.0, transport store")
        .contains("# broadcast: 2 ranks (processes)")
        .contains("# limit: 2 processes with nothing but plain memory")
        .contains("# Out of bounds values : 0 OK")
        .containsPattern("\n +512 +128 +f32 +sum +-1 ")
        .containsPattern("\n +512 +128 +f32 +none +0 ");
    List<?> results = results(json);
    assertThat(results).hasSize(3 * 2 + 3);
    for (Object one : results) {
      Map<?, ?> entry = (Map<?, ?>) one;
      assertThat(entry.get("wrong")).isEqualTo(0L);
      assertThat(entry.get("iterations")).isEqualTo(3L);
      assertThat(entry.get("ranks")).isEqualTo(2L);
    }
    assertThat(Files.readString(html)).contains("<h2>all_reduce</h2>", "<h2>broadcast</h2>");
  }

  @Test
  void threadsOfOneJvmAreMeasuredInEveryOperation() throws Exception {
    Path json = folder.resolve("results.json");
    Cli.Result result =
        Cli.run(
            ("bench all --backend reference --transport local -n 3 -b 8 -e 96 -i 88 -w 1 --iters 2"
                    + " --dtype f64 --root 1 --json "
                    + json)
                .split(" "));
    assertThat(result.status()).as(result.out() + result.err()).isZero();
    assertThat(result.out())
        .contains("3 ranks (threads), backend reference 1.0.0, transport store");
    assertThat(results(json)).hasSize(6 + 4 * 2 * 2 + 4 * 2 - 6 + 1 + 4);
  }

  @Test
  void severalRoundsAreOneTable() throws Exception {
    Path json = folder.resolve("results.json");
    Cli.Result result =
        Cli.run(
            ("bench barrier --backend reference -n 2 -w 1 --iters 2 --rounds 2 --no-limit"
                    + " --no-check --json "
                    + json)
                .split(" "));
    assertThat(result.status()).as(result.out() + result.err()).isZero();
    assertThat(result.out())
        .contains("rounds    2", "# Out of bounds values : not checked", "N/A")
        .doesNotContain("# limit:");
    Map<?, ?> entry = (Map<?, ?>) results(json).getFirst();
    assertThat(entry.get("rounds")).isEqualTo(2L);
    assertThat(entry.get("wrong")).isNull();
  }

  @Test
  void aBackendThatMovesNothingFails() {
    Cli.Result result =
        Cli.run(
            "bench all_reduce --backend fake -n 2 -b 8 -e 8 -w 1 --iters 2 --no-limit".split(" "));
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out()).containsPattern("# Out of bounds values : [1-9][0-9]* FAILED");
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "local"})
  void hintsReachTheBackend(String transport) throws Exception {
    String words =
        "bench all_reduce --backend jccl -n 2 -b 8 -e 8 -w 1 --iters 2 --no-limit --transport "
            + transport
            + " --hint host.threads=";
    assertThat(Cli.run((words + "many").split(" ")).status()).as("it refuses").isEqualTo(1);
    Path json = folder.resolve("results.json");
    Cli.Result right = Cli.run((words + "2 --json " + json).split(" "));
    assertThat(right.status()).as(right.out() + right.err()).isZero();
    assertThat(right.out()).contains(", hint host.threads=2\n");
    assertThat(((Map<?, ?>) results(json).getFirst()).get("hints"))
        .isEqualTo(Map.of("host.threads", "2"));
  }

  private static List<?> results(Path json) throws Exception {
    Map<?, ?> document = (Map<?, ?>) Codecs.JSON.decode(Files.readAllBytes(json));
    return (List<?>) document.get("results");
  }
}
