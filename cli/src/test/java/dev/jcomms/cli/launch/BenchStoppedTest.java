package dev.jcomms.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code jcomms bench} that is told to stop before its end. */
final class BenchStoppedTest {
  private static final int TERM = 15;

  @TempDir private Path folder;

  @Test
  void resultsOfFinishedOperationsAreKept() throws Exception {
    Path json = folder.resolve("results.json");
    Path html = folder.resolve("page.html");
    // The barrier has no sizes; the all_reduce takes seconds.
    String words =
        "bench barrier,all_reduce --backend reference -n 2 -b 16M -e 16M -w 0 --iters 300 --no-limit";
    try (Launcher bench =
        Launcher.start(folder, (words + " --json " + json + " --html " + html).split(" "))) {
      bench.await("^out # all_reduce: ", 1);
      bench.signal(TERM);
      assertThat(bench.status()).as("%s", bench.lines()).isEqualTo(128 + TERM);
    }
    assertThat(json).content().contains("\"op\":\"barrier\"").doesNotContain("all_reduce");
    assertThat(html).content().contains("<h2>barrier</h2>");
  }
}
