package dev.jcomms.jccl.internal.transport.tcp;

import static dev.jcomms.jccl.internal.transport.tcp.Messages.assertMessage;
import static dev.jcomms.jccl.internal.transport.tcp.Messages.meet;
import static dev.jcomms.jccl.internal.transport.tcp.Messages.memory;
import static dev.jcomms.jccl.internal.transport.tcp.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.jccl.internal.transport.tcp.TcpRanks.Footprint;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How messages move, and what is left when they have. */
class LinesTest {
  private static final long[] LENGTHS = {0, 1, 7, 47, 48, 49, 1000, 65537, 262_144, 3_000_001};

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
    before.assertNoMore();
  }
}
