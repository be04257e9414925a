package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Comm;
import dev.jcomms.PeerLostException;
import dev.jcomms.ReduceOp;
import dev.jcomms.fake.FakeProvider;
import dev.jcomms.spi.AbortableBackend;
import dev.jcomms.spi.Backend;
import dev.jcomms.spi.BackendProvider;
import dev.jcomms.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rank that was cut off from another one tells of its loss; the others hear that one well. */
final class DoubtedLossTest {
  private static final int SIZE = 4;
  private static final int CUT_OFF = 3;

  private final Map<Integer, Backend> opened = new ConcurrentHashMap<>();
  private final BackendProvider jccl =
      new FakeProvider(
          context -> {
            Backend backend = Jccl.with(AlgorithmCollection.defaults()).open(context);
            opened.put(context.rank(), backend);
            return backend;
          });

  /** Who tells of it and leaves at once is no less heard. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoGivesUpOnARankThatIsWellIsTheOneThatIsLost(boolean leaves) throws Exception {
    CyclicBarrier together = new CyclicBarrier(SIZE);
    CountDownLatch learnt = new CountDownLatch(SIZE - 1);
    Map<Integer, Set<Integer>> named = new ConcurrentHashMap<>();
    List<Throwable> ends =
        FaceRanks.run(
            List.of(jccl),
            SIZE,
            Map.of("transport", "tcp"),
            comm -> {
              comm.barrier();
              together.await(FaceRanks.DEADLINE.toSeconds(), TimeUnit.SECONDS);
              if (comm.rank() == CUT_OFF) {
                giveUp(comm, 0);
                if (!leaves) {
                  await(learnt);
                }
                return;
              }
              named.put(comm.rank(), lostBy(comm));
              learnt.countDown();
              await(learnt); // who leaves earlier does not answer
            });
    assertThat(ends).containsOnlyNulls();
    assertThat(named).hasSize(SIZE - 1).allSatisfy((_, lost) -> assertThat(lost).containsOnly(3));
  }

  private void giveUp(Comm comm, int peer) {
    String how = "rank " + peer + " is lost: not heard of for 5.0 s";
    ((AbortableBackend) opened.get(comm.rank())).fail(new PeerLostException(Set.of(peer), how));
  }

  /** One waits for the rank that has given up, another for that which is well. */
  private static Set<Integer> lostBy(Comm comm) {
    try {
      switch (comm.rank()) {
        case 0 -> comm.allReduce(Tensor.of(1L), ReduceOp.SUM);
        case 1 -> comm.recv(Tensor.of(1L), 0);
        default -> comm.recv(Tensor.of(1L), CUT_OFF);
      }
      return Set.of();
    } catch (PeerLostException e) {
      return e.missingRanks();
    }
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    assertThat(latch.await(FaceRanks.DEADLINE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }
}
