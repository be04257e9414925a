package dev.jcomms.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.BootstrapException;
import dev.jcomms.Comm;
import dev.jcomms.CommException;
import dev.jcomms.PeerLostException;
import dev.jcomms.fake.FakeProvider;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.spi.BackendProvider;
import dev.jcomms.spi.Backends;
import dev.jcomms.store.HashStore;
import dev.jcomms.store.Store;
import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreTimeoutException;
import dev.jcomms.store.TcpStore;
import dev.jcomms.store.TcpStoreServer;
import dev.jcomms.tensor.Device;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rank 0 opens a communicator; the others are what the test says in the store. */
@Timeout(60)
class AttendanceTest {
  private static final String CORE = "jcomms/0/main/1/core/";
  private static final String OPENING = "opening";
  private static final Duration LONG = Duration.ofSeconds(120);

  private final HashStore store = HashStore.create();
  private final Process process = new ProcessBuilder("sleep", "600").start();

  AttendanceTest() throws IOException {}

  @AfterEach
  void end() {
    process.destroyForcibly();
    store.close();
  }

  private static CompletableFuture<Comm> open(int size, Store store, String backend) {
    return CompletableFuture.supplyAsync(
        () ->
            Comm.newBuilder(backend, Device.CPU)
                .ranks(0, size)
                .store(store)
                .environment(Map.of("JCOMMS_HEARTBEAT_SECONDS", "2"))
                .initTimeout(LONG)
                .build(),
        task -> Thread.ofPlatform().daemon().start(task));
  }

  /** Rank 1 says the same of the communicator as rank 0 does, and this of itself. */
  private static void announce(Store store, String life) {
    String said = new String(store.get(CORE + "init/0", LONG), StandardCharsets.UTF_8);
    String text = said.lines().findFirst().orElseThrow() + "\n" + life;
    store.set(CORE + "init/1", text.getBytes(StandardCharsets.UTF_8));
  }

  private void kill() throws InterruptedException {
    process.destroyForcibly();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
  }

  private void signal(String signal) throws Exception {
    new ProcessBuilder("kill", "-" + signal, "" + process.pid()).start().waitFor();
  }

  private static void assertFails(
      CompletableFuture<Comm> opening, Class<? extends CommException> type, int missing) {
    assertThatThrownBy(() -> opening.get(50, TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(type)
        .satisfies(e -> assertThat(((CommException) e).missingRanks()).containsExactly(missing));
  }

  @Test
  void aProcessThatEndsIsLostWhileOthersAreWaitedFor() throws Exception {
    CompletableFuture<Comm> opening = open(3, store, "fake");
    announce(store, Life.of(process.pid()).encode());
    kill();
    assertFails(opening, PeerLostException.class, 1);
    assertThat(store.get(CORE + "trouble", LONG)).asString().startsWith("lost 1 rank 1 is lost");
  }

  @Test
  void aProcessThatEndsWithTheStoreIsLost() throws Exception {
    TcpStoreServer server = TcpStoreServer.start();
    try (TcpStore own = TcpStore.connect("127.0.0.1", server.port());
        TcpStore other = TcpStore.connect("127.0.0.1", server.port())) {
      CompletableFuture<Comm> opening =
          open(2, own, opening(context -> context.store().get("never", LONG)));
      announce(other, Life.of(process.pid()).encode());
      store.get(OPENING, LONG);
      kill();
      server.close();
      assertFails(opening, PeerLostException.class, 1);
    } finally {
      server.close();
    }
  }

  @Test
  void aProcessThatIsStoppedIsLost() throws Exception {
    CompletableFuture<Comm> opening = open(3, store, "fake");
    announce(store, Life.of(process.pid()).encode());
    signal("STOP");
    assertFails(opening, PeerLostException.class, 1);
    assertThat(store.get(CORE + "trouble", LONG)).asString().contains("has been stopped for ");
    assertThat(store.check(List.of(CORE + "beats/0"))).as("the kernel knows").isFalse();
  }

  /** The store stops with rank 1, and rank 0 has nobody else to ask. */
  @Test
  void aProcessThatIsStoppedWithTheStoreIsLost() throws Exception {
    CountDownLatch read = new CountDownLatch(1);
    AtomicBoolean silent = new AtomicBoolean();
    Store seen =
        seen(
            (method, args) -> {
              if (silent.get()) {
                throw new StoreTimeoutException(method, List.of(), LONG, "silent");
              }
              if (method.equals("get") && args[0].equals(CORE + "init/1")) {
                read.countDown();
              }
            });
    CompletableFuture<Comm> opening = open(3, seen, "fake");
    announce(store, Life.of(process.pid()).encode());
    await(read);
    signal("STOP");
    silent.set(true);
    assertFails(opening, PeerLostException.class, 1);
  }

  /** Two stops are told apart, however short the time between them. */
  @Test
  void aStopIsKnownUntilTheProcessGoesOn() throws Exception {
    Life life = Life.of(process.pid());
    assertThat(life.stop()).isNegative();
    signal("STOP");
    long first = awaitStop(life, true);
    signal("CONT");
    awaitStop(life, false);
    signal("STOP");
    assertThat(awaitStop(life, true)).isNotEqualTo(first);
  }

  private static long awaitStop(Life life, boolean stopped) {
    long stop = life.stop();
    for (int look = 0; look < 3000 && stop >= 0 != stopped; look++) {
      LockSupport.parkNanos(10_000_000);
      stop = life.stop();
    }
    assertThat(stop >= 0).isEqualTo(stopped);
    return stop;
  }

  @Test
  void aRankOfAnotherHostIsLostWhenItIsSilent() {
    CompletableFuture<Comm> opening = open(3, store, "fake");
    announce(store, new Life("elsewhere", 1, 1).encode());
    assertFails(opening, PeerLostException.class, 1);
    assertThat(store.add(CORE + "beats/0", 0)).isGreaterThan(1);
  }

  /** Before it knows of any other. */
  @Test
  void aRankWhoseStoreFailsAtItsFirstReadTellsTheOthers() {
    Store failing =
        seen(
            (method, _) -> {
              if (method.equals("multiGet")) {
                throw new StoreException("connection lost", null);
              }
            });
    assertThatThrownBy(() -> open(2, failing, "fake").get(50, TimeUnit.SECONDS))
        .hasCauseInstanceOf(BootstrapException.class);
    assertThat(store.check(List.of(CORE + "trouble"))).isTrue();
    assertThat(store.get(CORE + "trouble", LONG))
        .asString()
        .startsWith("failed 0 rank 0 has given up: the store failed: connection lost");
  }

  @Test
  void aRankThatHasGivenUpIsHeard() {
    CompletableFuture<Comm> opening = open(3, store, "fake");
    announce(store, Life.OWN.encode());
    String word = "failed 2 rank 1 has given up: rank 2 did not come";
    store.set(CORE + "trouble", word.getBytes(StandardCharsets.UTF_8));
    assertFails(opening, BootstrapException.class, 2);
  }

  /** Rank 1 has opened and is gone while rank 0 still opens its backend. */
  @Test
  void whoHasOpenedMayEnd() throws Exception {
    CountDownLatch missed = new CountDownLatch(1);
    Store seen =
        seen(
            (method, args) -> {
              if (method.equals("get") && args[0].equals(CORE + "init/1") && !process.isAlive()) {
                missed.countDown();
              }
            });
    CompletableFuture<Comm> opening = open(2, seen, opening(_ -> await(missed)));
    announce(store, Life.of(process.pid()).encode());
    store.get(OPENING, LONG);
    announce(store, "opened");
    kill();
    opening.get(50, TimeUnit.SECONDS).close();
    assertThat(missed.getCount()).isZero();
  }

  /** The store, where this is done before each call: it is told the method's name. */
  private Store seen(BiConsumer<String, Object[]> first) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (_, method, args) -> {
              first.accept(method.getName(), args);
              return invoke(method, args);
            });
  }

  private Object invoke(Method method, Object[] args) throws Throwable {
    try {
      return method.invoke(store, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(50, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A backend that says when it is being opened, and does this first. */
  private String opening(Consumer<BackendContext> first) {
    String name = "slow-" + System.nanoTime();
    BackendProvider fake = new FakeProvider();
    Backends.register(
        name,
        new FakeProvider(
            context -> {
              store.set(OPENING, new byte[0]);
              first.accept(context);
              return fake.open(context);
            }));
    return name;
  }
}
