package dev.jcomms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.fake.FakeProvider;
import dev.jcomms.fake.FakeScript;
import dev.jcomms.spi.Backend;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.spi.BackendProvider;
import dev.jcomms.store.HashStore;
import dev.jcomms.store.Store;
import dev.jcomms.store.StoreTimeoutException;
import dev.jcomms.store.TcpStore;
import dev.jcomms.store.TcpStoreServer;
import dev.jcomms.tensor.Device;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A communicator that cannot be made says why, and leaves nothing open. */
class FailedInitTest {
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger opened = new AtomicInteger();

  /** A fake whose open backends are counted. */
  private BackendProvider counted(String version) {
    BackendProvider fake = new FakeProvider();
    return new BackendProvider() {
      @Override
      public String name() {
        return "counted";
      }

      @Override
      public String version() {
        if (version == null) {
          throw new LinkageError("no native library");
        }
        return version;
      }

      @Override
      public Set<String> devices() {
        return Set.of("cpu");
      }

      @Override
      public Backend open(BackendContext context) {
        Backend backend = fake.open(context);
        open.incrementAndGet();
        opened.incrementAndGet();
        return (Backend)
            Proxy.newProxyInstance(
                Backend.class.getClassLoader(),
                new Class<?>[] {Backend.class},
                (_, method, arguments) -> {
                  if (method.getName().equals("close")) {
                    open.decrementAndGet();
                  }
                  return method.invoke(backend, arguments);
                });
      }
    };
  }

  /** At a store that the launcher has. */
  private static Map<String, String> atAgent(TcpStoreServer server) {
    Map<String, String> environment = new HashMap<>(atRankZero(server));
    environment.put("RANK", "0");
    environment.put("TORCHELASTIC_USE_AGENT_STORE", "1");
    return environment;
  }

  /** At a store that rank 0 has. */
  private static Map<String, String> atRankZero(TcpStoreServer server) {
    return atRankZero(server.port());
  }

  private static Map<String, String> atRankZero(int port) {
    return Fakes.environment(1, port);
  }

  private static void awaitNobodyAt(TcpStoreServer server) {
    long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (server.usage().connections() > 0 && System.nanoTime() < deadline) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(server.usage().connections()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "JCOMMS_NAN_CHECK=maybe",
        "JCOMMS_LOG_OPERATIONS=maybe",
        "JCOMMS_FLIGHT_RECORDER_SIZE=many"
      })
  void nonsenseIsRefusedBeforeABackendIsOpened(String setting) {
    String[] pair = setting.split("=");
    assertThatThrownBy(
            () ->
                Comm.newBuilder(Fakes.register(counted("1")), Device.CPU)
                    .environment(Map.of(pair[0], pair[1]))
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(setting);
    assertThat(opened).hasValue(0);
  }

  @Test
  void anErrorAfterTheBackendsAreOpenClosesThem() {
    assertThatThrownBy(() -> Fakes.builder(Fakes.register(counted(null))).build())
        .isInstanceOf(LinkageError.class)
        .hasMessage("no native library");
    assertThat(opened).hasValue(1);
    assertThat(open).hasValue(0);
  }

  @Test
  void anErrorOfABackendLeavesNoConnection() throws Exception {
    BackendProvider broken =
        new FakeProvider(
            _ -> {
              throw new LinkageError("no native library");
            });
    String name = Fakes.register(broken);
    try (TcpStoreServer server = TcpStoreServer.start()) {
      CompletableFuture<Comm> rank =
          CompletableFuture.supplyAsync(
              () ->
                  Comm.newBuilder(name, Device.CPU)
                      .environment(atAgent(server))
                      .initTimeout(Duration.ofSeconds(20))
                      .build());
      try (TcpStore peer = TcpStore.connect("127.0.0.1", server.port())) {
        String init = "jcomms/0/main/1/core/init/";
        peer.set(init + 1, peer.get(init + 0, Duration.ofSeconds(20)));
      }
      assertThatThrownBy(() -> rank.get(20, TimeUnit.SECONDS))
          .hasCauseInstanceOf(LinkageError.class);
      awaitNobodyAt(server);
    }
  }

  @Test
  void aStoreThatRefusesTheFirstCallIsNamedAndLeft() {
    try (TcpStoreServer server = TcpStoreServer.start()) {
      try (TcpStore peer = TcpStore.connect("127.0.0.1", server.port())) {
        // Not a number, so that rank 0 cannot count its communicators.
        peer.set("jcomms/0/main/made/0", new byte[] {'x'});
      }
      assertThatThrownBy(
              () ->
                  Comm.newBuilder("fake", Device.CPU)
                      .environment(atAgent(server))
                      .initTimeout(Duration.ofSeconds(5))
                      .build())
          .isInstanceOf(BootstrapException.class)
          .hasMessageContaining("init on comm 'main' failed (rank 0 of 2): the store failed")
          .hasMessageContaining("jcomms/0/main/made/0");
      awaitNobodyAt(server);
    }
  }

  @Test
  void aStoreThatGoesWhileRanksMeetIsNamed() throws Exception {
    assertThatThrownBy(() -> atAStoreThatGoes(FailedInitTest::atAgent))
        .isInstanceOfSatisfying(
            BootstrapException.class, e -> assertThat(e.missingRanks()).isEmpty())
        .hasMessageContaining("the store failed: ");
  }

  @Test
  void theRankThatHadTheStoreIsNamed() throws Exception {
    assertThatThrownBy(() -> atAStoreThatGoes(FailedInitTest::atRankZero))
        .isInstanceOfSatisfying(
            BootstrapException.class, e -> assertThat(e.missingRanks()).containsExactly(0))
        .hasMessageContaining("the store failed, which rank 0 has: ");
  }

  /** Opens one rank of two at a store that ends when it has come. */
  private static Comm atAStoreThatGoes(Function<TcpStoreServer, Map<String, String>> environment)
      throws Throwable {
    CompletableFuture<Comm> comm;
    try (TcpStoreServer server = TcpStoreServer.start()) {
      Map<String, String> variables = environment.apply(server);
      comm =
          CompletableFuture.supplyAsync(
              () ->
                  Comm.newBuilder("fake", Device.CPU)
                      .environment(variables)
                      .initTimeout(Duration.ofSeconds(20))
                      .build());
      try (TcpStore peer = TcpStore.connect("127.0.0.1", server.port())) {
        String come = "jcomms/0/main/1/core/init/" + variables.get("RANK");
        peer.await(List.of(come), Duration.ofSeconds(20));
      }
    }
    try {
      return comm.get(30, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause();
    }
  }

  /** Rank 0 hears from its store that rank 1 has failed, not that it has itself. */
  @Test
  void whoLosesItsConnectionsAtItsFirstReadTellsTheOthers() throws Exception {
    String core = "jcomms/0/main/1/core/";
    try (TcpStoreServer server = TcpStoreServer.start();
        ServerSocket relay = new ServerSocket(0);
        TcpStore peer = TcpStore.connect("127.0.0.1", server.port())) {
      Thread.ofVirtual().start(() -> relay(relay, server, core + "init/0"));
      assertThatThrownBy(
              () ->
                  Comm.newBuilder("fake", Device.CPU)
                      .environment(atRankZero(relay.getLocalPort()))
                      .initTimeout(Duration.ofSeconds(20))
                      .build())
          .isInstanceOf(BootstrapException.class)
          .hasMessageContaining("the store failed, which rank 0 has: ");
      assertThat(peer.check(List.of(core + "trouble"))).isTrue();
      assertThat(peer.get(core + "trouble"))
          .asString()
          .startsWith("failed 1 rank 1 has given up: the store failed");
    }
  }

  /** One rank's failure alone, which it does not share with those that wait for it. */
  @ParameterizedTest
  @ValueSource(strings = {"refusal", "failure", "error", "before it has come"})
  void whoFailsAloneIsNamedByThoseWhoWaitForIt(String how) throws Exception {
    HashStore store = HashStore.create();
    BackendProvider waiting =
        new FakeProvider(
            context -> {
              if (context.rank() == 1) {
                switch (how) {
                  case "refusal" -> throw new IllegalArgumentException("address=nowhere");
                  case "failure" -> throw new IllegalStateException("address=nowhere");
                  default -> throw new LinkageError("address=nowhere");
                }
              }
              context.store().get("address/1", Duration.ofSeconds(60));
              throw new AssertionError("there is no address");
            });
    String backend = Fakes.register(waiting);
    CompletableFuture<Comm> first =
        CompletableFuture.supplyAsync(
            () -> Fakes.builder(backend).ranks(0, 2).store(store).build(),
            task -> Thread.ofPlatform().daemon().start(task));
    Store given = how.equals("before it has come") ? without(store, "set") : store;
    assertThatThrownBy(() -> Fakes.builder(backend).ranks(1, 2).store(given).build())
        .hasMessageContaining("address=nowhere");
    assertThatThrownBy(() -> first.get(30, TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(BootstrapException.class)
        .hasMessageContaining("rank 1 has given up: ")
        .hasMessageContaining("address=nowhere")
        .satisfies(e -> assertThat(((CommException) e).missingRanks()).containsExactly(1));
  }

  /** A store that breaks when it is asked for this. */
  private static Store without(Store store, String request) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (_, method, arguments) -> {
              if (method.getName().equals(request)) {
                throw new IllegalStateException("address=nowhere");
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /**
   * Passes on what clients say, but ends the first two connections on which this is said: who has
   * said it tries again, once.
   */
  private static void relay(ServerSocket relay, TcpStoreServer server, String last) {
    AtomicInteger said = new AtomicInteger();
    try {
      while (true) {
        Socket client = relay.accept();
        Socket behind = new Socket("127.0.0.1", server.port());
        Thread.ofVirtual().start(() -> pass(behind, client, _ -> false));
        Thread.ofVirtual()
            .start(() -> pass(client, behind, t -> t.contains(last) && said.getAndIncrement() < 2));
      }
    } catch (IOException e) {
      // the test is over
    }
  }

  private static void pass(Socket from, Socket to, Predicate<String> ends) {
    byte[] bytes = new byte[8192];
    try (from;
        to) {
      for (int n; (n = from.getInputStream().read(bytes)) > 0; ) {
        if (ends.test(new String(bytes, 0, n, StandardCharsets.ISO_8859_1))) {
          return;
        }
        to.getOutputStream().write(bytes, 0, n);
      }
    } catch (IOException e) {
      // the other way has ended
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1})
  void anInitTimeoutIsPositive(long seconds) {
    assertThatThrownBy(() -> Fakes.builder("fake").initTimeout(Duration.ofSeconds(seconds)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("initTimeout=" + Duration.ofSeconds(seconds) + " is not positive");
  }

  /** Who waits for others looks around at the store; that is not what it needs it for. */
  @Test
  void aStoreThatDoesNotAnswerWhoLooksAroundIsForgiven() throws Exception {
    HashStore store = HashStore.create();
    AtomicInteger looks = new AtomicInteger();
    Store silent =
        (Store)
            Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (_, method, arguments) -> {
                  if (method.getName().equals("check")
                      && arguments[0].toString().contains("trouble")) {
                    looks.incrementAndGet();
                    throw new StoreTimeoutException(
                        "check", List.of(), Duration.ofSeconds(2), "silent");
                  }
                  try {
                    return method.invoke(store, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    String backend = Fakes.register(new FakeScript());
    CompletableFuture<Integer> first =
        CompletableFuture.supplyAsync(
            () -> {
              try (Comm comm = Fakes.builder(backend).ranks(0, 2).store(silent).build()) {
                return comm.size();
              }
            },
            task -> Thread.ofPlatform().daemon().start(task));
    long start = System.nanoTime();
    while (looks.get() == 0 && !first.isDone() && System.nanoTime() - start < 20_000_000_000L) {
      LockSupport.parkNanos(10_000_000);
    }
    Thread.sleep(100);
    Fakes.builder(backend).ranks(1, 2).store(store).build().close();
    assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo(2);
    assertThat(looks).hasPositiveValue();
  }
}
