package dev.jcomms.jccl.reliability;

import java.time.Duration;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One of the processes of a {@link RandomPlay} is killed or stopped. */
@ExtendWith(StolenTime.class)
final class RandomDeathsTest {
  private static final Duration HEARTBEAT = Duration.ofSeconds(2);

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "two-level"})
  void survivorsLearnWhoWasKilledAndOthersDoNotMind(String transport) throws Exception {
    RandomPlay.often(
        transport,
        RandomPlay.onHost((group, victim) -> group.rank(victim).kill()),
        Duration.ofSeconds(5),
        play -> {
          play.requireAllToldOf("killed", Group.SOON);
          play.group().finish();
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "two-level"})
  void survivorsLearnWhoHasStoppedForGood(String transport) throws Exception {
    RandomPlay.often(
        transport,
        RandomPlay.onHost((group, victim) -> group.rank(victim).signal("STOP")),
        HEARTBEAT,
        play -> {
          play.requireAllToldOf("stopped", HEARTBEAT.plus(Group.SOON));
          play.group().rank(play.victim()).kill();
          play.group().finish();
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp"})
  void aRankThatWasStoppedForAWhileCostsNothingButTime(String transport) throws Exception {
    RandomPlay.often(
        transport,
        RandomPlay.onHost(
            (group, victim) -> {
              group.rank(victim).signal("STOP");
              group.letRun(Duration.ofSeconds(3));
              group.rank(victim).signal("CONT");
            }),
        Duration.ofSeconds(10),
        play -> play.requireAllRight("paused"));
  }
}
