package dev.jcomms.jccl.reliability;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes that have no file to show each other their tensors in: the kernel copies. */
@ExtendWith(StolenTime.class)
final class UnseenTensorsTest {
  /** Bytes of tensors in a process's file; 0 for none. */
  private static final String SHARED = "jcomms.memory.shared";

  @ParameterizedTest
  @ValueSource(longs = {0, 1 << 30})
  void aRankMayHaveNothingToGive(long shared) throws Exception {
    try (Group group = Group.of(3, "shm").property(SHARED, shared).start("empty pieces")) {
      group.awaitReady();
      group.finish();
    }
  }

  @Test
  void everyResultIsRight() throws Exception {
    RandomPlay.often(
        "shm",
        (options, _, scene) ->
            scene.play(
                options.property(SHARED, 0), (group, _) -> group.letRun(Duration.ofSeconds(3))),
        Duration.ofSeconds(5),
        play -> play.requireAllRight("unseen"));
  }
}
