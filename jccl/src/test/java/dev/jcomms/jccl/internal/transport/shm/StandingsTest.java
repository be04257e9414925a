package dev.jcomms.jccl.internal.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.PeerLostException;
import dev.jcomms.jccl.internal.transport.Alarm;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a rank says of itself on its board, while others of its threads are late. */
final class StandingsTest {
  private static final long SECONDS = 30;

  private final Boards boards = new Boards(Arena.ofAuto().allocate(2 * Boards.BOARD, 4096));
  private final Alarm alarm = new Alarm(0);

  private Standings standings() {
    Standings standings = new Standings(boards, 0, List.of(0, 1), alarm);
    standings.heedAlarm();
    return standings;
  }

  @Test
  void whoLeavesBeforeTheOneThatRaisedTheAlarmHasToldOfItTellsOfItItself() throws Exception {
    CountDownLatch raised = new CountDownLatch(1);
    CountDownLatch left = new CountDownLatch(1);
    alarm.listen(
        _ -> {
          raised.countDown();
          await(left);
        });
    Standings standings = standings();
    CommException lost = new PeerLostException(Set.of(1), "rank 1 is lost");
    CompletableFuture<Boolean> raising = CompletableFuture.supplyAsync(() -> alarm.raise(lost));
    await(raised);
    try {
      standings.leave();
      assertThat(boards.state(0)).isEqualTo(Boards.State.LOST);
      assertThat(boards.subjects(0)).containsExactly(1);
      assertThat(boards.text(0)).isEqualTo("rank 1 is lost");
    } finally {
      left.countDown();
    }
    assertThat(raising.get(SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(boards.state(0)).isEqualTo(Boards.State.LOST);
  }

  @Test
  void whatWasSaidFirstStays() {
    Standings standings = standings();
    alarm.raise(new CommAbortedException("enough"));
    standings.leave();
    assertThat(boards.state(0)).isEqualTo(Boards.State.ABORTED);
    assertThat(boards.text(0)).isEqualTo("enough");
  }

  @Test
  void whoLeavesWithoutFailureHasClosed() {
    Standings standings = standings();
    standings.leave();
    alarm.raise(new CommAbortedException("late"));
    assertThat(boards.state(0)).isEqualTo(Boards.State.CLOSED);
  }

  @Test
  void whoIsGivenUpNamesWhoHasGivenItUp() {
    Standings standings = standings();
    boards.declare(1, Boards.State.LOST, Set.of(0), "rank 0 is lost: stopped");
    standings.notice(Standings.NOBODY, () -> true, true);
    assertThat(alarm.failure().missingRanks()).containsExactly(1);
    assertThat(alarm.failure()).hasMessageContaining("rank 1 has given this rank up: rank 0 is");
    assertThat(alarm.elsewhere().missingRanks()).containsExactly(0);
  }

  /** As whoever is told of a failure may, on another thread. */
  @Test
  void whoHearsTheAlarmCanLookAtTheBoards() throws Exception {
    Standings standings = standings();
    alarm.listen(_ -> await(looked(standings)));
    Standings.Found found = Standings.Found.here(new CommAbortedException("enough"));
    CompletableFuture.runAsync(() -> standings.raise(() -> found)).get(SECONDS, TimeUnit.SECONDS);
    assertThat(alarm.isRaised()).isTrue();
  }

  private static CountDownLatch looked(Standings standings) {
    CountDownLatch looked = new CountDownLatch(1);
    Thread.ofVirtual()
        .start(
            () -> {
              standings.left(1);
              standings.raise(() -> null);
              looked.countDown();
            });
    return looked;
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(SECONDS, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
