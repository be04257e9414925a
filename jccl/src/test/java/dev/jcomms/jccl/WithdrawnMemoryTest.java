package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Comm;
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
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory that a failure of another communicator has taken from the neighbours' sight. */
final class WithdrawnMemoryTest {
  private static final List<Jccl> JCCL = List.of(Jccl.with(AlgorithmCollection.defaults()));

  /** What two ranks do; all that comes of it is fours. */
  private enum Case {
    /** Sizes that are given to the others in short copies, and in long ones. */
    ALL_REDUCE(1 << 20),
    LARGE_ALL_REDUCE(9 << 20),
    /** Half of it is written by the root. */
    BROADCAST(1 << 20);

    final long elements;

    Case(long elements) {
      this.elements = elements;
    }

    Work begin(Comm comm, Tensor output) {
      Tensor input = Tensor.full(Shape.of(elements), 2);
      return switch (this) {
        case ALL_REDUCE, LARGE_ALL_REDUCE -> comm.allReduceAsync(output, input, ReduceOp.SUM);
        case BROADCAST -> comm.broadcastAsync(comm.rank() == 1 ? output.fill(4) : output, 1);
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void anOperationThatItHappensToIsNotWrong(Case asked) {
    CountDownLatch withdrawn = new CountDownLatch(1);
    List<Throwable> ends =
        FaceRanks.run(
            JCCL,
            2,
            Map.of("transport", "shm"),
            comm -> {
              Tensor output = Tensor.zeros(Shape.of(asked.elements));
              comm.barrier();
              if (comm.rank() == 0) {
                Work work = asked.begin(comm, output);
                TimeUnit.MILLISECONDS.sleep(300); // it has told where its output is
                TensorMemory.withdraw(output.segment());
                withdrawn.countDown();
                work.await();
              } else {
                assertThat(withdrawn.await(20, TimeUnit.SECONDS)).isTrue();
                asked.begin(comm, output).await();
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
