package dev.jcomms.jccl.internal.algo.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Collective;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Aside;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Operations whose tensors cannot be had directly, because one rank's are for its thread alone. */
final class AttemptsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final OpOptions DIRECT = OpOptions.hint("algorithm", "direct");
  private static final long STAGE = 64 << 10;
  private static final int ELEMENTS = 10_000;
  private static final int SHY = 1;

  /** More phases than the longest pause between attempts. */
  private static final int LONG = 1100;

  /** What is done with a tensor that holds the rank and one, and what it must hold then. */
  private enum Case {
    ALL_REDUCE(x -> new Collective.AllReduce(x, x, ReduceOp.SUM), 3),
    REDUCE(x -> new Collective.Reduce(x, SHY, ReduceOp.SUM), 3),
    BROADCAST(x -> new Collective.Broadcast(x, SHY), 2);

    final Function<Tensor, Collective> op;
    final float result;

    Case(Function<Tensor, Collective> op, float result) {
      this.op = op;
      this.result = result;
    }
  }

  private final MemorySegment memory = Arena.ofAuto().allocate(Floor.bytes(2, STAGE), 4096);
  private final Object[] shown = new Object[2];

  /** One rank, in a thread of its own. */
  private final class Rank {
    final Alarm alarm = new Alarm(0);
    final Floor floor;
    final HostEngine engine;

    Rank(int rank) {
      floor = new Floor(memory, rank, List.of(0, 1), STAGE, alarm, new Aside(), () -> {});
      engine = new HostEngine(floor, new LocalReach(floor, shown), true, null, null, 1);
    }

    /** Performs an operation and says how it was done. */
    String perform(Case asked, boolean shy, int elements, OpOptions options) {
      try (Arena own = Arena.ofConfined()) {
        Shape shape = Shape.of(elements);
        Tensor x =
            shy && floor.rank() == SHY
                ? Tensor.wrap(own.allocate(4L * elements, 64), DType.F32, shape)
                : Tensor.zeros(shape);
        x.fill(floor.rank() + 1);
        Collective op = asked.op.apply(x);
        engine.perform(op, options, new Deadline(PATIENCE, alarm));
        if (floor.rank() == SHY || asked != Case.REDUCE) {
          assertThat(x.getFloat(0)).isEqualTo(asked.result);
          assertThat(x.getFloat(elements - 1)).isEqualTo(asked.result);
        }
        return engine.algorithm(op, options);
      }
    }

    String perform(Case asked, boolean shy) {
      return perform(asked, shy, ELEMENTS, OpOptions.DEFAULT);
    }

    /** How many phases such an operation takes. */
    long phases(Case asked, boolean shy) {
      long before = floor.phase();
      perform(asked, shy);
      return floor.phase() - before;
    }
  }

  /** What both ranks find, which must be the same. */
  private <T> T both(Function<Rank, T> program) throws Exception {
    List<CompletableFuture<T>> ended = new ArrayList<>();
    for (int r = 0; r < 2; r++) {
      Rank rank = new Rank(r);
      ended.add(CompletableFuture.supplyAsync(() -> program.apply(rank), AttemptsTest::start));
    }
    T first = ended.getFirst().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(ended.getLast().get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(first);
    return first;
  }

  private static void start(Runnable program) {
    Thread.ofPlatform().daemon().start(program);
  }

  @ParameterizedTest
  @EnumSource
  void whatWasInVainIsNotAttemptedAgainAtOnce(Case asked) throws Exception {
    List<Long> phases =
        both(
            rank -> {
              List<Long> each = new ArrayList<>();
              for (int i = 0; i < 100; i++) {
                each.add(rank.phases(asked, true));
              }
              return each;
            });
    long staged = phases.get(1);
    assertThat(phases.getFirst()).isEqualTo(staged + 1);
    assertThat(phases).containsOnly(staged, staged + 1);
    assertThat(phases.stream().filter(p -> p > staged).count()).isBetween(2L, 7L);
  }

  @ParameterizedTest
  @EnumSource
  void whatCanBeHadIsFoundAgain(Case asked) throws Exception {
    List<String> found =
        both(
            rank -> {
              List<String> done = new ArrayList<>();
              done.add(rank.perform(asked, false));
              while (rank.floor.phase() < 4 * LONG) {
                rank.perform(asked, true);
              }
              long end = rank.floor.phase() + LONG;
              done.add(rank.perform(asked, true));
              while (rank.floor.phase() < end) {
                rank.perform(asked, false);
              }
              done.add(rank.perform(asked, false));
              return done;
            });
    assertThat(found).containsExactly("direct", "staged", "direct");
  }

  @Test
  void ofOtherOperationsNothingIsLearned() throws Exception {
    List<String> done =
        both(
            rank ->
                List.of(
                    rank.perform(Case.ALL_REDUCE, true),
                    rank.perform(Case.ALL_REDUCE, false),
                    rank.perform(Case.BROADCAST, false),
                    rank.perform(Case.ALL_REDUCE, false, ELEMENTS + 1, OpOptions.DEFAULT)));
    assertThat(done).containsExactly("staged", "staged", "direct", "direct");
  }

  @Test
  void whoAsksForItGetsAnAttemptEachTime() throws Exception {
    List<String> done =
        both(
            rank ->
                List.of(
                    rank.perform(Case.ALL_REDUCE, true, ELEMENTS, DIRECT),
                    rank.perform(Case.ALL_REDUCE, false, ELEMENTS, DIRECT)));
    assertThat(done).containsExactly("staged", "direct");
  }
}
