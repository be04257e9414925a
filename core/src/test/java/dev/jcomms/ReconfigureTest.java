package dev.jcomms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.store.HashStore;
import dev.jcomms.tensor.Device;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Communicators built anew where the first attempt fails. Ranks are threads here. */
class ReconfigureTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static Comm rank(int rank, int size, HashStore store, Duration init) {
    return Fakes.builder("fake").ranks(rank, size).store(store).initTimeout(init).build();
  }

  private static <T> List<T> together(List<Callable<T>> ranks) throws Exception {
    try (var threads = Executors.newCachedThreadPool()) {
      List<T> results = new ArrayList<>();
      for (Future<T> rank : threads.invokeAll(ranks, 40, TimeUnit.SECONDS)) {
        results.add(rank.get());
      }
      return results;
    }
  }

  private static List<Comm> three() throws Exception {
    HashStore store = HashStore.create();
    Duration init = Duration.ofSeconds(8);
    return together(
        List.of(
            () -> rank(0, 3, store, init),
            () -> rank(1, 3, store, init),
            () -> rank(2, 3, store, init)));
  }

  private static String uuid() {
    return UUID.randomUUID().toString();
  }

  @Test
  void afterAnAttemptWithALostRankTheOthersTryAgainWithoutIt() throws Exception {
    List<Comm> comms = three();
    List<InitHandle> all = comms.stream().map(Comm::initHandle).toList();
    String first = uuid();
    List<Callable<Throwable>> attempts = new ArrayList<>();
    for (Comm comm : comms.subList(0, 2)) {
      attempts.add(
          () -> {
            try {
              comm.reconfigure(first, all);
              return null;
            } catch (BootstrapException e) {
              return e;
            }
          });
    }
    assertThat(together(attempts))
        .allSatisfy(e -> assertThat(e).hasMessageContaining("ranks [2] did not come within 8.0 s"));
    assertThat(comms.get(0).isAborted()).isTrue();
    assertThatThrownBy(() -> comms.get(0).barrier()).isInstanceOf(CommAbortedException.class);

    String second = uuid();
    List<Comm> next =
        together(
            List.of(
                () -> comms.get(0).reconfigure(second, all.subList(0, 2)),
                () -> comms.get(1).reconfigure(second, all.subList(0, 2))));
    List<Callable<Void>> ends = new ArrayList<>();
    for (Comm comm : next) {
      ends.add(
          () -> {
            comm.monitoredBarrier(PATIENCE);
            assertThat(comm.size()).isEqualTo(2);
            assertThat(comm.initHandle()).isEqualTo(all.get(comm.rank()));
            comm.close();
            return null;
          });
    }
    together(ends);
    assertThatThrownBy(() -> comms.get(0).barrier()).isInstanceOf(IllegalStateException.class);
    comms.get(2).close();
  }

  @Test
  void theOldOneMayBeClosedMeanwhile() throws Exception {
    HashStore store = HashStore.create();
    List<Comm> old =
        together(List.of(() -> rank(0, 2, store, PATIENCE), () -> rank(1, 2, store, PATIENCE)));
    List<InitHandle> handles = old.stream().map(Comm::initHandle).toList();
    String uuid = uuid();
    CompletableFuture<Comm> first = new CompletableFuture<>();
    Thread.ofPlatform().start(() -> first.complete(old.get(0).reconfigure(uuid, handles)));
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!old.get(0).isAborted()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.sleep(1);
    }
    old.get(0).close(); // while its successor waits for the other rank
    Comm second = old.get(1).reconfigure(uuid, handles);
    List<Callable<Void>> ends = new ArrayList<>();
    for (Comm comm : List.of(first.get(20, TimeUnit.SECONDS), second)) {
      ends.add(
          () -> {
            comm.monitoredBarrier(PATIENCE);
            comm.close();
            return null;
          });
    }
    together(ends);
  }

  @Test
  void aFirstHandleThatNobodyServesIsNamed() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    InitHandle gone = new InitHandle("jcomms1:" + UUID.randomUUID() + "@127.0.0.1:" + port);
    try (Comm comm = Fakes.builder("fake").initTimeout(Duration.ofSeconds(3)).build()) {
      assertThatThrownBy(() -> comm.reconfigure(uuid(), List.of(gone, comm.initHandle())))
          .isInstanceOf(BootstrapException.class)
          .hasMessageContaining("reconfigure on comm 'main' failed (rank 0 of 1)")
          .hasMessageContaining(gone.value());
      try (Comm next = comm.reconfigure(uuid(), List.of(comm.initHandle()))) {
        next.barrier();
      }
    }
  }

  @Test
  void aHandleThatStrangersCouldUseIsRefused() {
    Map<String, String> remote = Map.of("MASTER_ADDR", "192.0.2.1");
    try (Comm comm = Comm.newBuilder("fake", Device.CPU).environment(remote).build()) {
      assertThatThrownBy(comm::initHandle)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("MASTER_ADDR=192.0.2.1")
          .hasMessageContaining("JCOMMS_SECRET");
    }
  }
}
