package dev.jcomms.testkit.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.Comm;
import dev.jcomms.CommAbortedException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.World;
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
import org.junit.jupiter.api.Test;

class ReferenceBackendTest {
  private static final Duration SOON = Duration.ofSeconds(5);

  private static World world(int size) {
    return World.of(size).backend("reference").timeout(Duration.ofSeconds(20));
  }

  @Test
  void fourRanksEndWithTheSum() {
    List<float[]> results =
        world(4)
            .compute(
                comm -> {
                  Tensor x = Tensor.full(Shape.of(1024), comm.rank() + 1);
                  comm.allReduce(x, ReduceOp.SUM);
                  return x.toFloatArray();
                });
    assertThat(results).allSatisfy(x -> assertThat(x).hasSize(1024).containsOnly(10f));
  }

  @Test
  void valuesLongerThanAStoreTakesArriveWhole() {
    int elements = 3_000_001;
    world(2)
        .run(
            comm -> {
              Tensor x = Tensor.arange(DType.F32, 0, elements, 1);
              Tensor y = Tensor.zeros(Shape.of(elements));
              if (comm.rank() == 0) {
                comm.send(x, 1);
              } else {
                comm.recv(y, 0);
                assertThat(y.equal(x)).isTrue();
              }
              comm.broadcast(comm.rank() == 1 ? x : y, 1);
              assertThat((comm.rank() == 1 ? x : y).equal(x)).isTrue();
            });
  }

  @Test
  void keysDoNotPileUp() {
    try (HashStore store = HashStore.create()) {
      List<Thread> threads = new ArrayList<>();
      long[] most = new long[1];
      for (int r = 0; r < 3; r++) {
        int rank = r;
        threads.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      try (Comm comm =
                          Comm.newBuilder("reference", Device.CPU)
                              .ranks(rank, 3)
                              .store(store)
                              .build()) {
                        for (int i = 0; i < 50; i++) {
                          comm.allReduce(Tensor.full(Shape.of(5), rank), ReduceOp.SUM);
                          comm.allToAllSingle(
                              Tensor.zeros(Shape.of(6)), Tensor.full(Shape.of(6), rank));
                          comm.batch()
                              .send(Tensor.full(Shape.of(5), rank), (rank + 1) % 3)
                              .recv(Tensor.zeros(Shape.of(5)), (rank + 2) % 3)
                              .issue();
                          if (rank == 0) {
                            most[0] = Math.max(most[0], store.numKeys());
                          }
                        }
                      }
                    }));
      }
      threads.forEach(ReferenceBackendTest::join);
      // Two rounds of 3 ranks with up to 4 keys each, letters on their way, and what core keeps.
      assertThat(most[0]).isLessThan(60);
      assertThat(store.listKeys()).noneMatch(key -> key.contains("/reference/"));
    }
  }

  @Test
  void aRankThatDoesNotComeIsNamed() {
    CountDownLatch over = new CountDownLatch(1);
    world(3)
        .run(
            comm -> {
              if (comm.rank() == 1) {
                over.await();
                return;
              }
              try {
                assertThatThrownBy(() -> comm.barrier(OpOptions.timeout(SOON)))
                    .isInstanceOfAny(CommTimeoutException.class, CommAbortedException.class)
                    .hasMessageContaining("barrier #0")
                    .hasMessageContaining("waiting for ranks [1]");
              } finally {
                over.countDown();
              }
            });
  }

  @Test
  void ranksThatDisagreeAllLearnWhoHasWhat() {
    world(3)
        .run(
            comm ->
                assertThatThrownBy(
                        () ->
                            comm.allReduce(
                                Tensor.zeros(Shape.of(comm.rank() == 2 ? 9 : 10)), ReduceOp.SUM))
                    .isInstanceOf(CommMismatchException.class)
                    .hasMessageContaining("rank 2 has all_reduce of 9 x f32, sum")
                    .hasMessageContaining("10 x f32"));
  }

  @Test
  void anAbortWakesTheOtherRanks() {
    CountDownLatch waiting = new CountDownLatch(1);
    world(2)
        .run(
            comm -> {
              if (comm.rank() == 0) {
                waiting.await();
                comm.abort("enough");
              } else {
                Thread.ofVirtual().start(waiting::countDown);
                assertThatThrownBy(comm::barrier)
                    .isInstanceOf(CommAbortedException.class)
                    .hasMessageContaining("enough");
              }
            });
  }

  @Test
  void aPendingReceiveHoldsUpOnlyWhatTouchesItsMemory() {
    world(2)
        .run(
            comm -> {
              Tensor late = Tensor.zeros(Shape.of(4));
              if (comm.rank() == 1) {
                comm.recvAsync(late, 0);
              }
              comm.barrier();
              if (comm.rank() == 0) {
                comm.sendAsync(Tensor.full(Shape.of(4), 7), 1);
              }
              comm.allReduceAsync(late, ReduceOp.SUM).await();
              assertThat(late.toFloatArray()).containsOnly(7f);
            });
  }

  @Test
  void aLetterOfAnotherSizeIsRefused() {
    world(2)
        .run(
            comm -> {
              if (comm.rank() == 0) {
                comm.send(Tensor.zeros(Shape.of(3)), 1);
              } else {
                assertThatThrownBy(() -> comm.recv(Tensor.zeros(Shape.of(4)), 0))
                    .isInstanceOfSatisfying(
                        CommMismatchException.class,
                        e -> assertThat(e.missingRanks()).isEqualTo(Set.of(0)))
                    .hasMessageContaining("recv of 4 x f32")
                    .hasMessageContaining("send of 3 x f32");
              }
            });
  }

  private static void join(Thread thread) {
    try {
      assertThat(thread.join(Duration.ofSeconds(20))).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
