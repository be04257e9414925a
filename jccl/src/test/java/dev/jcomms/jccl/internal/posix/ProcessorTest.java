package dev.jcomms.jccl.internal.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
final class ProcessorTest {
  /** The scheduler may move the thread between a call and the question where it is. */
  private static final int TRIES = 1000;

  @Test
  void aThreadRunsWhereItMay() throws IOException {
    assertTrue(allowed().get(Processor.current()));
  }

  @Test
  void whoLeavesIsElsewhereAndAsFreeAsBefore() throws IOException {
    BitSet allowed = allowed();
    int before;
    int tries = 0;
    do {
      before = Processor.current();
      assertEquals(allowed.cardinality() > 1, Processor.leave());
      assertTrue(++tries < TRIES, "still on processor " + before);
    } while (allowed.cardinality() > 1 && Processor.current() == before);
    assertEquals(allowed, allowed());
  }

  @Test
  void aVirtualThreadIsNowhere() throws InterruptedException {
    int[] seen = {0};
    boolean[] left = {true};
    Thread.ofVirtual()
        .start(
            () -> {
              seen[0] = Processor.current();
              left[0] = Processor.leave();
            })
        .join();
    assertEquals(Processor.UNKNOWN, seen[0]);
    assertFalse(left[0]);
  }

  /** As the kernel lists them: {@code 0-3,8}. */
  private static BitSet allowed() throws IOException {
    BitSet allowed = new BitSet();
    for (String line : Files.readAllLines(Path.of("/proc/thread-self/status"))) {
      if (line.startsWith("Cpus_allowed_list:")) {
        for (String range : line.substring(line.indexOf(':') + 1).strip().split(",")) {
          String[] ends = range.split("-");
          allowed.set(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]) + 1);
        }
      }
    }
    return allowed;
  }
}
