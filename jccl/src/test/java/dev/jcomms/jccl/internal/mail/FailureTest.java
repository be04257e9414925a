package dev.jcomms.jccl.internal.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.jcomms.Collective;
import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.OpOptions;
import dev.jcomms.PeerLostException;
import dev.jcomms.Work;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Roster.Transport;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How mail ends when something goes wrong, whatever the ranks are reached by. */
class FailureTest {
  private static final OpOptions LONG = OpOptions.timeout(Duration.ofSeconds(60));
  private static final OpOptions SHORT = OpOptions.timeout(Duration.ofMillis(150));

  private static Collective send(long elements, int dst) {
    return new Collective.Send(PointToPointTest.message(0, dst, 0, elements), dst, 0);
  }

  private static Collective recv(Tensor tensor, int src) {
    return new Collective.Recv(tensor, src, 0);
  }

  private static CommException failure(Runnable call) {
    return catchThrowableOfType(CommException.class, call::run);
  }

  private static CommException awaitAlarm(Alarm alarm) throws Exception {
    CompletableFuture<CommException> raised = new CompletableFuture<>();
    alarm.listen(raised::complete);
    return raised.get(Rooms.PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  @AfterEach
  void noThreadIsLeft() {
    Rooms.assertNoThreadIsLeft();
  }

  @ParameterizedTest
  @EnumSource
  void ranksThatDisagreeAreToldAndSoAreTheOthers(Transport transport) throws Exception {
    try (Rooms rooms = Rooms.open(transport, 3)) {
      rooms.run(
          (rank, room) -> {
            if (rank == 0) {
              // It waits for its receive, as large as it is.
              CommException e = failure(() -> room.perform(send(100_000, 1), LONG));
              assertThat(e)
                  .isInstanceOf(CommMismatchException.class)
                  .hasMessageContaining("100000 x i64")
                  .hasMessageContaining("99999 x i64");
            } else if (rank == 1) {
              Tensor tensor = PointToPointTest.empty(99_999);
              CommException e = failure(() -> room.perform(recv(tensor, 0), LONG));
              assertThat(e)
                  .isInstanceOf(CommMismatchException.class)
                  .hasMessageContaining(
                      "rank 1 has recv of 99999 x i64, rank 0 has send of 100000 x i64");
              assertThat(tensor.toLongArray()).containsOnly(-1);
            } else {
              CommException e =
                  failure(() -> room.perform(recv(PointToPointTest.empty(1), 0), LONG));
              assertThat(e)
                  .isInstanceOf(CommMismatchException.class)
                  .hasMessageContaining("99999 x i64");
            }
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void aReceiveThatTimesOutNamesThePeerAndIsNotWrittenLater(Transport transport) {
    try (Rooms rooms = Rooms.open(transport, 2)) {
      CountDownLatch timedOut = new CountDownLatch(2);
      rooms.run(
          (rank, room) -> {
            Tensor one = PointToPointTest.empty(10);
            Tensor two = PointToPointTest.empty(10);
            if (rank == 0) {
              Work work = room.submit(recv(one, 1), SHORT);
              CommException e = failure(() -> work.await(Rooms.PATIENCE));
              assertThat(e)
                  .isInstanceOf(CommTimeoutException.class)
                  .hasMessageContaining("recv of 10 x i64 from rank 1, tag 0");
              assertThat(e.missingRanks()).containsExactly(1);
              timedOut.countDown();
              assertThat(failure(() -> room.perform(recv(two, 1), SHORT))).isNotNull();
              timedOut.countDown();
            } else {
              assertThat(timedOut.await(30, TimeUnit.SECONDS)).isTrue();
              failure(() -> room.submit(send(10, 0), LONG));
              failure(() -> room.perform(send(10, 0), LONG));
            }
            assertThat(one.toLongArray()).containsOnly(-1);
            assertThat(two.toLongArray()).containsOnly(-1);
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void aBlockingReceiveTimesOut(Transport transport) {
    try (Rooms rooms = Rooms.open(transport, 2)) {
      long start = System.nanoTime();
      Tensor tensor = PointToPointTest.empty(10);
      CommException e = failure(() -> rooms.rooms.get(0).perform(recv(tensor, 1), SHORT));
      assertThat(e).isInstanceOf(CommTimeoutException.class);
      assertThat(e.missingRanks()).containsExactly(1);
      assertThat(System.nanoTime() - start).isBetween(150_000_000L, 5_000_000_000L);
      CommException sent = failure(() -> rooms.rooms.get(1).perform(send(100_000, 0), LONG));
      assertThat(sent).hasMessageContaining("rank 0 has given up");
    }
  }

  /** A rank that has waited too long fails those who wait for it, and nobody else. */
  @ParameterizedTest
  @EnumSource
  void aTimeoutEndsOnlyTheWaitsForWhoTimedOut(Transport transport) {
    CountDownLatch sent = new CountDownLatch(1);
    try (Rooms rooms = Rooms.open(transport, 4)) {
      rooms.run(
          (rank, room) -> {
            switch (rank) {
              case 0 -> {
                assertThat(sent.await(30, TimeUnit.SECONDS)).isTrue();
                assertThat(failure(() -> room.perform(recv(PointToPointTest.empty(1), 1), SHORT)))
                    .isInstanceOf(CommTimeoutException.class);
              }
              case 1 -> {
                CommException e =
                    failure(() -> room.perform(recv(PointToPointTest.empty(1), 0), LONG));
                assertThat(e)
                    .isInstanceOf(CommAbortedException.class)
                    .hasMessageContaining("rank 0 has given up")
                    .hasMessageContaining("timed out");
              }
              case 2 -> {
                room.perform(send(1000, 3), LONG);
                sent.countDown();
              }
              default -> {
                // Rank 1's failure is an abort, which may come in between.
                Tensor tensor = PointToPointTest.empty(1000);
                CommException e = failure(() -> room.perform(recv(tensor, 2), LONG));
                if (e == null) {
                  assertThat(tensor.getLong(999)).isNotEqualTo(-1);
                }
              }
            }
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void anAbortWakesEverybodyWithTheReason(Transport transport) throws Exception {
    try (Rooms rooms = Rooms.open(transport, 3)) {
      CyclicBarrier waiting = new CyclicBarrier(3);
      rooms.run(
          (rank, room) -> {
            Work async =
                room.submit(
                    new Collective.Recv(PointToPointTest.empty(5), (rank + 1) % 3, 1), LONG);
            waiting.await(30, TimeUnit.SECONDS);
            if (rank == 1) {
              rooms.alarms.get(1).raise(new CommAbortedException("enough of this"));
            }
            String expected = rank == 1 ? "enough of this" : "rank 1: enough of this";
            assertThat(
                    failure(
                        () -> room.perform(recv(PointToPointTest.empty(5), (rank + 1) % 3), LONG)))
                .isInstanceOf(CommAbortedException.class)
                .hasMessageContaining(expected);
            assertThat(failure(() -> async.await(Rooms.PATIENCE)))
                .isInstanceOf(CommAbortedException.class)
                .hasMessageContaining(expected);
            assertThat(awaitAlarm(rooms.alarms.get(rank)).detail()).isEqualTo(expected);
            // And nothing is begun any more.
            assertThatThrownBy(() -> room.perform(send(1, (rank + 1) % 3), LONG))
                .isInstanceOf(CommAbortedException.class);
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void aLossFoundElsewhereIsPushed(Transport transport) {
    try (Rooms rooms = Rooms.open(transport, 3)) {
      CyclicBarrier waiting = new CyclicBarrier(3);
      rooms.run(
          (rank, room) -> {
            Work work = room.submit(recv(PointToPointTest.empty(5), (rank + 1) % 3), LONG);
            waiting.await(30, TimeUnit.SECONDS);
            if (rank == 0) {
              rooms.alarms.get(0).raise(new PeerLostException(Set.of(2), "rank 2 is lost: gone"));
            }
            CommException e = failure(() -> work.await(Rooms.PATIENCE));
            assertThat(e).isInstanceOf(PeerLostException.class);
            assertThat(e.missingRanks()).as("on rank %d", rank).containsExactly(rank == 2 ? 0 : 2);
          });
    }
  }

  /** It tells rank 1 first, which closes before rank 2 is told: rank 2 is not to blame rank 1. */
  @Test
  void whoClosesAtOnceWhenItHearsOfAFailurePassesItOn() throws Exception {
    try (Rooms rooms = Rooms.open(Transport.LOCAL, 3)) {
      rooms.alarms.get(1).listen(_ -> rooms.rooms.get(1).close());
      Work work = rooms.rooms.get(2).submit(recv(PointToPointTest.empty(5), 1), LONG);
      rooms.alarms.get(0).raise(new CommMismatchException("rank 0 has a", Set.of(1)));
      assertThat(failure(() -> work.await(Rooms.PATIENCE)))
          .isInstanceOf(CommMismatchException.class)
          .hasMessageContaining("rank 0 has a");
      assertThat(awaitAlarm(rooms.alarms.get(2))).isInstanceOf(CommMismatchException.class);
    }
  }

  /** What waits for its turn is a message of this rank, too: it ends those that need this rank. */
  @ParameterizedTest
  @EnumSource
  void aMessageThatIsLateBecauseOfAnotherEndsOnlyTheWaitsForItsRank(Transport transport) {
    try (Rooms rooms = Rooms.open(transport, 3)) {
      CountDownLatch late = new CountDownLatch(1);
      rooms.run(
          (rank, room) -> {
            if (rank == 0) {
              Tensor tensor = PointToPointTest.empty(10);
              room.submit(recv(tensor, 1), LONG);
              assertThat(failure(() -> room.perform(new Collective.Send(tensor, 1, 0), SHORT)))
                  .isInstanceOf(CommTimeoutException.class);
              late.countDown();
            } else if (rank == 1) {
              assertThat(late.await(30, TimeUnit.SECONDS)).isTrue();
              room.perform(send(10, 2), LONG);
            } else {
              room.perform(recv(PointToPointTest.empty(10), 1), LONG);
            }
          });
      assertThat(rooms.alarms.get(0).failure()).isInstanceOf(CommTimeoutException.class);
      assertThat(rooms.alarms.get(1).isRaised()).isFalse();
      assertThat(rooms.alarms.get(2).isRaised()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void anInterruptGivesTheOperationUp(Transport transport) throws Exception {
    try (Rooms rooms = Rooms.open(transport, 2)) {
      CountDownLatch begun = new CountDownLatch(1);
      CompletableFuture<CommException> outcome = new CompletableFuture<>();
      Tensor tensor = PointToPointTest.empty(10);
      Thread thread =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    begun.countDown();
                    outcome.complete(
                        failure(() -> rooms.rooms.get(0).perform(recv(tensor, 1), LONG)));
                  });
      begun.await();
      thread.interrupt();
      assertThat(outcome.get(30, TimeUnit.SECONDS)).isInstanceOf(CommAbortedException.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRankThatClosesFailsWhatNeedsItAndNothingElse(Transport transport) {
    try (Rooms rooms = Rooms.open(transport, 4)) {
      CountDownLatch closed = new CountDownLatch(1);
      CountDownLatch served = new CountDownLatch(2);
      rooms.run(
          (rank, room) -> {
            switch (rank) {
              case 0 -> {
                room.perform(
                    new Collective.Send(PointToPointTest.message(0, 1, 0, 10), 1, 8), LONG);
                room.close();
                closed.countDown();
              }
              case 1 -> {
                assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
                // What it sent before is there.
                Tensor tensor = PointToPointTest.empty(10);
                room.perform(new Collective.Recv(tensor, 0, 8), LONG);
                PointToPointTest.assertMessage(tensor, 0, 1, 0);
                assertThat(served.await(30, TimeUnit.SECONDS)).isTrue();
                assertThat(failure(() -> room.perform(recv(PointToPointTest.empty(10), 0), LONG)))
                    .isInstanceOf(PeerLostException.class)
                    .hasMessageContaining("rank 0 has closed the communicator");
              }
              default -> {
                assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
                for (int i = 0; i < 10; i++) {
                  Tensor tensor = PointToPointTest.empty(10_000);
                  room.perform(rank == 2 ? send(10_000, 3) : recv(tensor, 2), LONG);
                }
                served.countDown();
              }
            }
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPendingReceiveFailsWhenItsPeerCloses(Transport transport) {
    try (Rooms rooms = Rooms.open(transport, 2)) {
      CountDownLatch posted = new CountDownLatch(1);
      rooms.run(
          (rank, room) -> {
            if (rank == 0) {
              assertThat(posted.await(30, TimeUnit.SECONDS)).isTrue();
              room.close();
            } else {
              Work work = room.submit(recv(PointToPointTest.empty(10), 0), LONG);
              posted.countDown();
              CommException e = failure(() -> work.await(Rooms.PATIENCE));
              assertThat(e).isInstanceOf(PeerLostException.class);
              assertThat(e.missingRanks()).containsExactly(0);
            }
          });
    }
  }

  @Test
  void aConnectionThatEndsIsALossOnEveryRankAtOnce() throws Exception {
    try (Rooms rooms = Rooms.open(Transport.TCP, 4)) {
      long start = System.nanoTime();
      for (int peer = 0; peer < 3; peer++) {
        rooms.channels[3][peer].shutdownOutput(); // as the kernel does for a process that died
      }
      for (int rank = 0; rank < 3; rank++) {
        CommException e = awaitAlarm(rooms.alarms.get(rank));
        assertThat(e).isInstanceOf(PeerLostException.class);
        assertThat(e.missingRanks()).containsExactly(3);
      }
      // Far below the heartbeat's limit, also on a machine that stands still meanwhile.
      assertThat(System.nanoTime() - start).isLessThan(5_000_000_000L);
    }
  }

  /** Rank 2 is connected, but nobody is there: no bytes come, and none are taken. */
  @Test
  void aSilentPeerIsLostAfterTheLimit() throws Exception {
    long start = System.nanoTime();
    try (Silence silence = new Silence(Duration.ofMillis(400))) {
      CommException e = awaitAlarm(silence.alarm);
      assertThat(System.nanoTime() - start).isBetween(300_000_000L, 5_000_000_000L);
      assertThat(e).isInstanceOf(PeerLostException.class).hasMessageContaining("not heard of for");
      assertThat(e.missingRanks()).containsExactly(1);
    }
  }

  @Test
  void ranksThatAreIdleHearEachOther() throws Exception {
    try (Rooms rooms = Rooms.open(Transport.TCP, 3, Duration.ofSeconds(4), SharedMemory.NONE)) {
      CompletableFuture<CommException> raised = new CompletableFuture<>();
      rooms.alarms.forEach(alarm -> alarm.listen(raised::complete));
      assertThat(raised.completeOnTimeout(null, 7, TimeUnit.SECONDS).get()).isNull();
    }
  }

  /** A rank that was stopped has heard nobody: that is nobody's fault. */
  @Test
  void whoWasStoppedHearsTheOthersOutFirst() {
    MemoryPipe[] pipes = MemoryPipe.pair(1000);
    Guard guard = new Guard();
    PipedCorrespondent peer =
        new PipedCorrespondent(0, 1, pipes[0], guard, null, new WindowBook(2), Arena.ofAuto());
    Heartbeat heartbeat = new Heartbeat(Duration.ofSeconds(5), 0, _ -> {});
    long second = 1_000_000_000;
    heartbeat.keep(peer, second, 0);
    heartbeat.keep(peer, 60 * second, 58 * second);
    assertThat(peer.isOver()).isFalse();
    heartbeat.keep(peer, 62 * second, 0);
    assertThat(peer.isOver()).isFalse();
    assertThat(heartbeat.keep(peer, 62 * second, 0)).isBetween(1L, second);
    assertThat(pipes[0].unread()).as("beats").isGreaterThan(0);
  }

  /** A room of two ranks, the other of which is a socket that nobody reads. */
  private static final class Silence implements AutoCloseable {
    final Alarm alarm = new Alarm(0);
    private final java.nio.channels.SocketChannel[] pair = Rooms.pair();
    private final Mailroom room;

    Silence(Duration limit) {
      room =
          Mailroom.open(
              new dev.jcomms.spi.BackendContext(
                  "test",
                  0,
                  2,
                  List.of(0, 1),
                  dev.jcomms.tensor.Device.CPU,
                  dev.jcomms.store.HashStore.create(),
                  Rooms.PATIENCE,
                  java.util.Map.of(),
                  java.util.Map.of()),
              new dev.jcomms.jccl.internal.transport.Roster(
                  0,
                  List.of(
                      dev.jcomms.jccl.internal.transport.Peer.self(),
                      dev.jcomms.jccl.internal.transport.Peer.self()),
                  Transport.TCP),
              alarm,
              new Means(null, "", _ -> pair[0], limit, (_, _) -> {}, () -> {}, SharedMemory.NONE));
    }

    @Override
    public void close() throws java.io.IOException {
      room.close();
      pair[1].close();
    }
  }
}
