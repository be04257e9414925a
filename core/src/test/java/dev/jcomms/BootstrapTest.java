package dev.jcomms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.store.StoreSecret;
import dev.jcomms.store.TcpStoreServer;
import dev.jcomms.store.TcpStoreServerOptions;
import dev.jcomms.tensor.Device;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How ranks find each other from the environment that their launcher gives them. Every rank is a
 * thread here.
 */
class BootstrapTest {
  /**
   * Makes {@code n} communicators at once, each from its own environment, and checks that they are
   * one world.
   */
  private static void meet(int n, IntFunction<Map<String, String>> environments) throws Exception {
    List<CompletableFuture<Comm>> ranks = new ArrayList<>();
    try (var threads = Executors.newCachedThreadPool()) {
      for (int r = 0; r < n; r++) {
        Map<String, String> environment = environments.apply(r);
        ranks.add(
            CompletableFuture.supplyAsync(
                () ->
                    Comm.newBuilder("fake", Device.CPU)
                        .environment(environment)
                        .initTimeout(Duration.ofSeconds(30))
                        .build(),
                threads));
      }
      List<Comm> comms = new ArrayList<>();
      for (CompletableFuture<Comm> rank : ranks) {
        comms.add(rank.get(40, TimeUnit.SECONDS));
      }
      List<CompletableFuture<Void>> ends = new ArrayList<>();
      for (int r = 0; r < n; r++) {
        Comm comm = comms.get(r);
        assertThat(comm.rank()).isEqualTo(r);
        assertThat(comm.size()).isEqualTo(n);
        ends.add(
            CompletableFuture.runAsync(
                () -> {
                  comm.monitoredBarrier(Duration.ofSeconds(20));
                  comm.close();
                },
                threads));
      }
      for (CompletableFuture<Void> end : ends) {
        end.get(40, TimeUnit.SECONDS);
      }
    }
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "JCOMMS_RANK, JCOMMS_SIZE, JCOMMS_MASTER_ADDR, JCOMMS_MASTER_PORT",
    "TORCHCOMM_RANK, TORCHCOMM_SIZE, MASTER_ADDR, MASTER_PORT",
    "RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT",
    "RANK, WORLD_SIZE, MSCCLPP_MASTER_ADDR, MSCCLPP_MASTER_PORT",
    "OMPI_COMM_WORLD_RANK, OMPI_COMM_WORLD_SIZE, MASTER_ADDR, MASTER_PORT",
    "PMI_RANK, PMI_SIZE, MASTER_ADDR, MASTER_PORT",
    "SLURM_PROCID, SLURM_NTASKS, MASTER_ADDR, MASTER_PORT"
  })
  void ranksMeetAtTheAddressThatRankZeroHosts(String rank, String size, String address, String port)
      throws Exception {
    String free = Integer.toString(freePort());
    meet(3, r -> Map.of(rank, "" + r, size, "3", address, "127.0.0.1", port, free));
  }

  @Test
  void aLauncherThatHostsTheStoreIsAskedForItWithTheSecret(@TempDir Path folder) throws Exception {
    StoreSecret secret = StoreSecret.generate();
    Path file = folder.resolve("secret");
    Files.writeString(file, secret.reveal() + "\n");
    try (TcpStoreServer server =
        TcpStoreServer.start(TcpStoreServerOptions.defaults().secret(secret))) {
      meet(
          2,
          r ->
              Map.of(
                  "RANK",
                  "" + r,
                  "WORLD_SIZE",
                  "2",
                  "MASTER_ADDR",
                  "127.0.0.1",
                  "MASTER_PORT",
                  "" + server.port(),
                  "TORCHELASTIC_USE_AGENT_STORE",
                  "True",
                  "JCOMMS_SECRET_FILE",
                  file.toString()));
    }
  }

  @Test
  void jcommsVariablesOverrideTheOthers() throws Exception {
    int port = freePort();
    meet(
        2,
        r -> {
          Map<String, String> environment = new HashMap<>();
          environment.put("RANK", "7");
          environment.put("WORLD_SIZE", "9");
          environment.put("MASTER_ADDR", "192.0.2.1");
          environment.put("JCOMMS_RANK", "" + r);
          environment.put("JCOMMS_SIZE", "2");
          environment.put("JCOMMS_MASTER_ADDR", "127.0.0.1");
          environment.put("JCOMMS_MASTER_PORT", "" + port);
          return environment;
        });
  }

  @Test
  void aJobOfMpirunOnOneHostNeedsNoAddress() throws Exception {
    String job = "test-" + System.nanoTime();
    meet(
        3,
        r ->
            Map.of(
                "OMPI_COMM_WORLD_RANK",
                "" + r,
                "OMPI_COMM_WORLD_SIZE",
                "3",
                "OMPI_COMM_WORLD_LOCAL_SIZE",
                "3",
                "PMIX_NAMESPACE",
                job));
    Path folder = notes();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
        .isEqualTo("rwx------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(job))))
        .isEqualTo("rw-------");
  }

  /** Where the ranks of one host leave notes: named by the user's number. */
  private static Path notes() throws Exception {
    Path mine = Files.createTempFile("mine", "");
    Object user = Files.getAttribute(mine, "unix:uid");
    Files.delete(mine);
    return Path.of(System.getProperty("java.io.tmpdir"), "jcomms-" + user);
  }

  @Test
  void aNoteThatAKilledJobLeftIsReadAgain() throws Exception {
    String job = "requeued-" + System.nanoTime();
    Map<String, String> first = srun(0, job);
    meet(2, r -> srun(r, job + "-other"));
    Path stale = notes().resolve(job + ".3.1");
    Files.writeString(stale, freePort() + " " + StoreSecret.generate().reveal());
    CompletableFuture<Comm> early =
        CompletableFuture.supplyAsync(
            () ->
                Comm.newBuilder("fake", Device.CPU)
                    .environment(srun(1, job))
                    .initTimeout(Duration.ofSeconds(30))
                    .build());
    assertThatThrownBy(() -> early.get(300, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    try (Comm zero =
        Comm.newBuilder("fake", Device.CPU)
            .environment(first)
            .initTimeout(Duration.ofSeconds(30))
            .build()) {
      assertThat(zero.size()).isEqualTo(2);
      early.get(10, TimeUnit.SECONDS).close();
    }
  }

  private static Map<String, String> srun(int rank, String job) {
    return Map.of(
        "SLURM_PROCID",
        "" + rank,
        "SLURM_NTASKS",
        "2",
        "SLURM_NNODES",
        "1",
        "SLURM_JOB_ID",
        job,
        "SLURM_STEP_ID",
        "3",
        "SLURM_RESTART_COUNT",
        "1");
  }

  @Test
  void aNoteThatLeadsNowhereIsNamedAtTheInitTimeout() throws Exception {
    String job = "killed-" + System.nanoTime();
    Path stale = notes().resolve(job + ".3.1");
    meet(2, r -> srun(r, job + "-other"));
    Files.writeString(stale, freePort() + " " + StoreSecret.generate().reveal());
    try {
      assertThatThrownBy(
              () ->
                  Comm.newBuilder("fake", Device.CPU)
                      .environment(srun(1, job))
                      .initTimeout(Duration.ofMillis(300))
                      .build())
          .isInstanceOf(BootstrapException.class)
          .hasMessageContaining("no note of rank 0 at " + stale + " that leads to a store")
          .hasMessageContaining("within 0.3 s");
    } finally {
      Files.delete(stale);
    }
  }

  @Test
  void ranksMeetInAFile(@TempDir Path folder) throws Exception {
    meet(
        3,
        r ->
            Map.of(
                "RANK",
                "" + r,
                "WORLD_SIZE",
                "3",
                "JCOMMS_STORE_FILE",
                folder.resolve("store").toString()));
  }

  @Test
  void withoutAnyLauncherTheWorldIsOfOne() {
    try (Comm comm = Comm.newBuilder("fake", Device.CPU).environment(Map.of()).build()) {
      assertThat(comm.size()).isEqualTo(1);
      assertThat(comm.ranks()).containsExactly(0);
      comm.barrier();
    }
  }

  @Test
  void severalCommunicatorsOfOneProcessShareTheHostedStore() throws Exception {
    int port = freePort();
    Map<String, String> environment = Fakes.environment(0, port);
    Map<String, String> peer = Fakes.environment(1, port);
    for (int round = 0; round < 2; round++) {
      meet(2, r -> r == 0 ? environment : peer);
    }
  }

  /** Whatever has failed before, in a part of it or in another world of the process. */
  @ParameterizedTest
  @ValueSource(strings = {"nothing", "a part", "another world"})
  void inHealthTheHostOfTheStoreWaitsForAFarewellThatComesLate(String failed) throws Exception {
    int port = freePort();
    int otherPort = freePort();
    Duration late = Duration.ofMillis(2500);
    try (var threads = Executors.newCachedThreadPool()) {
      List<Comm> world = together(rank -> pair(rank, port), threads);
      List<Comm> failing =
          switch (failed) {
            case "a part" ->
                together(rank -> world.get(rank).split(List.of(0, 1)).orElseThrow(), threads);
            case "another world" -> together(rank -> pair(rank, otherPort), threads);
            default -> List.of();
          };
      failing.forEach(comm -> comm.abort("it has failed"));
      if (!failing.isEmpty()) {
        together(
            rank -> {
              failing.get(rank).close();
              return null;
            },
            threads);
      }
      long start = System.nanoTime();
      CompletableFuture<Duration> closing =
          CompletableFuture.supplyAsync(
              () -> {
                world.get(0).close();
                return Duration.ofNanos(System.nanoTime() - start);
              },
              threads);
      try {
        closing.get(late.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        // It waits still, as it should.
      }
      world.get(1).close();
      assertThat(closing.get(40, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(late);
    }
  }

  /** One rank of two, of which the first hosts the store. */
  private static Comm pair(int rank, int port) {
    return Comm.newBuilder("fake", Device.CPU).environment(Fakes.environment(rank, port)).build();
  }

  /** What two ranks do at the same time. */
  private static <T> List<T> together(IntFunction<T> action, ExecutorService threads)
      throws Exception {
    CompletableFuture<T> other = CompletableFuture.supplyAsync(() -> action.apply(1), threads);
    CompletableFuture<T> first = CompletableFuture.supplyAsync(() -> action.apply(0), threads);
    return Arrays.asList(first.get(40, TimeUnit.SECONDS), other.get(40, TimeUnit.SECONDS));
  }

  @Test
  void anAbsentRankIsNamedAtTheInitTimeout() throws Exception {
    int port = freePort();
    assertThatThrownBy(
            () ->
                Comm.newBuilder("fake", Device.CPU)
                    .environment(
                        Map.of(
                            "RANK",
                            "0",
                            "WORLD_SIZE",
                            "3",
                            "MASTER_ADDR",
                            "127.0.0.1",
                            "MASTER_PORT",
                            "" + port))
                    .initTimeout(Duration.ofSeconds(5))
                    .build())
        .isInstanceOfSatisfying(
            BootstrapException.class,
            e -> {
              assertThat(e.missingRanks()).containsExactly(1, 2);
              assertThat(e).hasMessageContaining("ranks [1, 2] did not come within 5.0 s");
            });
  }

  @Test
  void ranksThatMakeDifferentCommunicatorsAreTold() throws Exception {
    String port = Integer.toString(freePort());
    assertThatThrownBy(
            () ->
                meet(
                    2,
                    r ->
                        Map.of(
                            "RANK",
                            "" + r,
                            "WORLD_SIZE",
                            r == 0 ? "2" : "3",
                            "MASTER_ADDR",
                            "127.0.0.1",
                            "MASTER_PORT",
                            port)))
        .hasRootCauseInstanceOf(BootstrapException.class)
        .rootCause()
        .hasMessageContaining("ranks disagree");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "RANK=1|RANK is set but WORLD_SIZE is not",
        "WORLD_SIZE=2|WORLD_SIZE is set but RANK is not",
        "RANK=2,WORLD_SIZE=2|RANK=2 is not below WORLD_SIZE=2",
        "RANK=x,WORLD_SIZE=2|RANK=x is not a whole number of at least 0",
        "RANK=0,WORLD_SIZE=0|WORLD_SIZE=0 is not a whole number of at least 1",
        "RANK=0,WORLD_SIZE=2|has no store to meet at: set MASTER_ADDR and MASTER_PORT",
        "OMPI_COMM_WORLD_RANK=0,OMPI_COMM_WORLD_SIZE=4,OMPI_COMM_WORLD_LOCAL_SIZE=2|has no store to meet at",
        "RANK=0,WORLD_SIZE=2,MASTER_ADDR=127.0.0.1,MASTER_PORT=99999|MASTER_PORT=99999 is not a whole number from 1 to 65535"
      })
  void nonsenseIsToldAsItStands(String variables, String message) {
    Map<String, String> environment = new HashMap<>();
    for (String variable : variables.split(",")) {
      environment.put(variable.split("=")[0], variable.split("=")[1]);
    }
    assertThatThrownBy(() -> Comm.newBuilder("fake", Device.CPU).environment(environment).build())
        .isInstanceOfAny(BootstrapException.class, IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aStoreThatNobodyHostsIsNamed() throws Exception {
    int port = freePort();
    assertThatThrownBy(
            () ->
                Comm.newBuilder("fake", Device.CPU)
                    .environment(
                        Map.of(
                            "RANK",
                            "1",
                            "WORLD_SIZE",
                            "2",
                            "MASTER_ADDR",
                            "127.0.0.1",
                            "MASTER_PORT",
                            "" + port))
                    .initTimeout(Duration.ofMillis(300))
                    .build())
        .isInstanceOf(BootstrapException.class)
        .hasMessageContaining("127.0.0.1:" + port);
  }
}
