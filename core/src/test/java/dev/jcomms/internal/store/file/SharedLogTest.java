package dev.jcomms.internal.store.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.store.FileStore;
import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreTimeoutException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A store's file that is full, removed or locked when somebody needs it. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
final class SharedLogTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("store");
  }

  /** The store's file, locked by somebody else until it is closed. */
  private PosixFile locked() throws IOException {
    PosixFile file = PosixFile.open(file(), true);
    assertThat(file.tryLock(PosixFile.LOCK_EXCLUSIVE)).isTrue();
    return file;
  }

  /** Sets a value that the file has no room for; prints what came of it. */
  static final class Full {
    public static void main(String[] arguments) {
      try (FileStore store = FileStore.open(Path.of(arguments[0]), -1, LONG)) {
        store.set("big", new byte[64 << 10]);
      } catch (StoreException e) {
        System.out.println("failed: " + e.getMessage());
      }
    }
  }

  @Test
  void aWriteThatFindsNoRoomLeavesTheFileAsItWas() throws Exception {
    try (FileStore store = FileStore.open(file(), -1, LONG)) {
      store.set("k", "v".getBytes(UTF_8));
      // Its own limit, in blocks of 512 or 1024 bytes, does to it what a full disk does.
      Process process =
          new ProcessBuilder(
                  "sh",
                  "-c",
                  "ulimit -f 16; exec \"$0\" -XX:-UsePerfData -cp \"$1\" \"$2\" \"$3\"",
                  Path.of(System.getProperty("java.home"), "bin/java").toString(),
                  Path.of("target/classes") + ":" + Path.of("target/test-classes"),
                  Full.class.getName(),
                  file().toString())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try {
        assertThat(new String(process.getInputStream().readAllBytes(), UTF_8))
            .contains("failed: set big")
            .contains("write");
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      } finally {
        process.destroyForcibly();
      }

      assertThat(store.get("k")).isEqualTo("v".getBytes(UTF_8));
      store.set("k", "w".getBytes(UTF_8));
      assertThat(store.get("k")).isEqualTo("w".getBytes(UTF_8));
    }
  }

  @Test
  void whoOpensWhileTheLastOneRemovesTheFileCountsInANewOne() throws Exception {
    CompletableFuture<FileStore> opening;
    try (PosixFile _ = locked()) {
      opening = CompletableFuture.supplyAsync(() -> FileStore.open(file(), 1, LONG));
      for (long start = System.nanoTime(); holders() < 2; ) {
        assertThat(opening).isNotDone();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LONG);
        Thread.onSpinWait();
      }
      Files.delete(file());
    }
    try (FileStore _ = opening.get(60, TimeUnit.SECONDS)) {
      Map<String, byte[]> values = new HashMap<>();
      FileRecords.replay(Files.readAllBytes(file()), values);
      assertThat(values.get("refcount/")).isEqualTo("1".getBytes(UTF_8));
    }
  }

  /** How many descriptors of this process are the store's file. */
  private long holders() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.filter(this::isFile).count();
    }
  }

  private boolean isFile(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).equals(file().toAbsolutePath());
    } catch (IOException e) {
      return false; // closed meanwhile
    }
  }

  @Test
  void aBarrierKeepsItsTimeoutWhereTheFileIsLocked() throws Exception {
    try (FileStore store = FileStore.open(file(), -1, Duration.ofMinutes(30));
        PosixFile _ = locked()) {
      assertThatThrownBy(() -> store.barrier("k", 2, Duration.ofMillis(100)))
          .isInstanceOf(StoreTimeoutException.class)
          .hasMessageContaining("locked");
    }
  }
}
