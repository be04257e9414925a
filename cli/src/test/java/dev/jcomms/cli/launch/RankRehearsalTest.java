package dev.jcomms.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class RankRehearsalTest {
  @Test
  void theProgramThatIsRehearsedStillRuns(@TempDir Path folder) throws Exception {
    try (InputStream text = RankRehearsal.class.getResourceAsStream("Rehearsal.java.txt")) {
      Files.copy(text, folder.resolve("Rehearsal.java"));
    }
    try (Launcher job = Launcher.start(folder, "run", "-n", "2", "Rehearsal.java")) {
      assertThat(job.status()).as("%s", job.lines()).isZero();
      assertThat(job.lines()).contains("out [0] rank 0/2: 3.0", "out [1] rank 1/2: 3.0");
    }
  }
}
