package dev.jcomms.jccl.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes that perform random sequences of operations over several communicators, splits inside
 * splits, when one of them is killed or stopped at a random moment: on communicators it is a member
 * of, every other member learns which rank is lost; on the others all goes on; every result until
 * then is right.
 *
 * <p>A failure names its seed. {@code -Djcomms.chaos.seed=N} begins there, {@code
 * -Djcomms.chaos.seeds=N} tries so many.
 */
final class RandomDeathsTest {
  private static final long FIRST = Long.getLong("jcomms.chaos.seed", 1);
  private static final long SEEDS = Long.getLong("jcomms.chaos.seeds", 1);
  private static final Duration HEARTBEAT = Duration.ofSeconds(2);
  private static final int LATEST_MILLIS = 1500;
  private static final Pattern FAILED_COMM = Pattern.compile("(world|part) .* of \\[(.*)]");

  /** What happens to one of them. */
  private interface Trouble {
    void strikes(Group group, int victim) throws Exception;
  }

  private interface Verdict {
    void on(Group group, int victim, long struckNanos, String what) throws Exception;
  }

  private static void often(String transport, Duration heartbeat, Trouble trouble, Verdict verdict)
      throws Exception {
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      Random random = new Random(seed * 0x9E3779B97F4A7C15L); // neighbours begin alike otherwise
      int size = 2 + random.nextInt(4);
      int victim = random.nextInt(size);
      try (Group group =
          Group.of(size, transport)
              .heartbeat(heartbeat.toSeconds())
              .property("seed", seed)
              .start("random")) {
        group.awaitReady().letRun(Duration.ofMillis(random.nextInt(LATEST_MILLIS)));
        long struck = System.nanoTime();
        trouble.strikes(group, victim);
        String what =
            "jcomms.chaos.seed=%d %s, rank %d of %d".formatted(seed, transport, victim, size);
        verdict.on(group, victim, struck, what);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "two-level"})
  void survivorsLearnWhoWasKilledAndOthersDoNotMind(String transport) throws Exception {
    often(
        transport,
        Duration.ofSeconds(5),
        (group, victim) -> group.rank(victim).kill(),
        (group, victim, killed, what) -> {
          assertAllToldOf(what + " killed", group, victim, killed, Group.SOON);
          group.finish();
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "two-level"})
  void survivorsLearnWhoHasStoppedForGood(String transport) throws Exception {
    often(
        transport,
        HEARTBEAT,
        (group, victim) -> group.rank(victim).signal("STOP"),
        (group, victim, stopped, what) -> {
          Duration limit = HEARTBEAT.plus(Group.SOON);
          assertAllToldOf(what + " stopped", group, victim, stopped, limit);
          group.rank(victim).kill();
          group.finish();
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp"})
  void aRankThatWasStoppedForAWhileCostsNothingButTime(String transport) throws Exception {
    often(
        transport,
        Duration.ofSeconds(5),
        (group, victim) -> {
          group.rank(victim).signal("STOP");
          group.letRun(Duration.ofSeconds(3));
          group.rank(victim).signal("CONT");
        },
        (group, _, _, what) -> {
          group.finish();
          for (Report played : group.reports("played", -1)) {
            assertThat(group.rank(played.rank()).reports())
                .as("%s paused", what)
                .containsExactly(played);
            assertThat(played.ok()).as("%s paused: %s", what, played).isTrue();
          }
        });
  }

  private static void assertAllToldOf(
      String what, Group group, int victim, long sinceNanos, Duration limit) throws Exception {
    Duration slowest = Duration.ZERO;
    String slowestCall = "";
    List<Report> all = new ArrayList<>();
    for (Report played : group.reports("played", victim)) {
      assertThat(played.ok()).as("%s: %s", what, played).isTrue();
      List<Report> failures = new ArrayList<>(group.rank(played.rank()).reports());
      failures.removeIf(report -> report.label().equals("played"));
      assertThat(failures)
          .as("%s: what rank %d has lost", what, played.rank())
          .filteredOn(report -> report.label().startsWith("world"))
          .hasSize(2);
      all.addAll(failures);
      for (Report failure : failures) {
        assertNames(what, failure, victim);
        Duration took = took(failure, sinceNanos);
        assertThat(took).as("%s: %s", what, failure).isLessThan(limit);
        if (took.compareTo(slowest) > 0) {
          slowest = took;
          slowestCall = failure.message().replaceFirst(" lost rank .*", "");
        }
      }
    }
    String call = ", " + slowestCall + " within " + slowest.toMillis() + " ms, all";
    Group.latest(what + call, all, sinceNanos);
  }

  private static void assertNames(String what, Report failure, int victim) {
    Matcher comm = FAILED_COMM.matcher(failure.label());
    assertThat(comm.matches()).as("%s: %s", what, failure).isTrue();
    List<Integer> members = Arrays.stream(comm.group(2).split(", ")).map(Integer::valueOf).toList();
    assertThat(members).as("%s: %s", what, failure).contains(victim);
    assertThat(failure.outcome()).as("%s: %s", what, failure).isEqualTo("PeerLostException");
    assertThat(failure.missing())
        .as("%s: %s", what, failure)
        .isEqualTo(Set.of(members.indexOf(victim)));
  }

  /** From the moment, or from the call if that came later: an idle communicator tells nobody. */
  private static Duration took(Report failure, long sinceNanos) {
    Duration since = Duration.ofNanos(failure.atNanos() - sinceNanos);
    Duration call = Duration.ofMillis(failure.millis());
    return since.compareTo(call) < 0 ? since : call;
  }
}
