package dev.jcomms.jccl.internal.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
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

  private void thread(String id, String name, String times) throws IOException {
    Path thread = Files.createDirectory(process.resolve(id));
    Files.writeString(thread.resolve("comm"), name + "\n");
    if (times != null) {
      Files.writeString(thread.resolve("schedstat"), times + "\n");
    }
  }

  @Test
  void whatThreadsHaveRunIsCountedByTheirNames() throws IOException {
    assertThat(Proc.nanosRun(process.resolve("none"), _ -> true)).isEqualTo(-1);
    assertThat(Proc.nanosRun(process, _ -> true)).as("nothing is told").isEqualTo(-1);
    thread("11", "C1 CompilerThre", "700 5 1");
    thread("12", "C2 CompilerThre", "30000 0 9");
    thread("13", "java", "1000000 1 1");
    thread("14", "C3 CompilerThre", null);
    assertThat(Proc.nanosRun(process, name -> name.contains(" Compiler"))).isEqualTo(30_700);
    assertThat(Proc.nanosRun(process, name -> name.contains("Z"))).isEqualTo(-1);
  }

  @Test
  void aThreadThatRunsIsSeenToRun() {
    assumeThat(Path.of("/proc/self/schedstat")).as("what some kernels do not tell").exists();
    AtomicBoolean over = new AtomicBoolean();
    Thread.ofPlatform()
        .name("the-busy-one")
        .start(
            () -> {
              while (!over.get()) {
                Thread.onSpinWait();
              }
            });
    try {
      long end = System.nanoTime() + 20_000_000_000L;
      while (Proc.nanosRun("the-busy-one"::equals) < 1_000_000) {
        assertThat(System.nanoTime()).isLessThan(end);
      }
    } finally {
      over.set(true);
    }
  }

  @Test
  void aProcessWithoutAFolderIsDead() {
    Path none = process.resolve("none");
    assertThat(Proc.state(none, 7)).isEqualTo(Proc.State.DEAD);
    assertThat(Proc.startTicks(none)).isEqualTo(-1);
  }
}
