package dev.jcomms.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class SweepOptionsTest {
  @Test
  void measuredRanksHaveASerialCollectorAndASmallYoungGeneration() {
    assertThat(flags()).containsExactly("-XX:+UseSerialGC", "-Xmn32m");
    assertThat(flags("-J-Dfoo=bar")).containsExactly("-XX:+UseSerialGC", "-Xmn32m", "-Dfoo=bar");
  }

  @Test
  void theUserChoosesTheCollector() {
    assertThat(flags("-J-XX:+UseG1GC")).containsExactly("-Xmn32m", "-XX:+UseG1GC");
  }

  @Test
  void theUserChoosesTheHeap() {
    assertThat(flags("-J-Xmx64m")).containsExactly("-XX:+UseSerialGC", "-Xmx64m");
    assertThat(flags("-J-XX:MaxNewSize=4m"))
        .containsExactly("-XX:+UseSerialGC", "-XX:MaxNewSize=4m");
    assertThat(flags("-J-XX:MaxRAMPercentage=10"))
        .containsExactly("-XX:+UseSerialGC", "-XX:MaxRAMPercentage=10");
  }

  private static List<String> flags(String... words) {
    SweepOptions options = new SweepOptions("8", "1M");
    new CommandLine(options).parseArgs(words);
    return options.jvmFlags();
  }
}
