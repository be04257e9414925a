package dev.jcomms.jccl.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A process is killed: everybody else learns which, soon, whatever it is doing. */
@ExtendWith(StolenTime.class)
final class DeathTest {
  private static final int VICTIM = 2;

  /** What {@link WaitScenarios#blocked} waits in. */
  private static final List<String> WAITS =
      List.of(
          "all_reduce",
          "broadcast",
          "recv",
          "barrier",
          "plan",
          "split",
          "monitored_barrier",
          "symmetric",
          "idle");

  private static void assertAllLost(String what, List<Report> reports, int victim, long since) {
    assertAllLost(what, reports, Set.of(victim), since);
  }

  private static void assertAllLost(
      String what, List<Report> reports, Set<Integer> victims, long since) {
    assertThat(reports)
        .allSatisfy(
            report -> {
              assertThat(report.outcome()).as("%s", report).isEqualTo("PeerLostException");
              assertThat(report.missing()).as("%s", report).isEqualTo(victims);
            });
    assertThat(Group.latest(what, reports, since)).as(what).isLessThan(Group.SOON);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void survivorsOfALoopOfLargeAllReducesLearnWhoDiedAndGoOnWithoutIt(String transport)
      throws Exception {
    try (Group group =
        Group.of(6, transport).victim(VICTIM).property("rebuilds", true).start("loop")) {
      group.awaitReady();
      long killed = System.nanoTime();
      group.rank(VICTIM).kill();
      assertAllLost("1 " + transport + " loop", group.reports("loop", VICTIM), VICTIM, killed);

      List<Report> rebuilt = group.reports("rebuilt", VICTIM);
      Group.latest("reconfigured after a death, " + transport, rebuilt, killed);
      assertThat(rebuilt).allSatisfy(report -> assertThat(report.ok()).as("%s", report).isTrue());
      assertThat(rebuilt)
          .extracting(Report::message)
          .containsExactly("0 of 5", "1 of 5", "2 of 5", "3 of 5", "4 of 5");
      group.finish();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "two-level"})
  void survivorsOfTwoThatAreKilledAtOnceNameBothAndGoOnWithoutThem(String transport)
      throws Exception {
    try (Group group = Group.of(4, transport).property("rebuilds", true).start("loop")) {
      assertAllNamedAndLeftBehind(group, transport, Set.of(1, 2));
    }
  }

  @Test
  void survivorsOfAHostNameAllItsRanksAndGoOnWithoutThem() throws Exception {
    try (TwoHosts hosts = TwoHosts.open();
        Group group = hosts.house(Group.of(4, "auto").property("rebuilds", true)).start("loop")) {
      assertAllNamedAndLeftBehind(group, "a host", Set.of(2, 3));
    }
  }

  private static void assertAllNamedAndLeftBehind(Group group, String where, Set<Integer> victims)
      throws Exception {
    group.awaitReady();
    long killed = System.nanoTime();
    group.kill(victims);
    assertAllLost("1 " + where + " two at once", group.reports("loop", victims), victims, killed);
    List<Report> rebuilt = group.reports("rebuilt", victims);
    Group.latest("reconfigured after two deaths, " + where, rebuilt, killed);
    assertThat(rebuilt).extracting(Report::message).containsExactly("0 of 2", "1 of 2");
    group.finish();
  }

  /** Each waits for another, and one of those who wait is killed with who is waited for. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void whoeverWaitsInAnyOperationLearnsOfAllThatDied(String transport) throws Exception {
    Set<Integer> victims = Set.of(1, 2);
    try (Group group = Group.of(4, transport).victim(2).start("blocked")) {
      group.awaitReady().letRun(Duration.ofMillis(500));
      long killed = System.nanoTime();
      group.kill(victims);
      for (String op : WAITS) {
        String what = "2 " + transport + " two at once, " + op;
        assertAllLost(what, group.reports(op, victims), victims, killed);
      }
      group.finish();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void aRootThatBroadcastsNowAndThenLearnsWhoDied(String transport) throws Exception {
    try (Group group = Group.of(3, transport).victim(VICTIM).start("seldom")) {
      group.awaitReady();
      long killed = System.nanoTime();
      group.rank(VICTIM).kill();
      String what = "2 " + transport + " seldom broadcasts";
      assertAllLost(what, group.reports("broadcast", VICTIM), VICTIM, killed);
      group.finish();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void whoeverWaitsInAnyOperationLearnsWhoDiedAlsoIfItWaitsForAnother(String transport)
      throws Exception {
    assertAllThatWaitLearn(Group.of(6, transport), transport, VICTIM);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void whoeverWaitsInAnyOperationLearnsThatTheRankThatHasTheStoreDied(String transport)
      throws Exception {
    assertAllThatWaitLearn(Group.of(3, transport).rankZeroHostsTheStore(), transport, 0);
  }

  private static void assertAllThatWaitLearn(Group.Options options, String transport, int victim)
      throws Exception {
    try (Group group = options.victim(victim).start("blocked")) {
      group.awaitReady().letRun(Duration.ofMillis(500));
      long killed = System.nanoTime();
      group.rank(victim).kill();
      for (String op : WAITS) {
        String what = "2 " + transport + " " + op;
        assertAllLost(what, group.reports(op, victim), victim, killed);
      }
      group.finish();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "two-level"})
  void whoeverUsesAWindowLearnsWhoDied(String transport) throws Exception {
    try (Group group = Group.of(3, transport).victim(VICTIM).start("windows")) {
      group.awaitReady().letRun(Duration.ofMillis(1500));
      long killed = System.nanoTime();
      group.rank(VICTIM).kill();
      for (String call : WindowScenarios.CALLS) {
        String what = "2 " + transport + " window " + call;
        assertAllLost(what, group.reports(call, VICTIM), VICTIM, killed);
      }
      assertThat(group.reports("close", VICTIM)).allMatch(Report::ok);
      group.finish();
    }
  }

  /** Rank 0 ends with a file in /dev/shm that nobody has mapped yet. */
  @ParameterizedTest
  @CsvSource({"shm, memory, 0", "shm, memory.mapped, 2", "tcp, connected, 2"})
  void aRankThatDiesWhileAPartIsOpenedIsNotWaitedForAndLeavesNothing(
      String transport, String topic, int victim) throws Exception {
    try (Group group =
        Group.of(3, transport).victim(victim).property("ends at", topic).start("part")) {
      group.awaitReady();
      for (String op : List.of("split", "later")) {
        assertThat(group.reports(op, victim))
            .allSatisfy(
                report -> {
                  assertThat(report.outcome()).as("%s", report).isEqualTo("PeerLostException");
                  assertThat(report.missing()).as("%s", report).isEqualTo(Set.of(victim));
                });
      }
      group.rank(victim).awaitEnd();
      group.finish();
    }
  }

  /** Who waits in the other part of it learns that as the whole counts its ranks. */
  @ParameterizedTest
  @CsvSource({"shm, memory.mapped", "tcp, connected"})
  void aRankThatDiesWhileItsPartIsOpenedIsNamedAsTheWholeCounts(String transport, String topic)
      throws Exception {
    int victim = 3;
    try (Group group =
        Group.of(4, transport)
            .victim(victim)
            .property("ends at", topic)
            .property("halves", true)
            .start("part")) {
      group.awaitReady();
      assertThat(group.rank(2).report("split").missing()).isEqualTo(Set.of(victim));
      assertThat(group.reports("later", victim))
          .allSatisfy(
              report -> {
                assertThat(report.outcome()).as("%s", report).isEqualTo("PeerLostException");
                assertThat(report.missing()).as("%s", report).isEqualTo(Set.of(victim));
              });
      group.rank(victim).awaitEnd();
      group.finish();
    }
  }

  /** Rank 0 waits for nobody's farewell then who could not say it. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void theWholeIsClosedSoonWhenARankDiedInAPart(String transport) throws Exception {
    try (Group group =
        Group.of(3, transport).victim(VICTIM).rankZeroHostsTheStore().start("whole")) {
      group.awaitReady().letRun(Duration.ofMillis(300));
      long killed = System.nanoTime();
      group.rank(VICTIM).kill();
      assertAllLost(
          "2 " + transport + " part", group.reports("all_reduce", VICTIM), VICTIM, killed);
      List<Report> closed = group.reports("close", VICTIM);
      assertThat(closed).allMatch(Report::ok);
      assertThat(Group.latest("2 " + transport + " the whole is closed", closed, killed))
          .isLessThan(Group.SOON);
      group.finish();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void theStoresDeathEndsWaitsAtTheStoreAndNothingElse(String transport) throws Exception {
    try (Member store = Group.startStore(List.of(), Map.of(), Map.of())) {
      int port = Integer.parseInt(store.await("PORT").split(" ")[1]);
      try (Group group =
          Group.of(3, transport)
              .store("127.0.0.1", port)
              .property("waits at store", true)
              .start("loop")) {
        group.awaitReady();
        long killed = System.nanoTime();
        store.kill();
        List<Report> waits = group.reports("store", -1);
        assertThat(waits).noneMatch(Report::ok);
        assertThat(Group.latest("3 " + transport + " waits at the store", waits, killed))
            .isLessThan(Group.SOON);
        assertThat(group.rank(1).hasReported("loop")).as("the loop has ended").isFalse();
        group.finish();
        assertThat(group.reports("loop", -1)).allMatch(Report::ok);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void theDeathOfTheRankThatHasTheStoreIsADeathLikeAnyOther(String transport) throws Exception {
    try (Group group = Group.of(3, transport).victim(0).rankZeroHostsTheStore().start("loop")) {
      group.awaitReady();
      long killed = System.nanoTime();
      group.rank(0).kill();
      String what = "3 " + transport + " rank 0 with the store";
      assertAllLost(what, group.reports("loop", 0), 0, killed);
      group.finish();
    }
  }

  /** Splits and monitored barriers need the store; that ends none but those. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void aPartThatLostNobodyGoesOnWithoutTheStore(String transport) throws Exception {
    try (Group group = Group.of(4, transport).victim(0).rankZeroHostsTheStore().start("halves")) {
      group.awaitReady().letRun(Duration.ofMillis(300));
      long killed = System.nanoTime();
      group.rank(0).kill();
      assertStoreGone(group.rank(2).report("split"));
      group.rank(3).tell("act");
      for (int r : List.of(2, 3)) {
        for (String op : List.of("split", "monitored_barrier", "split again")) {
          assertStoreGone(group.rank(r).report(op));
        }
        for (String op : List.of("all_reduce", "later")) {
          assertThat(group.rank(r).report(op)).as(op).matches(Report::ok);
        }
      }
      List<Report> waited = List.of(group.rank(2).report("split"));
      assertThat(Group.latest("3 " + transport + " split without a store", waited, killed))
          .isLessThan(Group.SOON);
      group.finish();
    }
  }

  private static void assertStoreGone(Report report) {
    assertThat(report.outcome()).as("%s", report).isEqualTo("BootstrapException");
    assertThat(report.missing()).as("%s", report).isEmpty();
    assertThat(report.message()).contains("in the process of its rank 0 is gone");
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void anAbortOnOneRankWakesTheOthers(String transport) throws Exception {
    try (Group group = Group.of(3, transport).victim(1).start("abort")) {
      group.awaitReady().letRun(Duration.ofMillis(200));
      long aborted = System.nanoTime();
      group.rank(1).tell("act");
      List<Report> reports = group.reports("all_reduce", 1);
      assertThat(reports)
          .allSatisfy(
              report -> {
                assertThat(report.outcome()).isEqualTo("CommAbortedException");
                assertThat(report.message()).contains("rank 1", "enough of this");
              });
      assertThat(Group.latest("abort " + transport, reports, aborted)).isLessThan(Group.SOON);
      group.finish();
    }
  }

  /** What nobody can write to any more need not be withdrawn. */
  @Test
  void memoryStaysWhereItIsWhenItsWriterIsDead() throws Exception {
    try (Group group = Group.of(2, "shm").victim(1).start("reused")) {
      group.awaitReady().letRun(Duration.ofMillis(300));
      group.rank(1).kill();
      assertThat(group.rank(0).report("reduced").missing()).isEqualTo(Set.of(1));
      group.rank(0).tell("act");
      assertThat(group.rank(0).report("kept").message()).isEqualTo("shared");
      group.finish();
    }
  }
}
