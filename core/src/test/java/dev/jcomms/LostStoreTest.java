package dev.jcomms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.fake.FakeProvider;
import dev.jcomms.spi.BackendProvider;
import dev.jcomms.store.TcpStoreServer;
import dev.jcomms.tensor.Device;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of communicators whose store is gone, or does not answer any more. */
@Timeout(120)
final class LostStoreTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private static Comm open(int rank, int port, boolean agent) {
    return open("fake", rank, port, agent);
  }

  private static Comm open(String backend, int rank, int port, boolean agent) {
    Map<String, String> environment = new HashMap<>(Fakes.environment(rank, port));
    environment.put("TORCHELASTIC_USE_AGENT_STORE", "" + agent);
    return Comm.newBuilder(backend, Device.CPU).environment(environment).initTimeout(LONG).build();
  }

  private static <T> List<T> both(
      List<Comm> comms, Function<Comm, T> action, ExecutorService threads) throws Exception {
    List<CompletableFuture<T>> all = new ArrayList<>();
    for (Comm comm : comms) {
      all.add(CompletableFuture.supplyAsync(() -> action.apply(comm), threads));
    }
    List<T> results = new ArrayList<>();
    for (CompletableFuture<T> each : all) {
      results.add(each.get(60, TimeUnit.SECONDS));
    }
    return results;
  }

  /** How a call fails; null if it does not. */
  private static Throwable failure(Runnable call) {
    try {
      call.run();
      return null;
    } catch (Throwable t) {
      return t;
    }
  }

  private static void call(Comm comm, String what) {
    switch (what) {
      case "split" -> comm.split(List.of(0, 1));
      case "monitored_barrier" -> comm.monitoredBarrier(LONG);
      default -> throw new IllegalArgumentException(what);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"split", "monitored_barrier"})
  void whatNeedsAStoreThatIsGoneFailsOnAllRanksAndTheyGoOn(String what) throws Exception {
    TcpStoreServer server = TcpStoreServer.start();
    try (server;
        var threads = Executors.newCachedThreadPool()) {
      CompletableFuture<Comm> second =
          CompletableFuture.supplyAsync(() -> open(1, server.port(), true), threads);
      try (Comm first = open(0, server.port(), true);
          Comm other = second.get(60, TimeUnit.SECONDS)) {
        // It waits at the store when that goes; the other one comes later.
        CompletableFuture<Throwable> waiting =
            CompletableFuture.supplyAsync(() -> failure(() -> call(first, what)), threads);
        assertThatThrownBy(() -> waiting.get(300, TimeUnit.MILLISECONDS))
            .isInstanceOf(java.util.concurrent.TimeoutException.class);
        server.close();
        for (Throwable failure :
            List.of(waiting.get(60, TimeUnit.SECONDS), failure(() -> call(other, what)))) {
          assertThat(failure)
              .isInstanceOf(BootstrapException.class)
              .hasMessageStartingWith(what + " ")
              .hasMessageContaining("the job's store[127.0.0.1:" + server.port() + "] is gone");
          assertThat(((CommException) failure).missingRanks()).isEmpty();
        }
        List<Comm> comms = List.of(first, other);
        assertThat(both(comms, comm -> failure(comm::barrier), threads)).containsOnlyNulls();
        assertThat(comms).noneMatch(Comm::isAborted);
      }
    }
  }

  /**
   * The first member of a part that is opened needs the store when it goes, the second waits for
   * the first.
   */
  @Test
  void aPartThatIsHalfOpenWhenTheStoreGoesFailsAndTheWholeGoesOn() throws Exception {
    TcpStoreServer server = TcpStoreServer.start();
    CountDownLatch never = new CountDownLatch(1);
    BackendProvider fake = new FakeProvider();
    String backend =
        Fakes.register(
            new FakeProvider(
                context -> {
                  if (context.comm().equals("main")) {
                    return fake.open(context);
                  }
                  if (context.rank() == 0) {
                    server.close();
                    context.store().set("address", new byte[0]);
                  }
                  try {
                    never.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                  throw new IllegalStateException("it waited in vain");
                }));
    try (server;
        var threads = Executors.newCachedThreadPool()) {
      CompletableFuture<Comm> second =
          CompletableFuture.supplyAsync(() -> open(backend, 1, server.port(), true), threads);
      try (Comm first = open(backend, 0, server.port(), true);
          Comm other = second.get(60, TimeUnit.SECONDS)) {
        List<Comm> comms = List.of(first, other);
        assertThat(both(comms, comm -> failure(() -> call(comm, "split")), threads))
            .allSatisfy(
                failure ->
                    assertThat(failure)
                        .isInstanceOf(BootstrapException.class)
                        .hasMessageStartingWith("split on comm 'main' failed")
                        .hasMessageContaining(" is gone"));
        assertThat(both(comms, comm -> failure(comm::barrier), threads)).containsOnlyNulls();
        assertThat(comms).noneMatch(Comm::isAborted);
      } finally {
        never.countDown();
      }
    }
  }

  /** Only this rank's way to the store is blocked then: nothing is known of who has it. */
  @Test
  void aStoreThatIsSilentIsNamedAndNotTheRankThatHasIt() throws Exception {
    try (TcpStoreServer server = TcpStoreServer.start();
        Way way = new Way(server.port());
        var threads = Executors.newCachedThreadPool()) {
      CompletableFuture<Comm> second =
          CompletableFuture.supplyAsync(() -> open(1, way.port(), false), threads);
      try (Comm _ = open(0, server.port(), true);
          Comm other = second.get(60, TimeUnit.SECONDS)) {
        way.block();
        assertThatThrownBy(() -> other.monitoredBarrier(LONG))
            .isInstanceOf(BackendException.class)
            .hasMessageContaining("the job's store[127.0.0.1:" + way.port() + "] in the process")
            .hasMessageContaining("of its rank 0 does not answer: silent for 5.0 s")
            .satisfies(e -> assertThat(((CommException) e).missingRanks()).isEmpty());
      }
    }
  }

  /** Passes on what is said between a store and its clients, until it swallows everything. */
  private static final class Way implements AutoCloseable {
    private final ServerSocket entry = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int port;
    private volatile boolean blocked;

    Way(int port) throws IOException {
      this.port = port;
      Thread.ofVirtual().start(this::accept);
    }

    int port() {
      return entry.getLocalPort();
    }

    void block() {
      blocked = true;
    }

    private void accept() {
      try {
        while (true) {
          Socket client = entry.accept();
          Socket behind = new Socket(InetAddress.getLoopbackAddress(), port);
          Thread.ofVirtual().start(() -> pass(client, behind));
          Thread.ofVirtual().start(() -> pass(behind, client));
        }
      } catch (IOException e) {
        // the test is over
      }
    }

    private void pass(Socket from, Socket to) {
      byte[] bytes = new byte[8192];
      try (from;
          to) {
        for (int n; (n = from.getInputStream().read(bytes)) > 0; ) {
          if (!blocked) {
            to.getOutputStream().write(bytes, 0, n);
          }
        }
      } catch (IOException e) {
        // the other way has ended
      }
    }

    @Override
    public void close() throws IOException {
      entry.close();
    }
  }
}
