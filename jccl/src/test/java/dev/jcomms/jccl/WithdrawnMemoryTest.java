package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.CommAbortedException;
import dev.jcomms.ReduceOp;
import dev.jcomms.Work;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.spi.TensorMemory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory that a failure of another communicator has taken from the neighbours' sight. */
final class WithdrawnMemoryTest {
  private static final List<Jccl> JCCL = List.of(Jccl.with(AlgorithmCollection.defaults()));

  /** Sizes that are given to the others in short copies, and in long ones. */
  @ParameterizedTest
  @ValueSource(longs = {1 << 20, 9 << 20})
  void anOperationThatItHappensToIsNotWrong(long elements) {
    CountDownLatch withdrawn = new CountDownLatch(1);
    List<Throwable> ends =
        FaceRanks.run(
            JCCL,
            2,
            Map.of("transport", "shm"),
            comm -> {
              Tensor input = Tensor.full(Shape.of(elements), comm.rank() + 1);
              Tensor output = Tensor.zeros(Shape.of(elements));
              comm.allReduce(input, ReduceOp.MAX);
              if (comm.rank() == 0) {
                Work work = comm.allReduceAsync(output, input, ReduceOp.SUM);
                TimeUnit.MILLISECONDS.sleep(300); // it has told where its output is
                TensorMemory.withdraw(output.segment());
                withdrawn.countDown();
                work.await();
              } else {
                assertThat(withdrawn.await(20, TimeUnit.SECONDS)).isTrue();
                comm.allReduce(output, input, ReduceOp.SUM);
              }
              assertThat(output.toFloatArray()).containsOnly(4);
            });
    assertThat(ends.getFirst())
        .satisfiesAnyOf(
            end -> assertThat(end).isNull(), // it has been so slow that it told nothing
            end ->
                assertThat(end)
                    .isInstanceOf(CommAbortedException.class)
                    .hasMessageContaining("was withdrawn"));
    assertThat(ends.getLast())
        .satisfiesAnyOf(
            end -> assertThat(end).isNull(),
            end -> assertThat(end).isInstanceOf(CommAbortedException.class));
  }

  @ParameterizedTest
  @ValueSource(longs = {1 << 20, 9 << 20})
  void operationsThatBeginLaterGoOtherWays(long elements) {
    FaceRanks.run(
        2,
        JCCL.getFirst(),
        Map.of("transport", "shm"),
        comm -> {
          Tensor x = Tensor.full(Shape.of(elements), comm.rank() + 1);
          if (comm.rank() == 0) {
            TensorMemory.withdraw(x.segment());
          }
          comm.allReduce(x, ReduceOp.SUM);
          assertThat(x.toFloatArray()).containsOnly(3);
          comm.broadcast(x.fill(comm.rank()), 0);
          assertThat(x.toFloatArray()).containsOnly(0);
        });
  }
}
