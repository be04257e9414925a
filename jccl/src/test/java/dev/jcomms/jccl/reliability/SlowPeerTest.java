package dev.jcomms.jccl.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rank that is slow, or whose connections are: waited for, and nothing piles up. */
@ExtendWith(StolenTime.class)
final class SlowPeerTest {
  private static final int VICTIM = 2;

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void aRankThatIsAHundredTimesSlowerIsWaitedForInBoundedMemory(String transport) throws Exception {
    try (Group group = Group.of(3, transport).victim(VICTIM).start("slow")) {
      group.awaitReady();
      for (String what : List.of("collectives", "messages")) {
        List<Report> reports = group.reports(what, -1);
        assertThat(reports).allSatisfy(report -> assertThat(report.ok()).as("%s", report).isTrue());
        System.out.println("reliability: 23 " + transport + " " + what + ": " + reports);
      }
      for (Report report : group.reports("memory", -1)) {
        String[] parts = report.message().split(" ");
        long grown =
            Holdings.decode(parts[1]).residentKib() - Holdings.decode(parts[0]).residentKib();
        System.out.println(
            "reliability: 23 " + transport + " rank " + report.rank() + ": +" + grown + " KiB");
        // A hundred messages of a megabyte each were on their way.
        assertThat(grown).as("%s", report).isLessThan(48 << 10);
      }
      group.finish();
    }
  }

  private interface Body {
    void run(Network network, Group group) throws Exception;
  }

  /** A group of TCP ranks and the network between them. */
  private static void over(double heartbeat, Body body) throws Exception {
    try (Network network = new Network();
        Group group =
            Group.of(3, "tcp").victim(VICTIM).heartbeat(heartbeat).through(network).start("loop")) {
      group.awaitReady();
      body.run(network, group);
    }
  }

  @Test
  void aDeathThatTheNetworkHidesIsNoticedWithinTheHeartbeatLimit() throws Exception {
    over(
        2,
        (network, group) -> {
          network.swallowEnds();
          long killed = System.nanoTime();
          group.rank(VICTIM).kill();
          List<Report> reports = group.reports("loop", VICTIM);
          assertThat(reports)
              .allSatisfy(
                  report -> {
                    assertThat(report.outcome()).as("%s", report).isEqualTo("PeerLostException");
                    assertThat(report.missing()).as("%s", report).isEqualTo(Set.of(VICTIM));
                  });
          assertThat(Group.latest("24 tcp end swallowed, limit 2 s", reports, killed))
              .isLessThan(Duration.ofSeconds(2).plus(Group.SOON));
          group.finish();
        });
  }

  /** Its goodbye comes by mail; the end of the connection that it is waited for at does not. */
  @Test
  void aFarewellThatTheNetworkHalfHidesIsNoticedWithinTheHeartbeatLimit() throws Exception {
    try (Network network = new Network();
        Group group =
            Group.of(3, "tcp").victim(VICTIM).heartbeat(2).through(network).start("left alone")) {
      group.awaitReady();
      network.swallowEnds();
      for (int r = 0; r < 3; r++) {
        group.rank(r).tell("act");
      }
      assertThat(group.reports("alone", VICTIM))
          .allSatisfy(
              report -> {
                assertThat(report.outcome()).as("%s", report).isEqualTo("PeerLostException");
                assertThat(report.missing()).as("%s", report).isEqualTo(Set.of(VICTIM));
                assertThat(report.millis())
                    .as("%s", report)
                    .isLessThan(Duration.ofSeconds(2).plus(Group.SOON).toMillis());
              });
      group.finish();
    }
  }

  @Test
  void aNetworkThatFallsSilentIsNoticedByAllWithinTheHeartbeatLimit() throws Exception {
    over(
        2,
        (network, group) -> {
          long since = System.nanoTime();
          network.fallSilent();
          List<Report> reports = group.reports("loop", -1);
          assertThat(reports)
              .allSatisfy(
                  report -> {
                    assertThat(report.outcome()).as("%s", report).isEqualTo("PeerLostException");
                    assertThat(report.missing()).as("%s", report).isNotEmpty();
                  });
          assertThat(Group.latest("24 tcp silence, limit 2 s", reports, since))
              .isLessThan(Duration.ofSeconds(2).plus(Group.SOON));
          group.finish();
        });
  }

  /** Four frames and as many delays, before anything can be said. */
  @Test
  void ranksThatAreFarFromEachOtherMeet() throws Exception {
    try (Network network = new Network().delay(Duration.ofMillis(1300));
        Group group =
            Group.of(2, "tcp").victim(1).heartbeat(20).through(network).start("left alone")) {
      group.awaitReady();
      network.delay(Duration.ZERO);
      group.rank(0).tell("act");
      group.rank(1).tell("act");
      assertThat(group.rank(0).report("alone").outcome()).isEqualTo("PeerLostException");
      group.finish();
    }
  }

  @Test
  void whatWasSentBeforeAFarewellArrives() throws Exception {
    try (Network network = new Network();
        Group group = Group.of(2, "tcp").victim(1).heartbeat(5).through(network).start("sent")) {
      group.awaitReady();
      network.dribble(16 << 10).delay(Duration.ofMillis(900)); // about a megabyte a second
      group.rank(0).tell("act");
      group.rank(1).tell("act");
      Report received = group.rank(0).report("received");
      assertThat(received.ok()).as("%s", received).isTrue();
      assertThat(received.message()).isEqualTo("" + (double) Scenario.LARGE);
      group.finish();
    }
  }

  @Test
  void bytesThatDribbleInArriveAllTheSame() throws Exception {
    over(
        20,
        (network, group) -> {
          network.dribble(8191);
          group.letRun(Duration.ofMillis(500));
          group.finish();
          assertThat(group.reports("loop", -1))
              .allSatisfy(report -> assertThat(report.ok()).as("%s", report).isTrue());
        });
  }
}
