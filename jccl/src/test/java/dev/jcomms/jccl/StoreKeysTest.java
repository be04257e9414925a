package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Comm;
import dev.jcomms.ReduceOp;
import dev.jcomms.Window;
import dev.jcomms.store.HashStore;
import dev.jcomms.store.Store;
import dev.jcomms.store.TcpStore;
import dev.jcomms.store.TcpStoreServer;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What communicators write into a job's store, which may live for weeks, goes with them. */
final class StoreKeysTest {
  private static final int RANKS = 4;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @ParameterizedTest
  @ValueSource(strings = {"transport=auto", "transport=tcp", "ranks_per_host=2"})
  void nothingIsLeftOfCommunicatorsThatWereClosed(String hint) throws Exception {
    try (HashStore store = HashStore.create()) {
      onAll(
          store,
          hint,
          comm -> {
            Comm half = comm.split(comm.rank() % 2, comm.rank(), comm.options()).orElseThrow();
            Comm one = half.split(half.rank(), 0, half.options()).orElseThrow();
            half.symmetric(DType.F32, Shape.of(10));
            comm.monitoredBarrier(PATIENCE);
            try (Window window = comm.newWindow()) {
              window.register(Tensor.zeros(Shape.of(3)));
            }
            comm.allReduce(Tensor.zeros(Shape.of(3)), ReduceOp.SUM);
            one.close();
            half.close();
            return null;
          });
      // How many of a name each rank has made: the next ones are not taken for these.
      assertThat(store.listKeys()).hasSize(RANKS).allMatch(key -> key.contains("/made/"));
    }
  }

  @Test
  void whoIsInterruptedWhenItClosesLeavesNothingEither() throws Exception {
    try (TcpStoreServer server = TcpStoreServer.start();
        TcpStore store = TcpStore.connect("127.0.0.1", server.port())) {
      onAll(
          store,
          "transport=auto",
          comm -> {
            comm.monitoredBarrier(PATIENCE);
            if (comm.rank() == 1) {
              Thread.currentThread().interrupt();
            }
            return null;
          });
      assertThat(store.listKeys()).hasSize(RANKS).allMatch(key -> key.contains("/made/"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"transport=auto", "ranks_per_host=2"})
  void aCommunicatorThatAllocatesOnAndOnKeepsFewKeys(String hint) throws Exception {
    try (HashStore store = HashStore.create()) {
      List<Long> most =
          onAll(
              store,
              hint,
              comm -> {
                for (int i = 0; i < 60; i++) {
                  comm.symmetric(DType.F32, Shape.of(10));
                }
                comm.barrier();
                return store.numKeys();
              });
      // 60 times 3 or 4 a rank, if all were kept.
      assertThat(most).allMatch(keys -> keys < RANKS * 50);
    }
  }

  private static <T> List<T> onAll(Store store, String hint, Body<T> body) throws Exception {
    String[] words = hint.split("=");
    List<Callable<T>> ranks =
        IntStream.range(0, RANKS)
            .<Callable<T>>mapToObj(
                rank ->
                    () -> {
                      try (Comm comm =
                          Comm.newBuilder("jccl", Device.CPU)
                              .ranks(rank, RANKS)
                              .store(store)
                              .hint(words[0], words[1])
                              .timeout(PATIENCE)
                              .initTimeout(PATIENCE)
                              .build()) {
                        return body.run(comm);
                      }
                    })
            .toList();
    try (var threads = Executors.newCachedThreadPool()) {
      List<Future<T>> ends = threads.invokeAll(ranks, PATIENCE.toSeconds(), TimeUnit.SECONDS);
      List<T> values = new ArrayList<>();
      for (Future<T> end : ends) {
        values.add(end.get());
      }
      return values;
    }
  }

  private interface Body<T> {
    T run(Comm comm) throws Exception;
  }
}
