package dev.jcomms.jccl.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Comm;
import dev.jcomms.CommAbortedException;
import dev.jcomms.PeerLostException;
import dev.jcomms.ReduceOp;
import dev.jcomms.store.HashStore;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ranks meet at the store (to split, to get symmetric memory, at a monitored barrier) and one does
 * not come: the others learn why, long before the deadline.
 */
final class SplitTroubleTest {
  /** Whoever waits so long was not told. */
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  private interface Body {
    void on(Comm comm) throws Exception;
  }

  /** What each of the ranks, which are threads, threw; null for nothing. */
  private static List<Throwable> run(int size, String transport, Body body) throws Exception {
    try (HashStore store = HashStore.create();
        ExecutorService threads = Executors.newFixedThreadPool(size)) {
      List<Future<Throwable>> ends = new ArrayList<>();
      for (int r = 0; r < size; r++) {
        int rank = r;
        ends.add(threads.submit(() -> thrown(rank, size, transport, store, body)));
      }
      List<Throwable> all = new ArrayList<>();
      for (Future<Throwable> end : ends) {
        all.add(end.get(PATIENCE.toSeconds() / 2, TimeUnit.SECONDS));
      }
      return all;
    }
  }

  private static Throwable thrown(
      int rank, int size, String transport, HashStore store, Body body) {
    try (Comm comm =
        Comm.newBuilder("jccl", Device.CPU)
            .ranks(rank, size)
            .store(store)
            .hint("transport", transport)
            .initTimeout(PATIENCE)
            .timeout(PATIENCE)
            .build()) {
      body.on(comm);
      return null;
    } catch (Throwable t) {
      return t;
    } finally {
      Thread.interrupted();
    }
  }

  private static void split(Comm comm) {
    comm.split(0, comm.rank()).ifPresent(Comm::close);
  }

  private static void monitoredBarrier(Comm comm) {
    comm.monitoredBarrier(PATIENCE);
  }

  private static void symmetric(Comm comm) {
    comm.symmetric(DType.F32, Shape.of(100));
  }

  private static void assertClosed(List<Throwable> thrown) {
    assertThat(thrown.get(1)).isNull();
    for (int r : new int[] {0, 2}) {
      assertThat(thrown.get(r))
          .isInstanceOfSatisfying(
              PeerLostException.class, e -> assertThat(e.missingRanks()).isEqualTo(Set.of(1)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "shm", "tcp"})
  void aRankThatClosesInsteadIsNotWaitedFor(String transport) throws Exception {
    for (Body meeting :
        List.<Body>of(
            Comm::barrier,
            SplitTroubleTest::split,
            SplitTroubleTest::monitoredBarrier,
            SplitTroubleTest::symmetric)) {
      assertClosed(
          run(
              3,
              transport,
              comm -> {
                if (comm.rank() != 1) {
                  meeting.on(comm);
                }
              }));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "shm", "tcp"})
  void anAbortWakesWhoeverMeetsTheOthers(String transport) throws Exception {
    for (Body meeting :
        List.<Body>of(
            SplitTroubleTest::split,
            SplitTroubleTest::monitoredBarrier,
            SplitTroubleTest::symmetric)) {
      CountDownLatch told = new CountDownLatch(2);
      List<Throwable> thrown =
          run(
              3,
              transport,
              comm -> {
                if (comm.rank() == 1) {
                  comm.abort("enough of this");
                  assertThat(told.await(PATIENCE.toSeconds() / 4, TimeUnit.SECONDS)).isTrue();
                  return;
                }
                try {
                  meeting.on(comm);
                } finally {
                  told.countDown();
                }
              });
      assertThat(thrown.get(1)).isNull();
      assertThat(thrown.get(0))
          .isInstanceOf(CommAbortedException.class)
          .hasMessageContaining("enough of this");
      assertThat(thrown.get(2))
          .isInstanceOf(CommAbortedException.class)
          .hasMessageContaining("enough of this");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "shm", "tcp"})
  void anInterruptedSplitIsToldToThoseThatWaitInIt(String transport) throws Exception {
    CountDownLatch over = new CountDownLatch(2);
    List<Throwable> thrown =
        run(
            3,
            transport,
            comm -> {
              if (comm.rank() == 2) {
                // It has not come when the others are told.
                assertThat(over.await(PATIENCE.toSeconds() / 4, TimeUnit.SECONDS)).isTrue();
                return;
              }
              if (comm.rank() == 1) {
                Thread.currentThread().interrupt();
              }
              try {
                split(comm);
              } finally {
                over.countDown();
              }
            });
    assertThat(thrown.get(0)).isInstanceOf(CommAbortedException.class);
    assertThat(thrown.get(1)).isInstanceOf(CommAbortedException.class);
    assertThat(thrown.get(2)).isNull();
  }

  /** Whoever has no part in a split may close and go before the others have opened theirs. */
  @ParameterizedTest
  @ValueSource(strings = {"local", "shm", "tcp"})
  void aRankThatHasComeMayCloseAtOnce(String transport) throws Exception {
    List<Throwable> thrown =
        run(
            3,
            transport,
            comm -> {
              try (Comm part = comm.split(comm.rank() == 1 ? -1 : 0, 0).orElse(null)) {
                if (part != null) {
                  Tensor x = Tensor.of(1L);
                  part.allReduce(x, ReduceOp.SUM);
                  assertThat(x.getLong(0)).isEqualTo(2);
                }
              }
            });
    assertThat(thrown).containsOnlyNulls();
  }
}
