package dev.jcomms.jccl.internal.mail;

import static dev.jcomms.jccl.internal.mail.Windows.OPTIONS;
import static dev.jcomms.jccl.internal.mail.Windows.SHORT;
import static dev.jcomms.jccl.internal.mail.Windows.done;
import static dev.jcomms.jccl.internal.mail.Windows.failure;
import static dev.jcomms.jccl.internal.mail.Windows.filled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.BackendException;
import dev.jcomms.Collective;
import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.OpOptions;
import dev.jcomms.PeerLostException;
import dev.jcomms.ReduceOp;
import dev.jcomms.Work;
import dev.jcomms.jccl.internal.transport.Roster.Transport;
import dev.jcomms.spi.WindowBackend.RegisteredWindow;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of a window when something goes wrong, whatever the ranks are reached by. */
class WindowFailureTest {
  @AfterEach
  void noThreadIsLeft() {
    Rooms.assertNoThreadIsLeft();
  }

  /** A fence that timed out does no harm: the next one goes on where it was. */
  @ParameterizedTest
  @EnumSource
  void aFenceThatTimedOutCanBeTriedAgain(Transport transport) {
    CountDownLatch timedOut = new CountDownLatch(1);
    Rooms.run(
        transport,
        2,
        (rank, room) -> {
          Tensor memory = filled(1, -1);
          RegisteredWindow window = room.register(memory, OPTIONS);
          if (rank == 0) {
            CommException e = failure(() -> done(window.fence(SHORT)));
            assertThat(e).isInstanceOf(CommTimeoutException.class);
            assertThat(e.missingRanks()).containsExactly(1);
            timedOut.countDown();
          } else {
            assertThat(timedOut.await(30, TimeUnit.SECONDS)).isTrue();
          }
          for (int round = 0; round < 3; round++) {
            done(window.put(filled(1, round), 1 - rank, 0, OPTIONS));
            done(window.fence(OPTIONS));
            assertThat(memory.getLong(0)).isEqualTo(round);
            done(window.fence(OPTIONS));
          }
          window.close();
        });
  }

  /** It is passed by who comes to it later: both have come to the same then. */
  @ParameterizedTest
  @EnumSource
  void aFenceThatTimedOutEndsWithTheWindow(Transport transport) {
    CountDownLatch timedOut = new CountDownLatch(1);
    Rooms.run(
        transport,
        2,
        (rank, room) -> {
          Tensor memory = filled(1, -1);
          RegisteredWindow window = room.register(memory, OPTIONS);
          if (rank == 0) {
            done(window.put(filled(1, 7), 1, 0, OPTIONS));
            assertThat(failure(() -> done(window.fence(SHORT))))
                .isInstanceOf(CommTimeoutException.class);
            timedOut.countDown();
          } else {
            assertThat(timedOut.await(30, TimeUnit.SECONDS)).isTrue();
            done(window.fence(OPTIONS));
            assertThat(memory.getLong(0)).isEqualTo(7);
          }
          window.close();
        });
  }

  /** Whoever comes first, most likely, all learn of it. */
  @ParameterizedTest
  @EnumSource
  void aFenceIsNoDeregistration(Transport transport) {
    for (int late = 0; late < 2; late++) {
      int last = late;
      CyclicBarrier fenced = new CyclicBarrier(3);
      try (Rooms rooms = Rooms.open(transport, 3)) {
        rooms.run(
            (rank, room) -> {
              RegisteredWindow window = room.register(filled(1, 0), OPTIONS);
              done(window.fence(OPTIONS));
              fenced.await(30, TimeUnit.SECONDS); // what comes next also ends who is still there
              if (rank == last) {
                Thread.sleep(50);
              }
              if (rank == 0) {
                assertThat(failure(() -> done(window.fence(OPTIONS))))
                    .isInstanceOf(CommMismatchException.class)
                    .hasMessageContaining("rank 0 has window fence, rank ")
                    .hasMessageContaining(" has window deregister");
              } else {
                window.close(); // it ends, since nobody will come any more
              }
              assertThat(rooms.alarms.get(rank).failure())
                  .isInstanceOf(CommMismatchException.class);
            });
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void anAbortEndsWaitsAndCloses(Transport transport) {
    CyclicBarrier waiting = new CyclicBarrier(2);
    try (Rooms rooms = Rooms.open(transport, 2)) {
      rooms.run(
          (rank, room) -> {
            RegisteredWindow window = room.register(filled(1, 0), OPTIONS);
            Work work = window.awaitSignal(1 - rank, OPTIONS);
            waiting.await(30, TimeUnit.SECONDS);
            if (rank == 0) {
              rooms.alarms.get(0).raise(new CommAbortedException("enough"));
            }
            assertThat(failure(() -> done(work))).isInstanceOf(CommAbortedException.class);
            window.close();
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPeerThatLeavesFailsWhatNeedsIt(Transport transport) {
    try (Rooms rooms = Rooms.open(transport, 2)) {
      rooms.run(
          (rank, room) -> {
            RegisteredWindow window = room.register(filled(1, 0), OPTIONS);
            if (rank == 0) {
              room.close();
            } else {
              CommException e = failure(() -> done(window.awaitSignal(0, OPTIONS)));
              assertThat(e).isInstanceOf(PeerLostException.class);
              assertThat(e.missingRanks()).containsExactly(0);
            }
          });
    }
  }

  /** Two ranks leave a third no time to say anything: it is alive all the same. */
  @ParameterizedTest
  @EnumSource
  void aRankThatIsPutToWithoutAPauseIsNotTakenForLost(Transport transport) {
    Duration heartbeat = Duration.ofSeconds(5);
    try (Rooms rooms = Rooms.open(transport, 3, heartbeat, SharedMemory.NONE)) {
      rooms.run(
          (rank, room) -> {
            Tensor memory = Tensor.zeros(DType.BF16, Shape.of(1 << 20));
            RegisteredWindow window = room.register(memory, OPTIONS);
            Tensor ones = Tensor.ones(DType.BF16, Shape.of(1 << 20));
            long begun = System.nanoTime();
            while (rank != 0 && System.nanoTime() - begun < 3 * heartbeat.toNanos() / 2) {
              done(window.accumulate(ones, 0, 0, ReduceOp.SUM, OPTIONS));
            }
            window.close();
          });
    }
  }

  /** It is half way through an answer when its owner loses patience. */
  @ParameterizedTest
  @EnumSource
  void aGetFailsWhenThePartIsTakenBackMeanwhile(Transport transport) {
    OpOptions hasty = OpOptions.timeout(Duration.ofSeconds(4)); // but the other must come in time
    CyclicBarrier come = new CyclicBarrier(2);
    try (Rooms rooms = Rooms.open(transport, 2)) {
      rooms.run(
          (rank, room) -> {
            Tensor memory = filled(1 << 20, rank);
            come.await(30, TimeUnit.SECONDS);
            RegisteredWindow window = room.register(memory, rank == 0 ? hasty : OPTIONS);
            if (rank == 0) {
              assertThat(failure(window::close)).isInstanceOf(CommTimeoutException.class);
            } else {
              List<Tensor> into = Stream.generate(() -> filled(1 << 20, -1)).limit(4).toList();
              CommException e =
                  failure(
                      () -> {
                        while (true) {
                          into.stream()
                              .map(tensor -> window.get(tensor, 0, 0, OPTIONS))
                              .toList()
                              .forEach(Windows::done);
                        }
                      });
              assertThat(e)
                  .isInstanceOf(BackendException.class)
                  .hasMessageContaining("rank 0 has taken its part of the window back");
              room.close();
              window.close();
            }
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsPutIntoMemoryThatWasFreedIsNotInPlace(Transport transport) {
    Rooms.run(
        transport,
        2,
        (rank, room) -> {
          Arena arena = Arena.ofShared();
          Tensor memory = Tensor.wrap(arena.allocate(32, 8), DType.I64, Shape.of(4));
          RegisteredWindow window = room.register(memory, OPTIONS);
          if (rank == 0) {
            arena.close();
            done(window.signal(1, OPTIONS));
          } else {
            done(window.awaitSignal(0, OPTIONS));
            assertThatThrownBy(
                    () -> {
                      done(window.put(filled(4, 7), 0, 0, OPTIONS));
                      done(window.flush(0, OPTIONS));
                    })
                .isInstanceOfAny(BackendException.class, IllegalStateException.class);
            arena.close();
          }
          window.close();
        });
  }

  @ParameterizedTest
  @EnumSource
  void memoryThatWasFreedIsRefusedAndHarmsNobody(Transport transport) {
    Rooms.run(
        transport,
        2,
        (rank, room) -> {
          Tensor memory = filled(4, -1);
          RegisteredWindow window = room.register(memory, OPTIONS);
          Tensor freed;
          try (Arena arena = Arena.ofShared()) {
            freed = Tensor.wrap(arena.allocate(32, 8), DType.I64, Shape.of(4));
          }
          int peer = 1 - rank;
          for (Runnable call :
              List.<Runnable>of(
                  () -> window.put(freed, peer, 0, OPTIONS),
                  () -> window.get(freed, peer, 0, OPTIONS),
                  () -> window.accumulate(freed, peer, 0, ReduceOp.SUM, OPTIONS),
                  () -> room.submit(new Collective.Send(freed, peer, 0), OPTIONS),
                  () -> room.submit(new Collective.Recv(freed, peer, 0), OPTIONS))) {
            assertThatIllegalArgumentException()
                .isThrownBy(call::run)
                .withMessageContaining("arena is closed");
          }
          done(window.put(filled(4, rank), peer, 0, OPTIONS));
          done(window.fence(OPTIONS));
          assertThat(memory.toLongArray()).containsOnly(peer);
          window.close();
        });
  }
}
