package dev.jcomms.jccl.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A rank is killed, or stopped, while all are opening a communicator. */
@ExtendWith(StolenTime.class)
final class OpeningTest {
  private static void assertAllLost(String what, List<Report> reports, int victim, long since) {
    assertThat(reports)
        .allSatisfy(
            report -> {
              assertThat(report.outcome()).as("%s", report).isEqualTo("PeerLostException");
              assertThat(report.missing()).as("%s", report).isEqualTo(Set.of(victim));
            });
    Group.latest("opening, '" + what + "'", reports, since);
  }

  private static long kill(Member victim) throws Exception {
    victim.await("HELD");
    long killed = System.nanoTime();
    victim.kill();
    return killed;
  }

  /** Rank 0 ends with a file in /dev/shm. */
  @ParameterizedTest
  @CsvSource({
    "shm, set .*/peer/2, 2",
    "shm, multiGet .*/peer/.*, 1",
    "shm, set .*/memory/0, 0",
    "shm, set .*/memory.mapped/2, 2",
    "shm, multiGet .*/memory.mapped/.*, 0",
    "shm, set .*/seen/1, 1",
    "tcp, set .*/peer/2, 2",
    "tcp, set .*/tcp/0, 0",
    "tcp, multiGet .*/tcp/.*, 2",
    "tcp, set .*/connected/1, 1",
    "two-level, set .*/tcp/2, 2",
    "two-level, set .*/memory.mapped/1, 1",
  })
  void oneThatHadComeIsNotWaitedFor(String transport, String held, int victim) throws Exception {
    try (Group group =
        Group.of(3, transport).victim(victim).property("held at", held).start("open")) {
      long killed = kill(group.rank(victim));
      String what = transport + " " + held;
      assertAllLost(what, group.reports("open", victim), victim, killed);
      group.finish();
    }
  }

  /** Who comes when it is all over learns it, too. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void oneThatHadComeIsLostThoughAnotherHasNotComeYet(String transport) throws Exception {
    String held = "multiGet .*/init/.*";
    int late = 0;
    int victim = 2;
    try (Group group =
        Group.of(3, transport)
            .victim(victim)
            .property("held at", held)
            .property("late", late)
            .start("open")) {
      long killed = kill(group.rank(victim));
      assertAllLost(held, List.of(group.rank(1).report("open")), victim, killed);
      long told = System.nanoTime();
      group.rank(late).tell("act");
      assertAllLost("late", List.of(group.rank(late).report("open")), victim, told);
      group.finish();
    }
  }

  @Test
  void oneThatHasNotComeIsNamedWhenTheTimeIsOver() throws Exception {
    int victim = 1;
    try (Group group =
        Group.of(3, "shm")
            .victim(victim)
            .property("held at", "set .*/init/1")
            .property("together", true)
            .property("init seconds", 10)
            .start("open")) {
      kill(group.rank(victim));
      assertThat(group.reports("open", victim))
          .allSatisfy(
              report -> {
                assertThat(report.outcome()).as("%s", report).isEqualTo("BootstrapException");
                assertThat(report.missing()).as("%s", report).isEqualTo(Set.of(victim));
              });
      group.finish();
    }
  }

  /** No two of them see each other's processes; only rank 2 looks at the victim's count. */
  @ParameterizedTest
  @ValueSource(strings = {"set .*/peer/3", "set .*/connected/3"})
  void oneThatHadComeOnAnotherHostIsMissedSoon(String held) throws Exception {
    int victim = 3;
    try (TwoHosts hosts = TwoHosts.open();
        Group group =
            hosts
                .house(Group.of(4, "auto").heartbeat(4).victim(victim).property("held at", held))
                .start("open")) {
      long killed = kill(group.rank(victim));
      assertAllLost("hosts " + held, group.reports("open", victim), victim, killed);
      group.finish();
    }
  }

  /** Processes of another user are not asked for: to core, as many ranks share a host. */
  private static Group.Options hosts(int size, int ranksPerHost) {
    return Group.of(size, "shm")
        .heartbeat(2)
        .prefix(r -> List.of("env", "JDK_JAVA_OPTIONS=-Duser.name=user" + r / ranksPerHost));
  }

  @ParameterizedTest
  @CsvSource({"4, 1", "2, 0", "2, 1", "2, 3", "1, 2"})
  void oneThatIsStoppedIsLost(int ranksPerHost, int victim) throws Exception {
    String held = "set .*/peer/" + victim;
    try (Group group =
        hosts(4, ranksPerHost).victim(victim).property("held at", held).start("open")) {
      group.rank(victim).await("HELD");
      long stopped = System.nanoTime();
      group.rank(victim).signal("STOP");
      String what = "stopped, " + ranksPerHost + " ranks a host";
      assertAllLost(what, group.reports("open", victim), victim, stopped);
      group.rank(victim).kill();
      group.finish();
    }
  }

  /** Nobody can leave word then: the store is stopped with it. */
  @Test
  void oneThatIsStoppedWithTheStoreIsLost() throws Exception {
    int victim = 0;
    int late = 2;
    try (Group group =
        hosts(3, 1)
            .rankZeroHostsTheStore()
            .victim(victim)
            .property("late", late)
            .property("counts", true)
            .start("open")) {
      group.rank(late).await("COUNTED");
      long stopped = System.nanoTime();
      group.rank(victim).signal("STOP");
      assertAllLost(
          "stopped with the store", List.of(group.rank(1).report("open")), victim, stopped);
      group.rank(victim).kill();
      group.rank(late).kill();
      group.finish();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void oneThatWasStoppedForAWhileCostsNothingButTime(int ranksPerHost) throws Exception {
    try (Group group = hosts(3, ranksPerHost).heartbeat(60).property("late", 2).start("open")) {
      group.letRun(Duration.ofSeconds(2));
      group.rank(1).signal("STOP");
      group.letRun(Duration.ofSeconds(3));
      group.rank(1).signal("CONT");
      group.rank(2).tell("act");
      assertThat(group.reports("open", -1))
          .allSatisfy(report -> assertThat(report.ok()).as("%s", report).isTrue());
      group.finish();
    }
  }
}
