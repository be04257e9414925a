package dev.jcomms.jccl.internal.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProcTest {
  private static final long PID = ProcessHandle.current().pid();

  @TempDir private Path process;

  @Test
  void aProcessIsKnownByItsPidAndWhenItStarted() {
    long ticks = Proc.startTicks(PID);
    assertThat(ticks).isPositive();
    assertThat(Proc.state(PID, ticks)).isEqualTo(Proc.State.ALIVE);
    assertThat(Proc.state(PID, ticks + 1)).isEqualTo(Proc.State.DEAD);
  }

  @Test
  void whatCannotBeReadOfAProcessThatIsThereDoesNotEndIt() throws IOException {
    // As without a descriptor: it is there, and reading fails.
    Files.createDirectory(process.resolve("stat"));
    assertThat(Proc.state(process, 7)).isEqualTo(Proc.State.ALIVE);
    assertThatThrownBy(() -> Proc.startTicks(process))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(process.toString());
  }

  @Test
  void aProcessWithoutAFolderIsDead() {
    Path none = process.resolve("none");
    assertThat(Proc.state(none, 7)).isEqualTo(Proc.State.DEAD);
    assertThat(Proc.startTicks(none)).isEqualTo(-1);
  }
}
