package dev.jcomms.jccl.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rank that is slow, or whose connections are: waited for, and nothing piles up. */
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

  /** A group of TCP ranks with a relay in front of each. */
  private static void throughRelays(
      double heartbeat, String scenario, ThrowingConsumer<Relayed> body) throws Exception {
    List<Relay> relays = new ArrayList<>();
    try (Group group =
        Group.of(3, "tcp")
            .victim(VICTIM)
            .heartbeat(heartbeat)
            .property("routed", true)
            .start(scenario)) {
      for (int r = 0; r < 3; r++) {
        int port = Integer.parseInt(group.rank(r).await("ROUTE").split(" ")[1]);
        relays.add(new Relay(port));
        group.rank(r).tell("route " + relays.get(r).port());
      }
      group.awaitReady();
      body.accept(new Relayed(group, relays));
    } finally {
      relays.forEach(Relay::close);
    }
  }

  private record Relayed(Group group, List<Relay> relays) {
    void each(Consumer<Relay> action) {
      relays.forEach(action);
    }
  }

  private interface ThrowingConsumer<T> {
    void accept(T value) throws Exception;
  }

  @Test
  void aDeathThatTheNetworkHidesIsNoticedWithinTheHeartbeatLimit() throws Exception {
    throughRelays(
        2,
        "loop",
        relayed -> {
          relayed.each(Relay::swallowEnds);
          long killed = System.nanoTime();
          relayed.group.rank(VICTIM).kill();
          List<Report> reports = relayed.group.reports("loop", VICTIM);
          assertThat(reports)
              .allSatisfy(
                  report -> {
                    assertThat(report.outcome()).as("%s", report).isEqualTo("PeerLostException");
                    assertThat(report.missing()).as("%s", report).isEqualTo(Set.of(VICTIM));
                  });
          assertThat(Group.latest("24 tcp end swallowed, limit 2 s", reports, killed))
              .isLessThan(Duration.ofSeconds(2).plus(Group.SOON));
          relayed.group.finish();
        });
  }

  @Test
  void aNetworkThatFallsSilentIsNoticedByAllWithinTheHeartbeatLimit() throws Exception {
    throughRelays(
        2,
        "loop",
        relayed -> {
          long since = System.nanoTime();
          relayed.each(Relay::fallSilent);
          List<Report> reports = relayed.group.reports("loop", -1);
          assertThat(reports)
              .allSatisfy(
                  report -> {
                    assertThat(report.outcome()).as("%s", report).isEqualTo("PeerLostException");
                    assertThat(report.missing()).as("%s", report).isNotEmpty();
                  });
          assertThat(Group.latest("24 tcp silence, limit 2 s", reports, since))
              .isLessThan(Duration.ofSeconds(2).plus(Group.SOON));
          relayed.group.finish();
        });
  }

  @Test
  void bytesThatDribbleInArriveAllTheSame() throws Exception {
    throughRelays(
        20,
        "loop",
        relayed -> {
          relayed.each(relay -> relay.dribble(8191));
          relayed.group.letRun(Duration.ofMillis(500));
          relayed.group.finish();
          assertThat(relayed.group.reports("loop", -1))
              .allSatisfy(report -> assertThat(report.ok()).as("%s", report).isTrue());
        });
  }
}
