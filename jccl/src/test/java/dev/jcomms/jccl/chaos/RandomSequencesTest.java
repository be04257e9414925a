package dev.jcomms.jccl.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Comm;
import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.PeerLostException;
import dev.jcomms.store.HashStore;
import dev.jcomms.tensor.Device;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random sequences of operations over several communicators, splits inside splits, on ranks that
 * are threads; every result is compared with what it must be. Then the same with one rank that does
 * something else at a random moment: on communicators it has no part in all goes on, on the others
 * everybody is told, by the right exception.
 *
 * <p>A failure names its seed. {@code -Djcomms.chaos.seed=N} begins there, {@code
 * -Djcomms.chaos.seconds=N} goes on for so long in each test instead of a few seeds.
 */
final class RandomSequencesTest {
  private static final long FIRST = Long.getLong("jcomms.chaos.seed", 1);
  private static final long NANOS = Long.getLong("jcomms.chaos.seconds", 0) * 1_000_000_000;
  private static final int SEEDS = 2;
  private static final int STEPS = 50;
  private static final Duration PATIENCE = Duration.ofSeconds(100);

  /** What a script may take, before an operation has been waited for in vain. */
  private static final Duration LONGEST = Duration.ofSeconds(90);

  private interface Run {
    void with(long seed) throws Exception;
  }

  private static void often(Run run) throws Exception {
    long start = System.nanoTime();
    for (long seed = FIRST; seed < FIRST + SEEDS || System.nanoTime() - start < NANOS; seed++) {
      try {
        run.with(seed);
      } catch (TimeoutException e) {
        throw new AssertionError("jcomms.chaos.seed=" + seed + ": " + e.getMessage(), e);
      }
    }
  }

  /** Where all threads are. */
  private static String threads() {
    StringBuilder text = new StringBuilder("threads:\n");
    Thread.getAllStackTraces()
        .forEach(
            (thread, stack) -> {
              text.append(thread).append('\n');
              Arrays.stream(stack).forEach(frame -> text.append("  ").append(frame).append('\n'));
            });
    return text.toString();
  }

  /** How communicators failed, by rank. */
  private static List<Map<Script.Node, Throwable>> play(
      Script script, int size, int largest, Map<String, String> hints, Trouble trouble)
      throws Exception {
    try (HashStore store = HashStore.create();
        ExecutorService threads = Executors.newFixedThreadPool(size)) {
      List<Future<Map<Script.Node, Throwable>>> ends = new ArrayList<>();
      for (int r = 0; r < size; r++) {
        int rank = r;
        ends.add(threads.submit(() -> play(script, rank, size, largest, hints, trouble, store)));
      }
      List<Map<Script.Node, Throwable>> failures = new ArrayList<>();
      for (Future<Map<Script.Node, Throwable>> end : ends) {
        failures.add(get(end, trouble));
      }
      return failures;
    }
  }

  private static <T> T get(Future<T> end, Trouble trouble) throws Exception {
    try {
      return end.get(LONGEST.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new TimeoutException(trouble + ": a rank hangs; " + threads());
    }
  }

  private static Map<Script.Node, Throwable> play(
      Script script,
      int rank,
      int size,
      int largest,
      Map<String, String> hints,
      Trouble trouble,
      HashStore store) {
    try (Player player = new Player(rank, largest, trouble, (_, _, _) -> {})) {
      List<Comm> worlds = new ArrayList<>();
      for (Script.Node world : script.worlds()) {
        Comm.Builder builder =
            Comm.newBuilder("jccl", Device.CPU)
                .name("world" + world.id())
                .ranks(rank, size)
                .store(store)
                .timeout(PATIENCE)
                .initTimeout(PATIENCE);
        hints.forEach(builder::hint);
        worlds.add(builder.build());
      }
      player.play(script, worlds);
      Thread.interrupted();
      return player.failures();
    }
  }

  private static Map<String, String> hints(String transport) {
    return transport.equals("two-level")
        ? Map.of("ranks_per_host", "2", "host.threads", "3")
        : Map.of("transport", transport, "host.threads", "3");
  }

  /** With many elements, several threads of a rank have something to do. */
  @ParameterizedTest
  @CsvSource({
    "1, local, 20000",
    "4, local, 20000",
    "3, local, 1500000",
    "2, shm, 20000",
    "2, shm, 1500000",
    "7, shm, 20000",
    "3, tcp, 20000",
    "8, tcp, 20000",
    "4, two-level, 20000",
    "4, two-level, 1500000",
    "7, two-level, 20000"
  })
  void everyResultOfEveryRankIsRight(int size, String transport, int largest) throws Exception {
    often(
        seed -> {
          Script script = new Script(seed, size, STEPS);
          for (Map<Script.Node, Throwable> failures :
              play(script, size, largest, hints(transport), Trouble.NONE)) {
            rethrow(seed, failures);
          }
        });
  }

  private static void rethrow(long seed, Map<Script.Node, Throwable> failures) {
    failures.forEach(
        (node, failure) -> {
          throw new AssertionError("jcomms.chaos.seed=" + seed + ": " + node, failure);
        });
  }

  @ParameterizedTest
  @CsvSource({
    "3, local, 20000",
    "2, local, 1500000",
    "4, shm, 20000",
    "3, shm, 1500000",
    "3, tcp, 20000",
    "4, two-level, 20000"
  })
  void whoeverIsInvolvedIsToldAndNobodyElseMinds(int size, String transport, int largest)
      throws Exception {
    for (Trouble.Kind kind : Trouble.Kind.values()) {
      often(
          seed -> {
            Script script = new Script(seed, size, STEPS);
            Trouble trouble = Trouble.any(kind, script, size, seed);
            List<Map<Script.Node, Throwable>> failures =
                play(script, size, largest, hints(transport), trouble);
            String what = "jcomms.chaos.seed=" + seed + " " + transport + " " + trouble;
            judge(what, script, trouble, failures);
          });
    }
  }

  private static void judge(
      String what, Script script, Trouble trouble, List<Map<Script.Node, Throwable>> failures) {
    Script.Node node = trouble == Trouble.NONE ? null : trouble.step().node();
    // Whoever never had to wait has not noticed an interrupt.
    boolean noticed =
        node != null
            && script.keeps(node)
            && (trouble.kind() != Trouble.Kind.IS_INTERRUPTED
                || failures.get(trouble.rank()).containsKey(node));
    for (int r = 0; r < failures.size(); r++) {
      int rank = r;
      String who = what + ": rank " + rank;
      Map<Script.Node, Throwable> failed = failures.get(rank);
      failed.forEach(
          (other, failure) -> {
            assertThat(other).as("%s: %s", who, failure).isEqualTo(node);
            assertThat(failure).as(who).isInstanceOf(expected(trouble, rank));
          });
      if (noticed && node.ranks().contains(rank)) {
        assertThat(failed).as(who).containsKey(node);
      }
    }
  }

  private static Class<? extends CommException> expected(Trouble trouble, int rank) {
    return switch (trouble.kind()) {
      case DISAGREES -> CommMismatchException.class;
      case CLOSES -> rank == trouble.rank() ? CommAbortedException.class : PeerLostException.class;
      default -> CommAbortedException.class;
    };
  }
}
