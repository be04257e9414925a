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

/**
 * Processes that perform random sequences of operations over several communicators, splits inside
 * splits, when something happens to one of them or to all at a random moment.
 *
 * <p>A failure names its seed. {@code -Djcomms.chaos.seed=N} begins there, {@code
 * -Djcomms.chaos.seeds=N} tries so many.
 */
final class RandomPlay {
  private static final long FIRST = Long.getLong("jcomms.chaos.seed", 1);
  private static final long SEEDS = Long.getLong("jcomms.chaos.seeds", 1);
  private static final int LATEST_MILLIS = 1500;
  private static final Pattern FAILED_COMM = Pattern.compile("(world|part) .* of \\[(.*)]");

  private final String what;
  private final Group group;
  private final int victim;
  private final long struckNanos;

  private RandomPlay(String what, Group group, int victim, long struckNanos) {
    this.what = what;
    this.group = group;
    this.victim = victim;
    this.struckNanos = struckNanos;
  }

  /** What happens at a random moment. */
  interface Trouble {
    void strikes(Group group, int victim) throws Exception;
  }

  /** What is asked then. */
  interface Verdict {
    void on(RandomPlay play) throws Exception;
  }

  /** Where the ranks are, and what happens to them there. */
  interface Stage {
    /**
     * @param random for what is random about it
     * @param scene played once
     */
    void set(Group.Options options, Random random, Scene scene) throws Exception;
  }

  /** What goes on there. */
  interface Scene {
    void play(Group.Options options, Trouble trouble) throws Exception;
  }

  /** On one host. */
  static Stage onHost(Trouble trouble) {
    return (options, _, scene) -> scene.play(options, trouble);
  }

  static void often(String transport, Stage stage, Duration heartbeat, Verdict verdict)
      throws Exception {
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      Random random = new Random(seed * 0x9E3779B97F4A7C15L); // neighbours begin alike otherwise
      int size = 2 + random.nextInt(4);
      int victim = random.nextInt(size);
      Duration quiet = Duration.ofMillis(random.nextInt(LATEST_MILLIS));
      String what =
          "jcomms.chaos.seed=%d %s, rank %d of %d".formatted(seed, transport, victim, size);
      stage.set(
          Group.of(size, transport)
              .heartbeat(heartbeat.toSeconds())
              .property("threads", 1 + seed % 3)
              .property("seed", seed),
          random,
          (options, trouble) -> {
            try (Group group = options.start("random")) {
              group.awaitReady().letRun(quiet);
              long struck = System.nanoTime();
              trouble.strikes(group, victim);
              verdict.on(new RandomPlay(what, group, victim, struck));
            }
          });
    }
  }

  Group group() {
    return group;
  }

  int victim() {
    return victim;
  }

  /** Every result until the end was right. */
  void requireAllRight(String how) throws Exception {
    group.finish();
    for (Report played : group.reports("played", -1)) {
      assertThat(group.rank(played.rank()).reports())
          .as("%s %s", what, how)
          .containsExactly(played);
      assertThat(played.ok()).as("%s %s: %s", what, how, played).isTrue();
    }
    System.out.println(
        "reliability: %s %s: %s, all right"
            .formatted(what, how, group.rank(0).report("played").message()));
  }

  /**
   * On communicators the victim is a member of, every other member has learnt in time that it is
   * lost; on the others all went on; every result until then was right.
   */
  void requireAllToldOf(String how, Duration limit) throws Exception {
    String what = this.what + " " + how;
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
        requireNames(what, failure);
        Duration took = took(failure);
        assertThat(took).as("%s: %s", what, failure).isLessThan(limit);
        if (took.compareTo(slowest) > 0) {
          slowest = took;
          slowestCall = failure.message().replaceFirst(" lost rank .*", "");
        }
      }
    }
    String call = ", " + slowestCall + " within " + slowest.toMillis() + " ms, all";
    Group.latest(what + call, all, struckNanos);
  }

  private void requireNames(String what, Report failure) {
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
  private Duration took(Report failure) {
    Duration since = Duration.ofNanos(failure.atNanos() - struckNanos);
    Duration call = Duration.ofMillis(failure.millis());
    return since.compareTo(call) < 0 ? since : call;
  }
}
