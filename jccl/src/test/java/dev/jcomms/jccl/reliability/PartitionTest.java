package dev.jcomms.jccl.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The network between two hosts is cut, comes back, or loses packets. Two ranks on each, so that
 * shared memory and TCP are both in use. {@code -Dreliability.loss.seconds=60} for the scorecard's
 * own time.
 */
@ExtendWith(StolenTime.class)
final class PartitionTest {
  private static final Duration LOSSY =
      Duration.ofSeconds(Integer.getInteger("reliability.loss.seconds", 3));

  private interface Body {
    void run(TwoHosts hosts, Group group) throws Exception;
  }

  private static void between(double heartbeat, Body body) throws Exception {
    try (TwoHosts hosts = TwoHosts.open();
        Group group = hosts.house(Group.of(4, "auto").heartbeat(heartbeat)).start("loop")) {
      group.awaitReady();
      body.run(hosts, group);
    }
  }

  private static void assertExact(String what, Group group) throws Exception {
    group.finish();
    List<Report> reports = group.reports("loop", -1);
    assertThat(reports).allSatisfy(report -> assertThat(report.ok()).as("%s", report).isTrue());
    System.out.println(
        "reliability: " + what + ": " + reports.getFirst().message() + " rounds, exact");
  }

  @Test
  void aCutIsNoticedOnBothSidesWithinTheHeartbeatLimit() throws Exception {
    between(
        2,
        (hosts, group) -> {
          long since = System.nanoTime();
          hosts.cut();
          List<Report> reports = group.reports("loop", -1);
          assertThat(reports)
              .allSatisfy(
                  report -> {
                    assertThat(report.outcome()).as("%s", report).isEqualTo("PeerLostException");
                    assertThat(report.missing())
                        .as("%s: all of the other side", report)
                        .isEqualTo(report.rank() < 2 ? Set.of(2, 3) : Set.of(0, 1));
                  });
          assertThat(Group.latest("6 cut, limit 2 s", reports, since))
              .isLessThan(Duration.ofSeconds(2).plus(Group.SOON));
          group.finish();
        });
  }

  @Test
  void aCutThatIsMendedWithinTheHeartbeatLimitCostsNothingButTime() throws Exception {
    between(
        20,
        (hosts, group) -> {
          hosts.cut();
          group.letRun(Duration.ofSeconds(3));
          hosts.mend();
          assertThat(group.rank(3).hasReported("loop")).isFalse();
          assertExact("7 cut for 3 s, limit 20 s", group);
        });
  }

  /**
   * TCP tries again 0.2, 0.6, 1.4, 3.0 and 6.2 s after the last success: not before the limit, of a
   * wire that is mended long before.
   */
  @Test
  void cutsShorterThanTheHeartbeatLimitCostNothingButTime() throws Exception {
    between(
        6,
        (hosts, group) -> {
          for (int i = 0; i < 3; i++) {
            hosts.cut();
            group.letRun(Duration.ofMillis(3300));
            hosts.mend();
            group.letRun(Duration.ofMillis(3500));
            assertThat(group.rank(3).reports()).as("cut %d", i).isEmpty();
          }
          assertExact("7 cut for 3.3 s three times, limit 6 s", group);
        });
  }

  @Test
  void burstsOfLossAreNotLostRanks() throws Exception {
    between(
        20,
        (hosts, group) -> {
          for (int i = 0; i < 15; i++) {
            hosts.cut();
            hosts.mend();
            group.letRun(Duration.ofMillis(100));
          }
          assertThat(group.rank(3).hasReported("loop")).isFalse();
          assertExact("8 fifteen bursts", group);
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5})
  void lostPacketsAreNotLostRanks(int percent) throws Exception {
    between(
        5,
        (hosts, group) -> {
          hosts.losePercent(percent);
          group.letRun(LOSSY);
          assertThat(group.rank(3).hasReported("loop")).isFalse();
          // Also the goodbye passes through the loss.
          assertExact("8 loss of " + percent + " % for " + LOSSY.toSeconds() + " s", group);
        });
  }
}
