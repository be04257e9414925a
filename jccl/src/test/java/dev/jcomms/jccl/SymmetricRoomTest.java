package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.BackendException;
import dev.jcomms.Comm;
import dev.jcomms.CommAbortedException;
import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Symmetric memory that cannot be had: all ranks learn it, and go on without. */
final class SymmetricRoomTest {
  @ParameterizedTest
  @ValueSource(strings = {"transport=auto", "transport=shm", "ranks_per_host=2"})
  void ranksThatAskForTooMuchGoOn(String hint) {
    String[] words = hint.split("=");
    List<Throwable> ends =
        FaceRanks.run(
            List.of(Jccl.with(AlgorithmCollection.defaults())),
            3,
            Map.of(words[0], words[1]),
            comm -> {
              assertThatThrownBy(() -> comm.symmetric(DType.I8, Shape.of(1L << 60)))
                  .isInstanceOf(BackendException.class)
                  .hasMessageContaining("shared memory");
              assertThat(comm.isAborted()).isFalse();
              sum(comm, Tensor.zeros(Shape.of(10)));
              assertThatThrownBy(() -> comm.symmetric(DType.I8, Shape.of(1L << 62)))
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessageContaining("ranks=3");
              sum(comm, comm.symmetric(DType.F32, Shape.of(10)));
            });
    assertThat(ends).containsOnlyNulls();
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shm"})
  void anInterruptEndsItOnAllRanks(String transport) {
    CountDownLatch ended = new CountDownLatch(1);
    List<Throwable> ends =
        FaceRanks.run(
            List.of(Jccl.with(AlgorithmCollection.defaults())),
            3,
            Map.of("transport", transport),
            comm -> {
              if (comm.rank() == 1) {
                Thread.currentThread().interrupt();
              } else {
                // An interrupt ends a wait; if all were there, nothing would be to be ended.
                assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
              }
              assertThatThrownBy(() -> comm.symmetric(DType.F32, Shape.of(10)))
                  .isInstanceOf(CommAbortedException.class)
                  .hasMessageContaining("interrupted");
              ended.countDown();
              assertThat(Thread.interrupted()).isEqualTo(comm.rank() == 1);
              assertThat(comm.isAborted()).isTrue();
            });
    assertThat(ends).containsOnlyNulls();
  }

  private static void sum(Comm comm, Tensor x) {
    x.fill(comm.rank() + 1);
    comm.allReduce(x, ReduceOp.SUM);
    assertThat(x.select(0, 9).item().toDouble()).isEqualTo(6);
  }
}
