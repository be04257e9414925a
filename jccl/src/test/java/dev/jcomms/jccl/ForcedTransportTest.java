package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A transport is forced where it is possible: between hosts, also such as ranks only play, not. */
class ForcedTransportTest {
  @ParameterizedTest
  @ValueSource(strings = {"local", "shm", "tcp"})
  void ranksOfOtherHostsAreReachedAllTheSame(String transport) {
    List<Throwable> ends =
        FaceRanks.run(
            List.of(Jccl.with(AlgorithmCollection.defaults())),
            4,
            Map.of("ranks_per_host", "2", "transport", transport),
            comm -> {
              Tensor x = Tensor.full(Shape.of(1000), comm.rank());
              comm.allReduce(x, ReduceOp.SUM);
              assertThat(x.getDouble(999)).isEqualTo(6);
              Tensor y = Tensor.full(Shape.of(10), comm.rank());
              int peer = 3 - comm.rank();
              if (comm.rank() < peer) {
                comm.send(y, peer);
              } else {
                comm.recv(y, peer);
                assertThat(y.getDouble(9)).isEqualTo(peer);
              }
            });
    assertThat(ends).containsOnlyNulls();
  }
}
