package dev.jcomms.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code jcomms dist} with a variable that only a process of its own can have. */
final class DistLaunchTest {
  @TempDir private Path folder;

  @Test
  void aTimeThatIsNoneIsWrongUsageBeforeAnythingIsLinked() throws Exception {
    // A JDK that nothing can be linked from: who begins with that says so.
    Files.writeString(folder.resolve("release"), "OS_NAME=\"Plan9\"\n");
    Map<String, String> time = Map.of("SOURCE_DATE_EPOCH", "abc");
    try (Launcher dist = Launcher.start(folder, time, "dist", "--jdk", folder.toString())) {
      assertThat(dist.status()).isEqualTo(2);
      assertThat(dist.lines()).anyMatch(line -> line.contains("SOURCE_DATE_EPOCH=abc is not"));
    }
  }
}
