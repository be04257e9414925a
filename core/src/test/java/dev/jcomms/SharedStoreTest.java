package dev.jcomms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.tensor.Device;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ranks that make several communicators at the store that rank 0 hosts. Ranks are threads here. */
class SharedStoreTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** The environments of two ranks: with an address, and on one host without. */
  static Stream<List<Map<String, String>>> jobs() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    String job = "shared-" + System.nanoTime();
    return Stream.of(
        List.of(addressed(0, port), addressed(1, port)), List.of(mpirun(0, job), mpirun(1, job)));
  }

  private static Map<String, String> addressed(int rank, int port) {
    return Fakes.environment(rank, port);
  }

  private static Map<String, String> mpirun(int rank, String job) {
    return Map.of(
        "OMPI_COMM_WORLD_RANK",
        "" + rank,
        "OMPI_COMM_WORLD_SIZE",
        "2",
        "OMPI_COMM_WORLD_LOCAL_SIZE",
        "2",
        "PMIX_NAMESPACE",
        job);
  }

  private static Comm build(Map<String, String> environment) {
    return Comm.newBuilder("fake", Device.CPU)
        .environment(environment)
        .initTimeout(PATIENCE)
        .build();
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void oneAfterTheOtherEachRankAtItsOwnPace(List<Map<String, String>> job) throws Exception {
    List<Callable<Void>> ranks = new ArrayList<>();
    for (Map<String, String> environment : job) {
      ranks.add(
          () -> {
            for (int i = 0; i < 20; i++) {
              try (Comm comm = build(environment)) {
                comm.monitoredBarrier(PATIENCE);
              }
            }
            return null;
          });
    }
    run(ranks);
  }

  /** Rank 1 is at the old server when rank 0 leaves the first communicator. */
  @ParameterizedTest
  @MethodSource("jobs")
  void aRankThatIsAheadIsNotCutOff(List<Map<String, String>> job) throws Exception {
    CompletableFuture<Void> ahead = new CompletableFuture<>();
    run(
        List.of(
            () -> {
              Comm first = build(job.get(0));
              ahead.get(20, TimeUnit.SECONDS);
              first.close();
              try (Comm second = build(job.get(0))) {
                second.monitoredBarrier(PATIENCE);
              }
              return null;
            },
            () -> {
              build(job.get(1)).close();
              // What the next communicator does first, and rank 0 has not yet.
              CompletableFuture<Comm> second =
                  CompletableFuture.supplyAsync(() -> build(job.get(1)));
              assertThatThrownBy(() -> second.get(300, TimeUnit.MILLISECONDS))
                  .isInstanceOf(TimeoutException.class);
              ahead.complete(null);
              try (Comm comm = second.get(30, TimeUnit.SECONDS)) {
                comm.monitoredBarrier(PATIENCE);
              }
              return null;
            }));
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void afterAnAttemptToWhichNobodyCameTheNextOneIsTheFirst(List<Map<String, String>> job)
      throws Exception {
    assertThatThrownBy(
            () ->
                Comm.newBuilder("fake", Device.CPU)
                    .environment(job.get(0))
                    .initTimeout(Duration.ofSeconds(2))
                    .build())
        .isInstanceOf(BootstrapException.class);
    List<Callable<Void>> ranks = new ArrayList<>();
    for (Map<String, String> environment : job) {
      ranks.add(
          () -> {
            try (Comm comm = build(environment)) {
              comm.monitoredBarrier(PATIENCE);
            }
            return null;
          });
    }
    long start = System.nanoTime();
    run(ranks);
    // Shorter than rank 0's patience with ranks that say no farewell.
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(9));
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void twoAreOpenAtOnceAndEndInAnyOrder(List<Map<String, String>> job) throws Exception {
    CyclicBarrier closed = new CyclicBarrier(2);
    List<Callable<Void>> ranks = new ArrayList<>();
    for (Map<String, String> environment : job) {
      ranks.add(
          () -> {
            Comm first = build(environment);
            try (Comm second = build(environment)) {
              first.monitoredBarrier(PATIENCE);
              second.monitoredBarrier(PATIENCE);
              first.close();
              closed.await(20, TimeUnit.SECONDS);
              second.monitoredBarrier(PATIENCE);
              try (Comm third = build(environment)) {
                third.monitoredBarrier(PATIENCE);
              }
            }
            return null;
          });
    }
    run(ranks);
  }

  private static void run(List<Callable<Void>> ranks) throws Exception {
    try (var threads = Executors.newCachedThreadPool()) {
      for (Future<Void> rank : threads.invokeAll(ranks, 60, TimeUnit.SECONDS)) {
        rank.get();
      }
    }
  }
}
