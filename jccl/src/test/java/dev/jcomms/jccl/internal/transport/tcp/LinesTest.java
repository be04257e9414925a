package dev.jcomms.jccl.internal.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.PeerLostException;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.tcp.TcpRanks.Footprint;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinesTest {
  private static final long[] LENGTHS = {0, 1, 7, 47, 48, 49, 1000, 65537, 262_144, 3_000_001};

  /** A byte that says who sent it, to whom, and where it belongs. */
  private static byte mark(int from, int to, long position) {
    return (byte) (31 * from + 17 * to + position * 7 + (position >> 8));
  }

  private static MemorySegment message(boolean heap, int from, int to, long bytes) {
    MemorySegment segment = memory(heap, bytes);
    for (long i = 0; i < bytes; i++) {
      segment.set(ValueLayout.JAVA_BYTE, i, mark(from, to, i));
    }
    return segment;
  }

  /** Heap memory of a type that no buffer can show, or native memory. */
  private static MemorySegment memory(boolean heap, long bytes) {
    return heap
        ? MemorySegment.ofArray(new float[(int) (bytes + 3) / 4]).asSlice(0, bytes)
        : Arena.ofAuto().allocate(bytes);
  }

  private static void assertMessage(MemorySegment segment, int from, int to) {
    for (long i = 0; i < segment.byteSize(); i++) {
      if (segment.get(ValueLayout.JAVA_BYTE, i) != mark(from, to, i)) {
        throw new AssertionError(
            "byte %d of %d from %d to %d".formatted(i, segment.byteSize(), from, to));
      }
    }
  }

  /** The last that rank 0 has done was to wait for room, on a connection that it then leaves. */
  @Test
  void roomThatNobodyNeedsAnyMoreWakesNobody() {
    long bytes = 32 << 20;
    TcpRanks.run(
        2,
        rank -> {
          Lines lines = rank.lines();
          MemorySegment memory = Arena.ofAuto().allocate(bytes);
          boolean sends = rank.rank() == 0;
          lines.operation(
              1,
              bytes,
              true,
              rank.deadline(),
              () -> {
                if (sends) {
                  lines.send(1, memory, 0, bytes);
                } else {
                  rest(Duration.ofMillis(300));
                  lines.receive(0, memory, 0, bytes);
                }
              });
          long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
          lines.operation(
              2,
              0,
              rank.deadline(),
              () -> {
                if (sends) {
                  lines.signalFrom(1);
                } else {
                  rest(Duration.ofSeconds(1));
                  lines.signal(0);
                }
              });
          long spent = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
          assertThat(Duration.ofNanos(spent)).isLessThan(Duration.ofMillis(300));
        });
  }

  private static void rest(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @CsvSource({"2,false", "2,true", "3,false", "5,true"})
  void exchangesInARingOfAnySizeDoNotWaitForEachOther(int n, boolean heap) {
    TcpRanks.run(
        n,
        rank -> {
          Lines lines = rank.lines();
          int me = rank.rank();
          int next = (me + 1) % n;
          int previous = (me + n - 1) % n;
          for (long bytes : LENGTHS) {
            MemorySegment out = message(heap, me, next, bytes);
            MemorySegment in = memory(heap, bytes);
            lines.operation(
                1,
                bytes,
                rank.deadline(),
                () -> lines.exchange(next, out, 0, bytes, previous, in, 0, bytes));
            assertMessage(in, previous, me);
          }
        });
  }

  @ParameterizedTest
  @CsvSource({"2,false,false", "2,false,true", "2,true,true", "4,false,true"})
  void eachWayMayHaveAConnectionAndAThreadOfItsOwn(int n, boolean heap, boolean helped) {
    TcpRanks.run(
        n,
        rank -> {
          Lines lines = rank.lines();
          int me = rank.rank();
          int next = (me + 1) % n;
          int previous = (me + n - 1) % n;
          try (var threads =
              Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().factory())) {
            if (helped) {
              lines.helpedBy(threads);
            }
            for (int i = 0; i < 40; i++) {
              long bytes = LENGTHS[i % LENGTHS.length];
              int times = 1 + i % 3;
              MemorySegment out = message(heap, me, next, bytes);
              MemorySegment in = memory(heap, bytes);
              lines.operation(
                  1,
                  bytes,
                  i % 4 > 1,
                  rank.deadline(),
                  () -> {
                    for (int k = 0; k < times; k++) {
                      lines.exchange(next, out, 0, bytes, previous, in, 0, bytes);
                    }
                  });
              assertMessage(in, previous, me);
            }
          }
        });
  }

  @ParameterizedTest
  @CsvSource({"2,false", "4,true", "7,false"})
  void everybodyTalksToEverybodyAtOnce(int n, boolean heap) {
    TcpRanks.run(
        n,
        rank -> {
          Lines lines = rank.lines();
          int me = rank.rank();
          for (long bytes : LENGTHS) {
            MemorySegment[] first = new MemorySegment[n];
            MemorySegment[] second = new MemorySegment[n];
            lines.operation(
                1,
                bytes,
                rank.deadline(),
                () -> {
                  for (int peer = 0; peer < n; peer++) {
                    if (peer != me) {
                      first[peer] = memory(heap, bytes + peer);
                      second[peer] = memory(!heap, bytes);
                      lines.send(peer, message(heap, me, peer, bytes + me), 0, bytes + me, me);
                      lines.send(peer, message(!heap, peer, me, bytes), 0, bytes);
                      lines.receive(peer, first[peer], 0, bytes + peer);
                      lines.receive(peer, second[peer], 0, bytes);
                    }
                  }
                });
            for (int peer = 0; peer < n; peer++) {
              if (peer != me) {
                assertMessage(first[peer], peer, me);
                assertMessage(second[peer], me, peer);
              }
            }
          }
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void messagesThatAreThereTogetherComeInOrder(boolean helped) {
    TcpRanks.run(
        2,
        rank -> {
          Lines lines = rank.lines();
          int me = rank.rank();
          try (var threads =
              Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().factory())) {
            if (helped) {
              lines.helpedBy(threads);
            }
            Random shared = new Random(5);
            for (int i = 0; i < 10; i++) {
              MemorySegment[] in = new MemorySegment[30];
              lines.operation(
                  1,
                  i,
                  helped,
                  rank.deadline(),
                  () -> {
                    for (int k = 0; k < in.length; k++) {
                      long bytes = LENGTHS[shared.nextInt(LENGTHS.length)];
                      boolean heap = shared.nextInt(4) == 0;
                      lines.send(1 - me, message(heap, me, k, bytes), 0, bytes);
                      in[k] = memory(heap, bytes);
                      lines.receive(1 - me, in[k], 0, bytes);
                    }
                  });
              for (int k = 0; k < in.length; k++) {
                assertMessage(in[k], 1 - me, k);
              }
            }
          }
        });
  }

  @Test
  void aMessageMovesWhileAnotherIsAwaited() {
    TcpRanks.run(
        2,
        rank -> {
          Lines lines = rank.lines();
          int peer = 1 - rank.rank();
          long large = 40L << 20; // more than the buffers of any socket
          MemorySegment out = memory(false, large);
          MemorySegment in = memory(false, large);
          out.set(ValueLayout.JAVA_LONG, large - 8, 40 + rank.rank());
          lines.operation(
              1,
              1,
              rank.deadline(),
              () -> {
                lines.send(peer, out, 0, large);
                lines.await(lines.receive(peer, in, 0, large));
                lines.await(lines.signal(peer));
                lines.await(lines.signalFrom(peer));
              });
          assertThat(in.get(ValueLayout.JAVA_LONG, large - 8)).isEqualTo(40 + peer);
        });
  }

  @Test
  void aNumberTravelsWithAMessage() {
    TcpRanks.run(
        2,
        rank -> {
          Lines lines = rank.lines();
          int peer = 1 - rank.rank();
          lines.operation(
              1,
              1,
              rank.deadline(),
              () -> {
                lines.send(peer, memory(true, 0), 0, 0, 1000 + rank.rank());
                Transfer in = lines.receive(peer, memory(false, 0), 0, 0);
                lines.await(in);
                assertThat(in.note()).isEqualTo(1000 + peer);
              });
        });
  }

  @Test
  void groupsOfRanksHaveLinesOfTheirOwn() {
    TcpRanks.run(
        4,
        rank -> {
          int me = rank.rank();
          Lines all = rank.lines();
          Lines half = rank.fabric().lines(2, me % 2 == 0 ? List.of(2, 0) : List.of(1, 3));
          int other = (me + 2) % 4;
          for (int round = 0; round < 3; round++) {
            MemorySegment in = memory(false, 100);
            half.operation(
                1, 1, rank.deadline(), () -> meet(half, message(false, me, other, 100), in));
            assertMessage(in, other, me);
            int next = me ^ 1;
            all.operation(
                1,
                1,
                rank.deadline(),
                () -> all.exchange(next, message(false, me, next, 9), 0, 9, next, in, 0, 9));
            assertMessage(in.asSlice(0, 9), next, me);
          }
        });
  }

  private static void meet(Lines pair, MemorySegment out, MemorySegment in) {
    int peer = 1 - pair.rank();
    pair.exchange(peer, out, 0, out.byteSize(), peer, in, 0, in.byteSize());
  }

  @Test
  void ranksThatDisagreeLearnWhoHasWhat() {
    List<Throwable> outcomes =
        TcpRanks.outcomes(
            2,
            Map.of(),
            rank -> {
              Lines lines = rank.lines();
              long count = 1000 + rank.rank();
              lines.operation(
                  3, count, rank.deadline(), () -> meet(lines, memory(true, 8), memory(true, 8)));
            });
    assertThat(outcomes)
        .allSatisfy(
            failure ->
                assertThat(failure)
                    .isInstanceOf(CommMismatchException.class)
                    .hasMessageContaining("rank 0 has")
                    .hasMessageContaining("rank 1 has"));
  }

  @Test
  void aMessageOfAnotherLengthIsADisagreement() {
    List<Throwable> outcomes =
        TcpRanks.outcomes(
            2,
            Map.of(),
            rank -> {
              Lines lines = rank.lines();
              long bytes = rank.rank() == 0 ? 100 : 300;
              lines.operation(
                  3,
                  0,
                  rank.deadline(),
                  () -> meet(lines, memory(true, bytes), memory(true, bytes)));
            });
    assertThat(outcomes.getFirst())
        .isInstanceOf(CommMismatchException.class)
        .hasMessageContaining("rank 0 expects 100 bytes of rank 1, which sends 300");
    assertThat(outcomes.getLast()).isInstanceOf(CommException.class);
  }

  @Test
  void ranksThatWaitPastEachOtherFindOutThatTheyDisagree() {
    // 0 waits for 1, 1 for 2, 2 for 0; nobody sends, so no message can tell.
    List<Throwable> outcomes =
        TcpRanks.outcomes(
            3,
            Map.of(),
            rank -> {
              Lines lines = rank.lines();
              int next = (rank.rank() + 1) % 3;
              lines.operation(
                  1, rank.rank(), rank.deadline(), () -> lines.await(lines.signalFrom(next)));
            });
    assertThat(outcomes)
        .allSatisfy(failure -> assertThat(failure).isInstanceOf(CommMismatchException.class));
  }

  @Test
  void theDeadlineNamesWhoIsMissingAndWhere() {
    CountDownLatch over = new CountDownLatch(1);
    List<Throwable> outcomes =
        TcpRanks.outcomes(
            2,
            Map.of(),
            rank -> {
              Lines lines = rank.lines();
              if (rank.rank() == 1) {
                assertThat(over.await(30, TimeUnit.SECONDS)).isTrue();
                return;
              }
              Deadline deadline = new Deadline(Duration.ofMillis(700), rank.alarm());
              try {
                lines.operation(1, 1, deadline, () -> lines.await(lines.signalFrom(1)));
              } catch (CommTimeoutException e) {
                assertThat(e.missingRanks()).isEqualTo(Set.of(1));
                assertThat(e)
                    .hasMessageContaining("waiting for rank 1 at " + rank.fabric().address(1))
                    .hasMessageContaining("which has not come to it");
                throw e;
              } finally {
                over.countDown();
              }
            });
    assertThat(outcomes.getFirst()).isInstanceOf(CommTimeoutException.class);
    assertThat(outcomes.getLast()).isNull();
  }

  @Test
  void anAlarmEndsAWaitAtOnce() {
    CountDownLatch waiting = new CountDownLatch(1);
    List<Throwable> outcomes =
        TcpRanks.outcomes(
            2,
            Map.of(),
            rank -> {
              Lines lines = rank.lines();
              if (rank.rank() == 1) {
                assertThat(waiting.await(30, TimeUnit.SECONDS)).isTrue();
                rank.alarms().getFirst().raise(new CommAbortedException("enough"));
                return;
              }
              lines.operation(
                  1,
                  1,
                  rank.deadline(),
                  () -> {
                    waiting.countDown();
                    lines.await(lines.signalFrom(1));
                  });
            });
    assertThat(outcomes.getFirst())
        .isInstanceOf(CommAbortedException.class)
        .hasMessageContaining("enough");
  }

  @Test
  void anInterruptEndsAWaitAndTheConnectionOutlivesIt() {
    List<Throwable> outcomes =
        TcpRanks.outcomes(
            2,
            Map.of(),
            rank -> {
              Lines lines = rank.lines();
              int peer = 1 - rank.rank();
              lines.operation(
                  1, 1, rank.deadline(), () -> meet(lines, memory(true, 8), memory(true, 8)));
              if (rank.rank() == 0) {
                Thread.currentThread().interrupt();
                lines.operation(1, 1, rank.deadline(), () -> lines.await(lines.signalFrom(peer)));
              }
            });
    assertThat(outcomes.getFirst())
        .isInstanceOf(CommAbortedException.class)
        .hasMessageContaining("interrupted");
    assertThat(outcomes.getLast()).isNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void aPeerThatGoesAwayMidwayIsNamed(int n) {
    List<Throwable> outcomes =
        TcpRanks.outcomes(
            n,
            Map.of(),
            rank -> {
              Lines lines = rank.lines();
              int last = n - 1;
              lines.operation(
                  1,
                  1,
                  rank.deadline(),
                  () -> {
                    if (rank.rank() == last) {
                      for (int peer = 0; peer < last; peer++) {
                        lines.await(lines.signal(peer));
                      }
                      rank.fabric().close();
                    } else {
                      lines.await(lines.signalFrom(last));
                      lines.send(last, memory(false, 80 << 20), 0, 80 << 20);
                      lines.await(lines.signalFrom(last));
                    }
                  });
            });
    assertThat(outcomes.subList(0, n - 1))
        .allSatisfy(
            failure -> {
              assertThat(failure).isInstanceOf(PeerLostException.class);
              assertThat(((PeerLostException) failure).missingRanks()).isEqualTo(Set.of(n - 1));
            });
  }

  @Test
  void afterAFailureMidwayThereIsNoNextOperation() {
    TcpRanks.run(
        2,
        rank -> {
          Lines lines = rank.lines();
          if (rank.rank() == 0) {
            Deadline deadline = new Deadline(Duration.ofMillis(1), rank.alarm());
            Throwable[] thrown = new Throwable[2];
            for (int i = 0; i < 2; i++) {
              try {
                lines.operation(1, 1, deadline, () -> lines.await(lines.signalFrom(1)));
              } catch (CommException e) {
                thrown[i] = e;
              }
            }
            assertThat(thrown[0]).isInstanceOf(CommTimeoutException.class);
            assertThat(thrown[1]).isInstanceOf(CommAbortedException.class);
          }
        });
  }

  @Test
  void closingLeavesNoThreadAndNoSocket() throws Exception {
    TcpRanks.run(2, TcpRanks.Rank::lines); // what Java keeps for itself is there now
    Footprint before = Footprint.now();
    for (int round = 0; round < 5; round++) {
      TcpRanks.run(
          3,
          rank -> {
            Lines lines = rank.lines();
            int next = (rank.rank() + 1) % 3;
            int previous = (rank.rank() + 2) % 3;
            lines.operation(
                1,
                1,
                rank.deadline(),
                () -> lines.exchange(next, memory(true, 9), 0, 9, previous, memory(true, 9), 0, 9));
          });
    }
    before.assertSame();
  }
}
