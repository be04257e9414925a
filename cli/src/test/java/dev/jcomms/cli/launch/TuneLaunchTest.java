package dev.jcomms.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.jccl.Selector;
import dev.jcomms.jccl.TuningTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code jcomms tune} with ranks that are processes, and with threads; then what uses its table.
 */
final class TuneLaunchTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "auto,SHM,false",
    "auto,SHM,true",
    "tcp,TCP,false",
    "local,LOCAL,false",
    "local,LOCAL,true"
  })
  void aTableIsMadeAndUsed(String transport, Selector.Transport found, boolean symmetric)
      throws Exception {
    Path file = folder.resolve("tuning.json");
    tune(transport, symmetric, file);
    TuningTable table = TuningTable.read(file);
    assertThat(table.profiles()).hasSize(1);
    TuningTable.Profile profile = table.profiles().getFirst();
    assertThat(profile.hardware().transport()).isEqualTo(found);
    assertThat(profile.hardware().scale()).isEqualTo(2);
    assertThat(profile.collectives().keySet()).containsExactly("all_gather", "all_reduce");
    assertThat(profile.collectives().get("all_reduce"))
        .extracting(TuningTable.Entry::symmetric)
        .containsExactly(symmetric, symmetric);
    assertThat(folder.resolve("tuning.html")).content().contains("<h2>all_gather</h2>");
    try (Launcher bench =
        Launcher.start(
            folder,
            Map.of("JCOMMS_TUNING", file.toString()),
            "bench",
            "all_reduce",
            "-n",
            "2",
            "--transport",
            transport,
            "-b",
            "64",
            "-e",
            "128",
            "-w",
            "1",
            "--iters",
            "2",
            "--no-limit",
            symmetric ? "--symmetric" : "--check")) {
      assertThat(bench.status()).as("%s", bench.lines()).isZero();
      assertThat(bench.lines()).noneMatch(line -> line.contains("WARNING: "));
    }
  }

  private void tune(String transport, boolean symmetric, Path file) throws Exception {
    try (Launcher command =
        Launcher.start(
            folder,
            Map.of("JCOMMS_TUNING", foreign().toString()),
            "tune",
            "-n",
            "2",
            "--collectives",
            "all_reduce,all_gather",
            "--transport",
            transport,
            "-b",
            "64",
            "-e",
            "128",
            "--time",
            "0.001",
            "--rounds",
            "1",
            "-o",
            file.toString(),
            "--html",
            folder.resolve("tuning.html").toString(),
            symmetric ? "--symmetric" : "-J-Dordinary=1")) {
      assertThat(command.status()).as("%s", command.lines()).isZero();
      assertThat(command.lines())
          .noneMatch(line -> line.contains("the table is foreign"))
          .anyMatch(line -> line.contains("# written to " + file))
          .anyMatch(line -> line.matches("out +all_reduce +64 B .*"));
    }
  }

  private Path foreign() throws IOException {
    return Files.writeString(
        folder.resolve("foreign.json"),
        """
        {"version":1,"profiles":[{"sku":"Z80","cores":1,"jccl":"0.1.0","scale":2,
         "ranks_per_host":2,"transport":"shm","collectives":{}}]}
        """);
  }

  @Test
  void aForeignTableOfTheEnvironmentIsLeftAsideWithAWarning() throws Exception {
    Path file = foreign();
    try (Launcher bench =
        Launcher.start(
            folder,
            Map.of("JCOMMS_TUNING", file.toString()),
            "bench",
            "all_reduce",
            "-n",
            "2",
            "-b",
            "8",
            "-e",
            "8",
            "-w",
            "1",
            "--iters",
            "2",
            "--no-limit")) {
      assertThat(bench.status()).as("%s", bench.lines()).isZero();
      assertThat(bench.lines())
          .anyMatch(line -> line.contains("the table is foreign: it was made on 'Z80'"));
    }
  }
}
