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

  private void stat(char state, long flags, long pending) throws IOException {
    String fields = state + " 1 1 1 0 -1 " + flags + " 0".repeat(12) + " 7" + " 0".repeat(8);
    Files.writeString(process.resolve("stat"), "42 (a (b) c) " + fields + " " + pending + " 0\n");
  }

  @Test
  void whoWasKilledIsDoomedBeforeItIsDead() throws IOException {
    stat('S', 0x400000, 0);
    assertThat(Proc.isDoomed(process, 7)).isFalse();
    assertThat(Proc.isDoomed(process, 8)).as("another of its pid").isTrue();
    stat('R', 0x400000, 1 << 8);
    assertThat(Proc.isDoomed(process, 7)).as("is to be killed").isTrue();
    assertThat(Proc.state(process, 7)).isEqualTo(Proc.State.ALIVE);
    stat('R', 0x400004, 0);
    assertThat(Proc.isDoomed(process, 7)).as("lets go of what it has").isTrue();
    stat('S', 0x400000, 1 << 14);
    assertThat(Proc.isDoomed(process, 7)).as("is asked to end").isFalse();
    stat('Z', 0x400000, 0);
    assertThat(Proc.isDoomed(process, 7)).isTrue();
  }

  @Test
  void aProcessWithoutAFolderIsDead() {
    Path none = process.resolve("none");
    assertThat(Proc.state(none, 7)).isEqualTo(Proc.State.DEAD);
    assertThat(Proc.startTicks(none)).isEqualTo(-1);
  }
}
