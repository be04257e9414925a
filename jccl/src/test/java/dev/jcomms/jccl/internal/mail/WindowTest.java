package dev.jcomms.jccl.internal.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.jcomms.BackendException;
import dev.jcomms.Collective;
import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.OpOptions;
import dev.jcomms.PeerLostException;
import dev.jcomms.ReduceOp;
import dev.jcomms.Window;
import dev.jcomms.Work;
import dev.jcomms.jccl.internal.transport.Roster.Transport;
import dev.jcomms.spi.WindowBackend.RegisteredWindow;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Windows, whatever the ranks are reached by. */
class WindowTest {
  private static final OpOptions OPTIONS = OpOptions.timeout(Rooms.PATIENCE);
  private static final OpOptions SHORT = OpOptions.timeout(Duration.ofMillis(150));

  @AfterEach
  void noThreadIsLeft() {
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().startsWith("jccl-mail"))
        .isEmpty();
  }

  private static Tensor filled(long elements, long value) {
    return Tensor.full(DType.I64, Shape.of(elements), value);
  }

  private static void done(Work work) {
    work.await(Rooms.PATIENCE);
  }

  private static CommException failure(Runnable call) {
    return catchThrowableOfType(CommException.class, call::run);
  }

  /** Rounds of put and signal to the next rank; large enough for several frames and rings. */
  @ParameterizedTest
  @EnumSource
  void whatWasPutIsThereWhenItsSignalComes(Transport transport) {
    int size = 4;
    Rooms.run(
        transport,
        size,
        (rank, room) -> {
          int next = (rank + 1) % size;
          int previous = (rank + size - 1) % size;
          for (long count : new long[] {1, 1000, 70_000}) {
            Tensor memory = filled(count * size, -1);
            RegisteredWindow window = room.register(memory, OPTIONS);
            for (int round = 0; round < 10; round++) {
              Tensor mine = PointToPointTest.message(rank, next, round, count);
              Work put = window.put(mine, next, rank * count, OPTIONS);
              done(window.signal(next, OPTIONS));
              done(window.awaitSignal(previous, OPTIONS));
              PointToPointTest.assertMessage(
                  memory.narrow(0, previous * count, count), previous, rank, round);
              done(put);
              done(window.signal(previous, OPTIONS));
              done(window.awaitSignal(next, OPTIONS));
            }
            window.close();
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void getsReadWhatIsThere(Transport transport) {
    int size = 3;
    Rooms.run(
        transport,
        size,
        (rank, room) -> {
          Tensor memory = PointToPointTest.message(rank, 9, 0, 200_000);
          RegisteredWindow window = room.register(memory, OPTIONS);
          List<Work> works = new ArrayList<>();
          List<Runnable> checks = new ArrayList<>();
          for (int from = 0; from < size; from++) {
            int src = from;
            Tensor whole = filled(200_000, -1);
            works.add(window.get(whole, from, 0, OPTIONS));
            checks.add(() -> PointToPointTest.assertMessage(whole, src, 9, 0));
            Tensor last = filled(1, -1);
            works.add(window.get(last, from, 199_999, OPTIONS));
            checks.add(() -> assertThat(last.getLong(0)).isEqualTo(whole.getLong(199_999)));
            works.add(window.get(filled(0, 0), from, 200_000, OPTIONS));
          }
          works.forEach(WindowTest::done);
          checks.forEach(Runnable::run);
          window.close();
        });
  }

  /** All ranks, two threads each, onto the same elements. */
  @ParameterizedTest
  @EnumSource
  void accumulatesOfAllAddUp(Transport transport) {
    int size = 3;
    int times = 200;
    Rooms.run(
        transport,
        size,
        (rank, room) -> {
          Tensor memory = filled(1000, 0);
          RegisteredWindow window = room.register(memory, OPTIONS);
          Tensor ones = filled(1000, 1);
          Runnable body =
              () -> {
                for (int i = 0; i < times; i++) {
                  for (int dst = 0; dst < size; dst++) {
                    done(window.accumulate(ones, dst, 0, ReduceOp.SUM, OPTIONS));
                  }
                }
              };
          Thread helper = Thread.ofPlatform().daemon().start(body);
          body.run();
          assertThat(helper.join(Rooms.PATIENCE)).isTrue();
          done(window.fence(OPTIONS));
          assertThat(memory.toLongArray()).containsOnly(2L * size * times);
          window.close();
        });
  }

  @ParameterizedTest
  @EnumSource
  void accumulatesApplyTheirOp(Transport transport) {
    Rooms.run(
        transport,
        2,
        (rank, room) -> {
          Tensor memory = Tensor.full(DType.F32, Shape.of(3), 10);
          RegisteredWindow window = room.register(memory, OPTIONS);
          if (rank == 0) {
            done(window.accumulate(Tensor.of(4f), 1, 0, ReduceOp.premulSum(0.5), OPTIONS));
            done(window.accumulate(Tensor.of(99f), 1, 1, ReduceOp.MAX, OPTIONS));
            done(window.accumulate(Tensor.of(3f), 1, 2, ReduceOp.PRODUCT, OPTIONS));
          }
          done(window.fence(OPTIONS));
          if (rank == 1) {
            assertThat(memory.toFloatArray()).containsExactly(12, 99, 30);
          }
          window.close();
        });
  }

  @ParameterizedTest
  @EnumSource
  void aFencePutsEverythingInPlaceEverywhere(Transport transport) {
    int size = 4;
    Rooms.run(
        transport,
        size,
        (rank, room) -> {
          Tensor memory = filled(3L * size, -1);
          RegisteredWindow window = room.register(memory, OPTIONS);
          for (int round = 0; round < 20; round++) {
            for (int dst = 0; dst < size; dst++) {
              window.put(filled(3, 1000 * round + 10 * rank + dst), dst, 3L * rank, OPTIONS);
            }
            done(window.fence(OPTIONS));
            for (int src = 0; src < size; src++) {
              assertThat(memory.narrow(0, 3L * src, 3).toLongArray())
                  .containsOnly(1000 * round + 10 * src + rank);
            }
            // In place everywhere: also what others have put at third ranks.
            Tensor seen = filled(3L * size, -2);
            int next = (rank + 1) % size;
            done(window.get(seen, next, 0, OPTIONS));
            for (int src = 0; src < size; src++) {
              assertThat(seen.getLong(3L * src)).isEqualTo(1000 * round + 10 * src + next);
            }
            done(window.fence(OPTIONS));
          }
          window.close();
        });
  }

  @ParameterizedTest
  @EnumSource
  void aFlushPutsEverythingInPlaceAtOneRank(Transport transport) {
    CyclicBarrier meet = new CyclicBarrier(2);
    Rooms.run(
        transport,
        2,
        (rank, room) -> {
          Tensor memory = filled(100_000, -1);
          RegisteredWindow window = room.register(memory, OPTIONS);
          window.put(filled(100_000, rank), 1 - rank, 0, OPTIONS);
          done(window.flush(1 - rank, OPTIONS));
          meet.await(30, TimeUnit.SECONDS);
          assertThat(memory.toLongArray()).containsOnly(1 - rank);
          window.close();
        });
  }

  /**
   * More than rings and sockets hold. Rank 1's memory is changed as soon as it may be, by rank 1 or
   * by a put; rank 0 has read all of it by then.
   */
  @ParameterizedTest
  @EnumSource
  void aGetIsOverAtItsTargetWhenASignalAFlushOrAFenceAfterItIs(Transport transport) {
    CyclicBarrier meet = new CyclicBarrier(2);
    Rooms.run(
        transport,
        2,
        (rank, room) -> {
          Tensor memory = filled(1 << 22, 1);
          RegisteredWindow window = room.register(memory, OPTIONS);
          for (String by : List.of("signal", "flush", "flush and put", "fence")) {
            memory.fill(1);
            meet.await(30, TimeUnit.SECONDS);
            Tensor into = filled(1 << 22, -1);
            Work get = rank == 0 ? window.get(into, 1, 0, OPTIONS) : Work.completed();
            switch (by) {
              case "signal" ->
                  done(rank == 0 ? window.signal(1, OPTIONS) : window.awaitSignal(0, OPTIONS));
              case "flush" -> {
                done(rank == 0 ? window.flush(1, OPTIONS) : Work.completed());
                meet.await(30, TimeUnit.SECONDS);
              }
              case "flush and put" -> {
                if (rank == 0) {
                  done(window.flush(1, OPTIONS));
                  done(window.put(filled(1 << 22, 3), 1, 0, OPTIONS));
                  done(window.flush(1, OPTIONS));
                }
                meet.await(30, TimeUnit.SECONDS);
              }
              default -> done(window.fence(OPTIONS));
            }
            if (rank == 1) {
              memory.fill(2);
            }
            done(get);
            if (rank == 0) {
              assertThat(Arrays.stream(into.toLongArray()).distinct()).as(by).containsExactly(1L);
            }
            meet.await(30, TimeUnit.SECONDS);
          }
          window.close();
        });
  }

  @ParameterizedTest
  @EnumSource
  void signalsCountAndAGivenUpWaitTakesNone(Transport transport) {
    Rooms.run(
        transport,
        2,
        (rank, room) -> {
          RegisteredWindow window = room.register(filled(1, 0), OPTIONS);
          int peer = 1 - rank;
          for (int i = 0; i < 3; i++) {
            done(window.signal(peer, OPTIONS));
          }
          for (int i = 0; i < 3; i++) {
            done(window.awaitSignal(peer, OPTIONS));
          }
          Work fourth = window.awaitSignal(peer, SHORT);
          CommException e = failure(() -> done(fourth));
          assertThat(e)
              .isInstanceOf(CommTimeoutException.class)
              .hasMessageContaining("no signal of rank " + peer);
          assertThat(e.missingRanks()).containsExactly(peer);
          done(window.fence(OPTIONS));
          done(window.signal(peer, OPTIONS));
          done(window.awaitSignal(peer, OPTIONS));
          done(window.signal(rank, OPTIONS));
          done(window.awaitSignal(rank, OPTIONS));
          window.close();
        });
  }

  @ParameterizedTest
  @EnumSource
  void partsMayHaveDifferentSizesAndWindowsAreIndependent(Transport transport) {
    int size = 3;
    Rooms.run(
        transport,
        size,
        (rank, room) -> {
          RegisteredWindow first = room.register(filled(3L * rank, -1), OPTIONS);
          Tensor memory = filled(5, -1);
          RegisteredWindow second = room.register(memory, OPTIONS);
          for (int r = 0; r < size; r++) {
            assertThat(first.attributes(r).elements()).isEqualTo(3L * r);
            boolean unified = transport == Transport.LOCAL || r == rank;
            assertThat(second.attributes(r).access())
                .isEqualTo(unified ? Window.Access.UNIFIED : Window.Access.SEPARATE);
          }
          done(second.put(filled(5, rank), (rank + 1) % size, 0, OPTIONS));
          first.close();
          done(second.fence(OPTIONS));
          assertThat(memory.toLongArray()).containsOnly((rank + size - 1) % size);
          second.close();
        });
  }

  @ParameterizedTest
  @EnumSource
  void dtypesThatDifferAreRefusedByAll(Transport transport) {
    int size = 3;
    Rooms.run(
        transport,
        size,
        (rank, room) -> {
          DType dtype = rank == 2 ? DType.F64 : DType.I64;
          CommException e = failure(() -> room.register(Tensor.zeros(dtype, Shape.of(4)), OPTIONS));
          assertThat(e).isInstanceOf(CommMismatchException.class).hasMessageContaining("f64");
        });
  }

  @ParameterizedTest
  @EnumSource
  void aRankThatDoesNotRegisterIsNamed(Transport transport) {
    OpOptions second = OpOptions.timeout(Duration.ofSeconds(1));
    CyclicBarrier meet = new CyclicBarrier(2);
    try (Rooms rooms = Rooms.open(transport, 3)) {
      rooms.run(
          (rank, room) -> {
            if (rank != 1) {
              // Who came only when the other had given up would hear of that instead.
              meet.await(30, TimeUnit.SECONDS);
              CommException e = failure(() -> room.register(filled(1, 0), second));
              assertThat(e).isInstanceOf(CommTimeoutException.class);
              assertThat(e.missingRanks()).containsExactly(1);
            }
          });
    }
  }

  /** It was announced, given up, and only then found by the other, who may not have heard. */
  @ParameterizedTest
  @EnumSource
  void aPartThatWasTakenBackIsReachedNoMore(Transport transport) {
    CountDownLatch timedOut = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    try (Rooms rooms = Rooms.open(transport, 2)) {
      rooms.run(
          (rank, room) -> {
            if (rank == 0) {
              Tensor memory = filled(10, -1);
              assertThat(failure(() -> room.register(memory, SHORT))).isNotNull();
              timedOut.countDown();
              assertThat(over.await(30, TimeUnit.SECONDS)).isTrue();
              assertThat(memory.toLongArray()).containsOnly(-1);
            } else {
              assertThat(timedOut.await(30, TimeUnit.SECONDS)).isTrue();
              assertThat(
                      failure(
                          () -> {
                            RegisteredWindow window = room.register(filled(10, 0), OPTIONS);
                            done(window.put(filled(10, 7), 0, 0, OPTIONS));
                            done(window.flush(0, OPTIONS));
                          }))
                  .isNotNull();
              over.countDown();
            }
          });
    }
  }

  /** Who gives up, and tries again, is not taken to have come with the next window. */
  @ParameterizedTest
  @EnumSource
  void aWindowThatIsTriedAgainIsNotPairedWithAnother(Transport transport) {
    CountDownLatch timedOut = new CountDownLatch(1);
    try (Rooms rooms = Rooms.open(transport, 2)) {
      rooms.run(
          (rank, room) -> {
            if (rank == 0) {
              assertThat(failure(() -> room.register(filled(10, -1), SHORT))).isNotNull();
              timedOut.countDown();
              assertThat(
                      failure(
                          () -> {
                            RegisteredWindow again = room.register(filled(10, -1), OPTIONS);
                            done(again.put(filled(10, 7), 1, 0, OPTIONS));
                          }))
                  .isInstanceOf(CommTimeoutException.class);
            } else {
              assertThat(timedOut.await(30, TimeUnit.SECONDS)).isTrue();
              Tensor another = filled(10, 0);
              assertThat(
                      failure(
                          () -> {
                            room.register(filled(10, 0), OPTIONS);
                            room.register(another, OPTIONS);
                          }))
                  .isInstanceOf(CommAbortedException.class)
                  .hasMessageContaining("rank 0 has given up");
              assertThat(another.toLongArray()).containsOnly(0);
            }
          });
    }
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
    Duration heartbeat = Duration.ofSeconds(2);
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
    try (Rooms rooms = Rooms.open(transport, 2)) {
      rooms.run(
          (rank, room) -> {
            Tensor memory = filled(1 << 20, rank);
            RegisteredWindow window = room.register(memory, rank == 0 ? SHORT : OPTIONS);
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
                              .forEach(WindowTest::done);
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
