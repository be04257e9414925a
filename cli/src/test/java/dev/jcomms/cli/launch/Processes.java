package dev.jcomms.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Processes that are not our children, by number. */
final class Processes {
  private Processes() {}

  /** Asserts that all of them end within the bound. */
  static void assertGone(List<String> pids, Duration bound) throws Exception {
    long end = System.nanoTime() + bound.toNanos();
    for (String pid : pids) {
      Optional<ProcessHandle> handle = ProcessHandle.of(Long.parseLong(pid));
      if (handle.isEmpty()) continue;
      try {
        handle.get().onExit().get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        boolean lives = handle.get().isAlive() && !isZombie(pid);
        assertThat(lives).as("process %s lives after %s", pid, bound).isFalse();
      }
    }
  }

  /** Ended, but not yet collected by whoever inherited it. */
  private static boolean isZombie(String pid) {
    try {
      return Files.readString(Path.of("/proc", pid, "stat")).contains(") Z ");
    } catch (IOException _) {
      return true;
    }
  }
}
