package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Comm;
import dev.jcomms.CommMismatchException;
import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The root of a broadcast that was before just so does not wait for the others. */
final class RepeatedBroadcastTest {
  private static final Jccl JCCL = Jccl.with(AlgorithmCollection.defaults());

  @ParameterizedTest
  @CsvSource({"auto,10", "shm,10", "shm,3000", "shm,1000000", "tcp,10"})
  void everybodyGetsEverythingHoweverLateAnybodyIs(String transport, int elements) {
    FaceRanks.run(
        4,
        JCCL,
        Map.of("transport", transport),
        comm -> {
          Random random = new Random(comm.rank());
          Tensor x = Tensor.zeros(Shape.of(elements));
          for (int i = 0; i < (elements > 10_000 ? 20 : 300); i++) {
            int root = i / 50 % 4;
            x.fill(comm.rank() == root ? i : -1);
            if (random.nextInt(20) == 0) {
              LockSupport.parkNanos(random.nextInt(3_000_000));
            }
            comm.broadcast(x, root);
            assertThat(x.getFloat(0)).isEqualTo(i);
            assertThat(x.getFloat(elements - 1)).isEqualTo(i);
            if (random(i) == 0) {
              comm.allReduce(x.fill(comm.rank()), ReduceOp.SUM);
              assertThat(x.getFloat(elements - 1)).isEqualTo(6);
            }
          }
        });
  }

  /** The same on all ranks. */
  private static int random(int i) {
    return new Random(i).nextInt(7);
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm"})
  void whoeverDisagreesIsToldInTheNextOperationAtTheLatest(String transport) {
    List<Throwable> ends =
        FaceRanks.run(
            List.of(JCCL),
            3,
            Map.of("transport", transport),
            comm -> {
              repeat(comm, 5);
              comm.broadcast(Tensor.ones(Shape.of(10)), comm.rank() == 1 ? 1 : 0);
              comm.barrier();
            });
    assertThat(ends).allSatisfy(end -> assertThat(end).isInstanceOf(CommMismatchException.class));
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm"})
  void aRootThatClosesHasGivenAllTheSame(String transport) {
    List<Throwable> ends =
        FaceRanks.run(
            List.of(JCCL),
            3,
            Map.of("transport", transport),
            comm -> {
              repeat(comm, 5);
              if (comm.rank() != 0) {
                LockSupport.parkNanos(50_000_000);
              }
              repeat(comm, 1);
            });
    assertThat(ends).containsOnlyNulls();
  }

  private static void repeat(Comm comm, int times) {
    for (int i = 0; i < times; i++) {
      Tensor x = Tensor.full(Shape.of(10), comm.rank() == 0 ? 7 : 0);
      comm.broadcast(x, 0);
      assertThat(x.getFloat(9)).isEqualTo(7);
    }
  }
}
