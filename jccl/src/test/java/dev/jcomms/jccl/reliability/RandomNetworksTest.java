package dev.jcomms.jccl.reliability;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The processes of a {@link RandomPlay} have a bad network between them. */
@ExtendWith(StolenTime.class)
final class RandomNetworksTest {
  private static final Duration HEARTBEAT = Duration.ofSeconds(2);

  /** As long as one that is held back for a while is to be waited for. */
  private static final Duration PATIENT = Duration.ofSeconds(5);

  /** What a network is like from the start, and what happens then. */
  private interface Weather {
    RandomPlay.Trouble over(Network network, Random random);
  }

  /** What a wire between two hosts is like from the start, and what happens then. */
  private interface Wire {
    RandomPlay.Trouble between(TwoHosts hosts, Random random);
  }

  private static RandomPlay.Stage relayed(Weather weather) {
    return (options, random, scene) -> {
      try (Network network = new Network()) {
        RandomPlay.Trouble trouble = weather.over(network, random);
        scene.play(options.through(network), trouble);
      }
    };
  }

  private static RandomPlay.Stage wired(Wire wire) {
    return (options, random, scene) -> {
      try (TwoHosts hosts = TwoHosts.open()) {
        RandomPlay.Trouble trouble = wire.between(hosts, random);
        scene.play(hosts.house(options), trouble);
      }
    };
  }

  private static void spoil(Network network, Random random) {
    network.dribble(1 + random.nextInt(random.nextBoolean() ? 300 : 10_000));
    network.delay(Duration.ofNanos(random.nextInt(2_000_000)));
  }

  private static void kill(Group group, int victim) throws Exception {
    group.rank(victim).kill();
  }

  private static void requireLoss(RandomPlay play, Duration limit) throws Exception {
    play.requireAllToldOf("killed", limit);
    play.group().finish();
  }

  @Test
  void whatComesLateAndAFewBytesAtATimeIsWaitedFor() throws Exception {
    RandomPlay.often(
        "tcp",
        relayed(
            (network, random) -> {
              spoil(network, random);
              return (group, _) -> {
                network.hold();
                group.letRun(PATIENT.dividedBy(4));
                network.release();
              };
            }),
        PATIENT,
        play -> play.requireAllRight("late, dribbling and held back"));
  }

  @Test
  void aDeathBehindABadNetworkIsToldSoon() throws Exception {
    RandomPlay.often(
        "tcp",
        relayed(
            (network, random) -> {
              spoil(network, random);
              return RandomNetworksTest::kill;
            }),
        PATIENT,
        play -> requireLoss(play, Group.SOON));
  }

  @Test
  void aDeathThatTheNetworkHidesIsToldWithinTheHeartbeatLimit() throws Exception {
    RandomPlay.often(
        "tcp",
        relayed(
            (network, _) -> {
              network.swallowEnds();
              return RandomNetworksTest::kill;
            }),
        HEARTBEAT,
        play -> requireLoss(play, HEARTBEAT.plus(Group.SOON)));
  }

  private static void spoil(TwoHosts hosts, Random random) {
    hosts.losePercent(1 + random.nextInt(5));
    hosts.limitMegabits(50 + random.nextInt(500));
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "tcp"})
  void aNarrowWireThatLosesPacketsCostsNothingButTime(String transport) throws Exception {
    RandomPlay.often(
        transport,
        wired(
            (hosts, random) -> {
              spoil(hosts, random);
              return (group, _) -> group.letRun(Duration.ofSeconds(1));
            }),
        PATIENT,
        play -> play.requireAllRight("lossy"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "tcp"})
  void aDeathBehindAWireThatLosesPacketsIsToldSoon(String transport) throws Exception {
    RandomPlay.often(
        transport,
        wired(
            (hosts, random) -> {
              spoil(hosts, random);
              return RandomNetworksTest::kill;
            }),
        PATIENT,
        play -> requireLoss(play, Group.SOON));
  }
}
