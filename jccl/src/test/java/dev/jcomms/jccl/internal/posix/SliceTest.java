package dev.jcomms.jccl.internal.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
final class SliceTest {
  /** Field 19 of {@code stat}, counted behind the name, which may contain anything. */
  private static final int NICENESS = 16;

  @Test
  void whoGivesTurnsAwayHasShortSlicesAndIsAsNiceAsBefore() throws Exception {
    onItsOwnThread(
        () -> {
          assumeTrue(Slice.nanos() > Slice.SHORT_NANOS, "the kernel grants no slices");
          String niceness = niceness();
          Slice.giveAway();
          assertEquals(Slice.SHORT_NANOS, Slice.nanos());
          assertEquals(niceness, niceness());
        });
  }

  @Test
  void othersKeepTheirs() throws Exception {
    long before = Slice.nanos();
    onItsOwnThread(Slice::giveAway);
    assertEquals(before, Slice.nanos());
  }

  @Test
  void aVirtualThreadLeavesItsCarriersAlone() throws InterruptedException {
    AtomicReference<Long> seen = new AtomicReference<>();
    Thread.ofVirtual()
        .start(
            () -> {
              Slice.giveAway();
              seen.set(Slice.nanos());
            })
        .join();
    assertEquals(Slice.UNKNOWN, seen.get());
  }

  private static String niceness() {
    try {
      String stat = Files.readString(Path.of("/proc/thread-self/stat"));
      return stat.substring(stat.lastIndexOf(')') + 2).split(" ")[NICENESS];
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void onItsOwnThread(Runnable test) throws Exception {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread thread = Thread.ofPlatform().daemon().unstarted(test);
    thread.setUncaughtExceptionHandler((_, e) -> thrown.set(e));
    thread.start();
    thread.join(20_000);
    assertTrue(!thread.isAlive(), "it has ended");
    switch (thrown.get()) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable e -> throw new AssertionError(e);
    }
  }
}
