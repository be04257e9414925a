package dev.jcomms.jccl.internal.mail;

import static dev.jcomms.jccl.internal.mail.Windows.OPTIONS;
import static dev.jcomms.jccl.internal.mail.Windows.SHORT;
import static dev.jcomms.jccl.internal.mail.Windows.done;
import static dev.jcomms.jccl.internal.mail.Windows.failure;
import static dev.jcomms.jccl.internal.mail.Windows.filled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.CommException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.ReduceOp;
import dev.jcomms.Work;
import dev.jcomms.jccl.internal.transport.Roster.Transport;
import dev.jcomms.spi.WindowBackend.RegisteredWindow;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What windows do, whatever the ranks are reached by. */
class WindowTest {
  @AfterEach
  void noThreadIsLeft() {
    Rooms.assertNoThreadIsLeft();
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
          works.forEach(Windows::done);
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
}
