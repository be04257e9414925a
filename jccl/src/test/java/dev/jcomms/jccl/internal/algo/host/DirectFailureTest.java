package dev.jcomms.jccl.internal.algo.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jcomms.Collective;
import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Aside;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import dev.jcomms.jccl.internal.transport.shm.Sight;
import dev.jcomms.jccl.internal.transport.shm.Standings;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A rank gives up while another is slow to read its tensors, and its caller overwrites them: the
 * slow one must not take what it then reads for a result.
 */
final class DirectFailureTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final OpOptions DIRECT = OpOptions.hint("algorithm", "direct");
  private static final long STAGE = 64 << 10;

  /** Far shorter than a rank that has failed waits for others, who may stand still meanwhile. */
  private static final Duration BRIEF = Duration.ofMillis(20);

  private static final IOException NOT_PERMITTED = new IOException("not permitted");
  private static final int HASTY = 0;
  private static final int SLOW = 1;
  private static final Shape WHOLE = Shape.of(200_000);
  private static final Shape HALF = Shape.of(100_000);

  /** An operation over tensors of more than a stage, and how they are had. */
  private enum Case {
    MOVE(x -> new Collective.AllGatherSingle(Tensor.zeros(Shape.of(400_000)), x), Reach.Way.MAPPED),
    BROADCAST(x -> new Collective.Broadcast(x, HASTY), Reach.Way.MAPPED),
    BROADCAST_BY_THE_SLOW(x -> new Collective.Broadcast(x, SLOW), Reach.Way.MAPPED),
    REDUCE(x -> new Collective.AllReduce(x, x, ReduceOp.SUM), Reach.Way.MAPPED),
    REDUCE_TO_ROOT(x -> new Collective.Reduce(x, SLOW, ReduceOp.SUM), Reach.Way.MAPPED),
    REDUCE_SCATTER(Case::reduceScatter, Reach.Way.MAPPED),
    PULLED_REDUCE(x -> new Collective.AllReduce(x, x, ReduceOp.SUM), Reach.Way.READABLE),
    PULLED_REDUCE_TO_ROOT(x -> new Collective.Reduce(x, SLOW, ReduceOp.SUM), Reach.Way.READABLE),
    PULLED_REDUCE_SCATTER(Case::reduceScatter, Reach.Way.READABLE);

    final Function<Tensor, Collective> op;
    final Reach.Way way;

    Case(Function<Tensor, Collective> op, Reach.Way way) {
      this.op = op;
      this.way = way;
    }

    private static Collective reduceScatter(Tensor input) {
      return new Collective.ReduceScatterSingle(Tensor.zeros(HALF), input, ReduceOp.SUM);
    }
  }

  private final MemorySegment memory = Arena.ofAuto().allocate(Floor.bytes(2, STAGE), 4096);
  private final Object[] shown = new Object[2];
  private final List<Alarm> alarms = List.of(new Alarm(0), new Alarm(1));

  /** Ranks that did not trust the others to be done with their memory. */
  private final Set<Integer> withdrawn = ConcurrentHashMap.newKeySet();

  private Floor floor(int rank) {
    return new Floor(memory, rank, List.of(0, 1), STAGE, alarms.get(rank), new Aside(), () -> {});
  }

  private HostEngine engine(int rank, Reach.Way way, Runnable beforeTouching) {
    Floor floor = floor(rank);
    return new HostEngine(
        floor, new Slow(floor, shown, way, beforeTouching), true, null, Sight.none(), 1);
  }

  private Deadline deadline(int rank) {
    return new Deadline(PATIENCE, alarms.get(rank));
  }

  @ParameterizedTest
  @EnumSource
  void whoReadsWhatTheOwnerHasTakenBackFails(Case asked) throws Exception {
    CountDownLatch overwritten = new CountDownLatch(1);
    Tensor taken = Tensor.full(WHOLE, 1);
    HostEngine slow = engine(SLOW, asked.way, () -> await(overwritten));
    CompletableFuture<Void> ended =
        CompletableFuture.runAsync(
            () -> slow.perform(asked.op.apply(taken), DIRECT, deadline(SLOW)));

    // From when it reads for the last time on: it ends in the last meeting.
    Tensor given = Tensor.full(WHOLE, 2);
    HostEngine hasty = engine(HASTY, asked.way, () -> Thread.currentThread().interrupt());
    try {
      assertThatThrownBy(() -> hasty.perform(asked.op.apply(given), DIRECT, deadline(HASTY)))
          .isInstanceOf(CommAbortedException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    given.fill(-1);
    overwritten.countDown();

    assertThatThrownBy(() -> ended.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .hasCauseInstanceOf(CommAbortedException.class)
        .hasMessageContaining("rank 0: the thread was interrupted");
  }

  /** When the hasty rank fails. */
  private CompletableFuture<Long> failing() {
    CompletableFuture<Long> nanos = new CompletableFuture<>();
    alarms.get(HASTY).listen(_ -> nanos.complete(System.nanoTime()));
    return nanos.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  /** What another has begun to write when a call fails, it ends before the call does. */
  @ParameterizedTest
  @EnumSource(names = {"REDUCE", "BROADCAST_BY_THE_SLOW"})
  void nobodyWritesIntoATensorAfterItsOwnersCallHasFailed(Case asked) throws Exception {
    CompletableFuture<Long> failing = failing();
    HostEngine slow =
        engine(
            SLOW,
            Reach.Way.MAPPED,
            () -> {
              failing.join();
              rest(BRIEF);
            });
    Collective op = asked.op.apply(Tensor.full(WHOLE, 1));
    CompletableFuture<Void> ended =
        CompletableFuture.runAsync(() -> slow.perform(op, DIRECT, deadline(SLOW)));
    HostEngine hasty = engine(HASTY, Reach.Way.MAPPED, () -> Thread.currentThread().interrupt());
    Tensor given = Tensor.full(WHOLE, 2);
    try {
      assertThatThrownBy(() -> hasty.perform(asked.op.apply(given), DIRECT, deadline(HASTY)))
          .isInstanceOf(CommAbortedException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    long nanos = System.nanoTime() - failing.join();
    given.fill(-1);
    assertThatThrownBy(() -> ended.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .hasCauseInstanceOf(CommAbortedException.class);
    assumeTrue(nanos < Standings.LAST_NANOS, "a machine that did not stand still");
    assertThat(given.toFloatArray()).containsOnly(-1);
    assertThat(withdrawn).isEmpty();
  }

  /** Which may be at it for good, as far as the owner can tell. */
  @Test
  void memoryIsWithdrawnFromWhoDoesNotEnd() throws Exception {
    CountDownLatch touching = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    HostEngine slow =
        engine(
            SLOW,
            Reach.Way.MAPPED,
            () -> {
              touching.countDown();
              await(over);
            });
    Collective op = Case.REDUCE.op.apply(Tensor.full(WHOLE, 1));
    CompletableFuture<Void> ended =
        CompletableFuture.runAsync(() -> slow.perform(op, DIRECT, deadline(SLOW)));
    HostEngine hasty =
        engine(
            HASTY,
            Reach.Way.MAPPED,
            () -> {
              await(touching);
              Thread.currentThread().interrupt();
            });
    Collective mine = Case.REDUCE.op.apply(Tensor.full(WHOLE, 2));
    try {
      assertThatThrownBy(() -> hasty.perform(mine, DIRECT, deadline(HASTY)))
          .isInstanceOfSatisfying(
              CommAbortedException.class,
              e ->
                  assertThat(e.at(new CommException.Site("main", "reduce", 0, HASTY, 2)))
                      .as("it is not lost on the way to the user")
                      .hasSuppressedException(NOT_PERMITTED));
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(withdrawn).containsExactly(HASTY);
    over.countDown();
    assertThatThrownBy(() -> ended.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .hasCauseInstanceOf(CommAbortedException.class);
    assertThat(withdrawn).as("rank 0 is done with rank 1's").containsExactly(HASTY);
  }

  /** Whatever it was that threw it out, it does nothing there any more. */
  @Test
  void whoWasThrownOutOfAnOperationIsNotWaitedFor() throws Exception {
    HostEngine slow =
        engine(
            SLOW,
            Reach.Way.MAPPED,
            () -> {
              throw new IllegalStateException("a fault");
            });
    Collective op = Case.REDUCE.op.apply(Tensor.full(WHOLE, 1));
    CompletableFuture<Void> ended =
        CompletableFuture.runAsync(() -> slow.perform(op, DIRECT, deadline(SLOW)));
    HostEngine hasty =
        engine(
            HASTY,
            Reach.Way.MAPPED,
            () -> {
              assertThatThrownBy(() -> ended.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                  .hasRootCauseMessage("a fault");
              Thread.currentThread().interrupt();
            });
    Collective mine = Case.REDUCE.op.apply(Tensor.full(WHOLE, 2));
    try {
      assertThatThrownBy(() -> hasty.perform(mine, DIRECT, deadline(HASTY)))
          .isInstanceOf(CommAbortedException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(withdrawn).doesNotContain(HASTY);
  }

  /** Its board says so at once, whatever its thread is in the middle of. */
  @Test
  void whoIsAbortedWhileItWritesIsWaitedFor() throws Exception {
    CompletableFuture<Long> failing = failing();
    HostEngine slow =
        engine(
            SLOW,
            Reach.Way.MAPPED,
            () -> {
              alarms.get(SLOW).raise(new CommAbortedException("enough"));
              failing.join();
              rest(BRIEF);
            });
    Collective op = Case.REDUCE.op.apply(Tensor.full(WHOLE, 1));
    CompletableFuture<Void> ended =
        CompletableFuture.runAsync(() -> slow.perform(op, DIRECT, deadline(SLOW)));
    HostEngine hasty = engine(HASTY, Reach.Way.MAPPED, () -> {});
    Tensor given = Tensor.full(WHOLE, 2);
    assertThatThrownBy(() -> hasty.perform(Case.REDUCE.op.apply(given), DIRECT, deadline(HASTY)))
        .isInstanceOf(CommAbortedException.class);
    long nanos = System.nanoTime() - failing.join();
    given.fill(-1);
    assertThatThrownBy(() -> ended.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .hasCauseInstanceOf(CommAbortedException.class);
    assumeTrue(nanos < Standings.LAST_NANOS, "a machine that did not stand still");
    assertThat(given.toFloatArray()).containsOnly(-1);
    assertThat(withdrawn).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void whoComesWhenAnotherHasGivenUpTouchesNothing(Case asked) throws Exception {
    HostEngine hasty = engine(HASTY, asked.way, () -> {});
    Tensor given = Tensor.full(WHOLE, 2);
    Deadline soon = new Deadline(Duration.ofMillis(100), alarms.get(HASTY));
    assertThatThrownBy(() -> hasty.perform(asked.op.apply(given), DIRECT, soon))
        .isInstanceOf(CommTimeoutException.class);
    given.fill(-1);
    CountDownLatch touched = new CountDownLatch(1);
    HostEngine late = engine(SLOW, asked.way, touched::countDown);
    Collective op = asked.op.apply(Tensor.full(WHOLE, 1));
    assertThatThrownBy(() -> late.perform(op, DIRECT, deadline(SLOW)))
        .isInstanceOf(CommAbortedException.class)
        .hasMessageContaining("rank 0 has given up");
    assertThat(touched.getCount()).as("rank 0's memory is left alone").isOne();
    assertThat(given.toFloatArray()).containsOnly(-1);
  }

  private static void rest(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** One that has only waited too long says so to who needs it, and this one does. */
  @Test
  void whoReadsWhatTheOwnerHasTakenBackInVainWaitingFails() throws Exception {
    CountDownLatch overwritten = new CountDownLatch(1);
    HostEngine slow = engine(SLOW, Reach.Way.MAPPED, () -> await(overwritten));
    Collective op = Case.MOVE.op.apply(Tensor.full(WHOLE, 1));
    CompletableFuture<Void> ended =
        CompletableFuture.runAsync(() -> slow.perform(op, DIRECT, deadline(SLOW)));
    HostEngine hasty = engine(HASTY, Reach.Way.MAPPED, () -> {});
    Deadline soon = new Deadline(Duration.ofMillis(300), alarms.get(HASTY));
    Collective own = Case.MOVE.op.apply(Tensor.full(WHOLE, 2));
    assertThatThrownBy(() -> hasty.perform(own, DIRECT, soon))
        .isInstanceOf(CommTimeoutException.class);
    overwritten.countDown();
    assertThatThrownBy(() -> ended.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .hasCauseInstanceOf(CommAbortedException.class)
        .hasMessageContaining("rank 0 has given up");
  }

  @Test
  void whenACallHasFailedTheOthersCanKnow() throws Exception {
    CountDownLatch raised = new CountDownLatch(1);
    CountDownLatch failed = new CountDownLatch(1);
    Alarm alarm = alarms.get(HASTY);
    // Before the floor listens: who raises the alarm does not come to tell it.
    alarm.listen(
        _ -> {
          raised.countDown();
          await(failed);
        });
    HostEngine hasty = engine(HASTY, Reach.Way.MAPPED, () -> {});
    CompletableFuture<Boolean> raising =
        CompletableFuture.supplyAsync(() -> alarm.raise(new CommAbortedException("enough")));
    await(raised);
    try {
      Collective op = Case.MOVE.op.apply(Tensor.full(WHOLE, 2));
      assertThatThrownBy(() -> hasty.perform(op, DIRECT, deadline(HASTY)))
          .isInstanceOf(CommAbortedException.class);
      floor(SLOW).look();
      assertThat(alarms.get(SLOW).isRaised()).isTrue();
      assertThat(alarms.get(SLOW).failure()).hasMessageContaining("enough");
    } finally {
      failed.countDown();
    }
    assertThat(raising.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Reach between threads that takes its time before it reads what another rank gives last, its
   * pieces or, where that is read too, its output; and before it writes to another's output.
   */
  private final class Slow implements Reach {
    private final Floor floor;
    private final LocalReach reach;
    private final Way given;
    private final Runnable beforeTouching;
    private boolean outputsAreRead;
    private boolean touched;

    Slow(Floor floor, Object[] shown, Way given, Runnable beforeTouching) {
      this.floor = floor;
      this.reach = new LocalReach(floor, shown);
      this.given = given;
      this.beforeTouching = beforeTouching;
    }

    private void touching(int rank) {
      if (rank != floor.rank()) {
        touched = true;
        beforeTouching.run();
      }
    }

    @Override
    public void show(MemorySegment[] pieces, MemorySegment whole, MemorySegment output) {
      reach.show(pieces, whole, output);
    }

    @Override
    public void requireIntact() {}

    @Override
    public long patienceNanos() {
      return Standings.LAST_NANOS;
    }

    @Override
    public void withdraw() throws IOException {
      withdrawn.add(floor.rank());
      throw NOT_PERMITTED;
    }

    @Override
    public Way way(int giver, int taker) {
      outputsAreRead = given == Way.READABLE && taker == Move.ALL;
      return reach.way(giver, taker) == Way.MAPPED ? given : Way.NONE;
    }

    @Override
    public MemorySegment piece(int rank, int index, long bytes) {
      touching(rank);
      return reach.piece(rank, index, bytes);
    }

    @Override
    public MemorySegment output(int rank, long bytes) {
      if (!touched) {
        touching(rank);
      }
      return reach.output(rank, bytes);
    }

    @Override
    public void readPiece(
        int rank, int index, long of, long at, MemorySegment into, long intoAt, long bytes) {
      if (!outputsAreRead) {
        touching(rank);
      }
      reach.readPiece(rank, index, of, at, into, intoAt, bytes);
    }

    @Override
    public void readOutput(int rank, long at, MemorySegment into, long intoAt, long bytes) {
      touching(rank);
      reach.readOutput(rank, at, into, intoAt, bytes);
    }

    @Override
    public void forget() {
      reach.forget();
    }
  }
}
