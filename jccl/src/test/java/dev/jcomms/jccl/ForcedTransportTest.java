package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.jcomms.Comm;
import dev.jcomms.ReduceOp;
import dev.jcomms.store.HashStore;
import dev.jcomms.store.Store;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A transport is forced where it is possible: between hosts, also such as ranks only play, not. */
class ForcedTransportTest {
  @Test
  void ranksThatWereToldDifferentThingsRefuseAtOnce() throws Exception {
    HashStore store = HashStore.create();
    List<CompletableFuture<Throwable>> ends =
        IntStream.range(0, 3)
            .mapToObj(rank -> opening(rank, store, rank == 1 ? "tcp" : "shm"))
            .toList();
    for (CompletableFuture<Throwable> end : ends) {
      assertThat(end.get(60, TimeUnit.SECONDS))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("rank 0 has transport=shm, rank 1 has transport=tcp");
    }
  }

  private static CompletableFuture<Throwable> opening(int rank, Store store, String transport) {
    CompletableFuture<Throwable> end = new CompletableFuture<>();
    Comm.Builder builder =
        Comm.newBuilder("jccl", Device.CPU)
            .environment(Map.of())
            .ranks(rank, 3)
            .store(store)
            .hint("transport", transport);
    Thread.ofPlatform().daemon().start(() -> end.complete(catchThrowable(builder::build)));
    return end;
  }

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
