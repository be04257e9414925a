package dev.jcomms.jccl.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A process is stopped: for good, it is lost; for less than the heartbeat limit, it was slow. */
@ExtendWith(StolenTime.class)
final class StopTest {
  private static final int VICTIM = 1;

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void aRankThatStaysStoppedIsLostAfterTheHeartbeatLimit(String transport) throws Exception {
    try (Group group = Group.of(4, transport).victim(VICTIM).heartbeat(2).start("stopped")) {
      group.awaitReady().letRun(Duration.ofMillis(500));
      long stopped = System.nanoTime();
      group.rank(VICTIM).signal("STOP");
      for (String waiter : List.of("patient", "receiving")) {
        List<Report> reports = group.reports(waiter, VICTIM);
        assertThat(reports)
            .allSatisfy(
                report -> {
                  assertThat(report.outcome()).as("%s", report).isEqualTo("PeerLostException");
                  assertThat(report.missing()).as("%s", report).isEqualTo(Set.of(VICTIM));
                });
        assertThat(Group.latest("4 " + transport + " " + waiter, reports, stopped))
            .isBetween(Duration.ofMillis(1000), Duration.ofSeconds(2).plus(Group.SOON));
      }
      group.rank(VICTIM).kill();
      group.finish();
    }
  }

  /** Who waits at the store can ask nobody there who is missing, nor say that it leaves. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void theRankThatHasTheStoreIsNamedAlsoByWhoWaitsAtTheStore(String transport) throws Exception {
    try (Group group =
        Group.of(3, transport).victim(0).rankZeroHostsTheStore().heartbeat(2).start("blocked")) {
      group.awaitReady().letRun(Duration.ofMillis(500));
      long stopped = System.nanoTime();
      group.rank(0).signal("STOP");
      for (String waiter : List.of("barrier", "split", "monitored_barrier", "symmetric")) {
        List<Report> reports = group.reports(waiter, 0);
        Group.latest("4 " + transport + " store stopped, " + waiter, reports, stopped);
        assertThat(reports)
            .allSatisfy(
                report -> {
                  assertThat(report.outcome())
                      .as("%s", report)
                      .isIn("PeerLostException", "CommTimeoutException");
                  assertThat(report.missing()).as("%s", report).isEqualTo(Set.of(0));
                });
      }
      endBefore(group);
    }
  }

  /** Who waits for the answer of a store that has stopped looks around meanwhile. */
  @ParameterizedTest
  @CsvSource({"shm, split", "tcp, split", "shm, monitored_barrier", "shm, symmetric"})
  void theRankThatHasTheStoreIsNamedInTime(String transport, String waiter) throws Exception {
    try (Group group =
        Group.of(3, transport)
            .victim(0)
            .rankZeroHostsTheStore()
            .heartbeat(transport.equals("tcp") ? 2 : 1)
            .property("waits in", waiter)
            .start("waiting")) {
      group.awaitReady().letRun(Duration.ofMillis(500));
      long stopped = System.nanoTime();
      group.rank(0).signal("STOP");
      List<Report> reports = group.reports("wait", 0);
      assertThat(reports)
          .allSatisfy(
              report -> {
                assertThat(report.outcome()).as("%s", report).isEqualTo("PeerLostException");
                assertThat(report.missing()).as("%s", report).isEqualTo(Set.of(0));
              });
      assertThat(Group.latest("4 " + transport + " store stopped in " + waiter, reports, stopped))
          .isLessThan(Duration.ofMillis(4500)); // after 5 s the store would count as silent
      endBefore(group);
    }
  }

  /** The others can leave while the rank that has the store is stopped. */
  private static void endBefore(Group group) throws Exception {
    for (int r = 1; r < 3; r++) {
      group.rank(r).tell("end");
      group.rank(r).await("CLOSED");
      group.rank(r).awaitEnd();
    }
    group.rank(0).kill();
    group.finish();
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "two-level"})
  void aDeadlineThatPassesBeforeTheHeartbeatLimitNamesTheStoppedRank(String transport)
      throws Exception {
    try (Group group = Group.of(4, transport).victim(VICTIM).heartbeat(60).start("absent")) {
      group.rank(VICTIM).await("READY");
      long stopped = System.nanoTime();
      group.rank(VICTIM).signal("STOP");
      List<Report> reports = group.reports("all_reduce", VICTIM);
      Group.latest("4 " + transport + " deadline of 4 s", reports, stopped);
      assertThat(reports)
          .allSatisfy(report -> assertThat(report.missing()).as("%s", report).contains(VICTIM));
      group.rank(VICTIM).kill();
      group.finish();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void aRankThatWasStoppedForAWhileCostsNothingButTime(String transport) throws Exception {
    try (Group group = Group.of(3, transport).heartbeat(6).start("loop")) {
      group.awaitReady();
      for (int victim = 0; victim < 2; victim++) {
        group.rank(victim).signal("STOP");
        group.letRun(Duration.ofMillis(3000 / (victim + 1)));
        group.rank(victim).signal("CONT");
      }
      group.finish();
      assertThat(group.reports("loop", -1))
          .allSatisfy(report -> assertThat(report.ok()).as("%s", report).isTrue());
      System.out.println("reliability: 5 " + transport + ": " + group.reports("loop", -1));
    }
  }

  /** It is most likely writing to another's tensor when it is stopped, and goes on to. */
  @RepeatedTest(3)
  void whatALostRankWritesWhenItGoesOnIsNotSeen() throws Exception {
    try (Group group = Group.of(2, "shm").victim(VICTIM).heartbeat(1).start("reused")) {
      group.awaitReady().letRun(Duration.ofMillis(300));
      group.rank(VICTIM).signal("STOP");
      assertThat(group.reports("reduced", VICTIM))
          .allSatisfy(report -> assertThat(report.missing()).isEqualTo(Set.of(VICTIM)));
      group.letRun(Duration.ofMillis(300)); // the tensor is filled
      group.rank(VICTIM).signal("CONT");
      group.reports("reduced", -1);
      group.rank(0).tell("act");
      group.rank(VICTIM).tell("act");
      assertThat(group.reports("kept", -1))
          .allSatisfy(report -> assertThat(report.ok()).as("%s", report).isTrue());
      group.finish();
    }
  }
}
