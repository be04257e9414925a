package dev.jcomms.internal.store.tcp;

import static dev.jcomms.internal.store.tcp.RawClient.int64;
import static dev.jcomms.internal.store.tcp.RawClient.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreTimeoutException;
import dev.jcomms.store.TcpStore;
import dev.jcomms.store.TcpStoreOptions;
import dev.jcomms.store.TcpStoreServer;
import dev.jcomms.store.TcpStoreServerOptions;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client's side of the protocol, and what it makes of servers that are late, silent or mad. */
@Timeout(60)
final class TcpClientTest {
  private static final String ACKNOWLEDGE = "4d4f434a";
  private static final Duration SOON = Duration.ofMillis(100);
  private static final Duration LONG = Duration.ofSeconds(20);

  /** For a server that is reached in that time, also on a machine that stands still meanwhile. */
  private static final Duration AWHILE = Duration.ofSeconds(2);

  private static TcpStore connect(int port, Duration timeout) {
    TcpStoreOptions options = TcpStoreOptions.defaults().timeout(timeout).name("job");
    return TcpStore.connect("127.0.0.1", port, options);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  @Test
  void everyRequestIsWrittenAsPyTorchWritesIt() throws Exception {
    try (FakeServer server =
            new FakeServer(
                client ->
                    client
                        .greet()
                        .expect("01" + text("/k") + text("v") + "0d" + ACKNOWLEDGE)
                        .send(ACKNOWLEDGE)
                        .expect("05" + int64(1) + text("/k"))
                        .send("00")
                        .expect("03" + text("/k"))
                        .send(text("v"))
                        .expect("04" + text("/n") + int64(-3))
                        .send(int64(-3))
                        .expect("02" + text("/k") + text("v") + text("w"))
                        .send(text("w"))
                        .expect("05" + int64(2) + text("/a") + text("/b"))
                        .send("01")
                        .expect("08" + text("/k"))
                        .send(int64(1))
                        .expect("07")
                        .send(int64(4))
                        .expect("09" + text("/k") + text("x") + "0d" + ACKNOWLEDGE)
                        .send(ACKNOWLEDGE)
                        .expect("0b" + int64(2) + text("/a") + text("1") + text("/b") + text("2"))
                        .expect("0d" + ACKNOWLEDGE)
                        .send(ACKNOWLEDGE)
                        .expect("05" + int64(2) + text("/a") + text("/b"))
                        .send("00")
                        .expect("0a" + int64(2) + text("/a") + text("/b"))
                        .send(text("1") + text("2"))
                        .expect("11")
                        .send(int64(2) + text("init/") + text("/a"))
                        .expect("0e" + text("/q") + text("v") + "0d" + ACKNOWLEDGE)
                        .send(ACKNOWLEDGE)
                        .expect("10" + text("/q"))
                        .send(int64(1))
                        .expect("0f" + text("/q"))
                        .send(int64(1) + text("v")));
        TcpStore store = connect(server.port(), LONG)) {
      store.set("k", bytes("v"));
      assertThat(store.get("k")).isEqualTo(bytes("v"));
      assertThat(store.add("n", -3)).isEqualTo(-3);
      assertThat(store.compareSet("k", bytes("v"), bytes("w"))).isEqualTo(bytes("w"));
      assertThat(store.check(List.of("a", "b"))).isFalse();
      assertThat(store.delete("k")).isTrue();
      assertThat(store.numKeys()).isEqualTo(4);
      store.append("k", bytes("x"));
      Map<String, byte[]> values = new LinkedHashMap<>();
      values.put("a", bytes("1"));
      values.put("b", bytes("2"));
      store.multiSet(values);
      assertThat(store.multiGet(List.of("a", "b"))).containsExactly(bytes("1"), bytes("2"));
      assertThat(store.listKeys()).containsExactly("a");
      store.queuePush("q", bytes("v"));
      assertThat(store.queueLength("q")).isEqualTo(1);
      assertThat(store.queuePoll("q")).hasValue(bytes("v"));
      server.expectDone();
    }
  }

  @Test
  void aKeyThatIsDeletedAndSetAgainIsNotTakenForEmpty() throws Exception {
    try (FakeServer server =
            new FakeServer(
                client -> {
                  client
                      .greet()
                      .expect("05" + int64(1) + text("/k"))
                      .send("00")
                      // Here it is deleted.
                      .expect("03" + text("/k"))
                      .send(text(""))
                      // Here it is set,
                      .expect("05" + int64(1) + text("/k"))
                      .send("00");
                  // and deleted: such an answer says that nothing is there.
                  client.expect("02" + text("/k"));
                  String token = client.counted();
                  client.expect(token).send(token);
                },
                client ->
                    client
                        .greet()
                        .expect("06" + int64(1) + text("/k"))
                        .send("00")
                        .expect("03" + text("/k"))
                        .send(text("w")));
        TcpStore store = connect(server.port(), LONG)) {
      assertThat(store.get("k")).isEqualTo(bytes("w"));
      server.expectDone();
    }
  }

  @Test
  void emptyValuesAreProbedAndOneSetMeanwhileCounts() throws Exception {
    try (FakeServer server =
            new FakeServer(
                client -> {
                  client
                      .greet()
                      .expect("05" + int64(3) + text("/a") + text("/b") + text("/c"))
                      .send("00")
                      .expect("0a" + int64(3) + text("/a") + text("/b") + text("/c"))
                      .send(text("") + text("v") + text(""))
                      .expect("05" + int64(2) + text("/a") + text("/c"))
                      .send("00")
                      .expect("02" + text("/a"));
                  String token = client.counted();
                  client.expect(token + "02" + text("/c") + token + token);
                  client.send(text("") + text("w"));
                });
        TcpStore store = connect(server.port(), LONG)) {
      assertThat(store.multiGet(List.of("a", "b", "c")))
          .containsExactly(bytes(""), bytes("v"), bytes("w"));
      server.expectDone();
    }
  }

  @Test
  void anAnswerThatCrossesTheCancellationCounts() throws Exception {
    CompletableFuture<Void> over = new CompletableFuture<>();
    try (FakeServer server =
            new FakeServer(
                client -> client.greet().expect("05" + int64(1) + text("/k")).send("01"),
                client -> {
                  client.greet().expect("06" + int64(1) + text("/k")).expect("0c").send("00 01");
                  client.expect("0c").send("01"); // as after any await that has waited
                  over.join();
                });
        TcpStore store = connect(server.port(), LONG)) {
      store.await(List.of("k"), SOON);
      over.complete(null);
      server.expectDone();
    }
  }

  @Test
  void aCancelledConnectionIsUsedAgain() throws Exception {
    try (TcpStoreServer server = TcpStoreServer.start();
        TcpStore store = connect(server.port(), LONG)) {
      for (int i = 0; i < 10; i++) {
        assertThatThrownBy(() -> store.get("k", Duration.ofMillis(5)))
            .isInstanceOf(StoreTimeoutException.class);
      }
      assertThat(server.usage().connections()).isEqualTo(2);
    }
  }

  @Test
  void theServerMayComeLater() throws Exception {
    int port;
    try (ServerSocket reserved = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = reserved.getLocalPort();
    }
    CompletableFuture<TcpStore> connecting =
        CompletableFuture.supplyAsync(() -> connect(port, LONG));
    assertThatThrownBy(() -> connecting.get(200, TimeUnit.MILLISECONDS))
        .isInstanceOf(java.util.concurrent.TimeoutException.class);
    try (TcpStoreServer server = TcpStoreServer.start(TcpStoreServerOptions.defaults().port(port));
        TcpStore store = connecting.get(20, TimeUnit.SECONDS)) {
      assertThat(store.add("n", 1)).isEqualTo(1);
      assertThat(store.address()).isEqualTo(server.address());
    }
  }

  @Test
  void aServerThatNeverComesIsNamed() throws Exception {
    int port;
    try (ServerSocket reserved = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = reserved.getLocalPort();
    }
    assertThatThrownBy(() -> connect(port, SOON))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("job[127.0.0.1:" + port + "]")
        .hasMessageContaining("0.1 s");
    assertThatThrownBy(() -> TcpStore.connect("127.0.0.1", 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static FakeServer.Script silentUntil(CompletableFuture<Void> over) {
    return client -> {
      client.greet();
      over.join();
    };
  }

  @Test
  void aSilentServerCostsTheTimeoutAndNoMore() throws Exception {
    CompletableFuture<Void> over = new CompletableFuture<>();
    FakeServer.Script silent = silentUntil(over);
    try (FakeServer server = new FakeServer(silent, silent, silent);
        TcpStore store = connect(server.port(), AWHILE)) {
      assertThatThrownBy(() -> store.add("n", 1))
          .isInstanceOf(StoreTimeoutException.class)
          .hasMessageContaining("add n")
          .hasMessageContaining("no answer")
          .hasMessageContaining("127.0.0.1:" + server.port());
      over.complete(null);
    }
  }

  /** Waits go on as long as they were asked to; what needs no wait has a limit of its own. */
  @Test
  void aSilentServerCostsWhoHasNoPatienceOnlyThat() throws Exception {
    CompletableFuture<Void> over = new CompletableFuture<>();
    FakeServer.Script silent = silentUntil(over);
    Duration never = Duration.ofDays(1);
    try (FakeServer first = new FakeServer(silent);
        FakeServer second = new FakeServer(silent);
        TcpClient patient = (TcpClient) connect(first.port(), never);
        TcpClient changed = (TcpClient) connect(second.port(), never)) {
      TcpClient hurried = patient.inAHurry(SOON);
      assertThat(hurried.timeout()).isEqualTo(never);
      assertThatThrownBy(() -> hurried.multiGet(List.of("k")))
          .isInstanceOf(StoreTimeoutException.class)
          .hasMessageContaining("no answer");
      changed.requireAnswersWithin(SOON);
      assertThatThrownBy(() -> changed.set("k", bytes("v")))
          .isInstanceOf(StoreTimeoutException.class)
          .hasMessageContaining("set k");
      over.complete(null);
    }
  }

  @Test
  void aServerThatDoesNotReadCostsTheTimeoutAndNoMore() throws Exception {
    CompletableFuture<Void> over = new CompletableFuture<>();
    try (FakeServer server = new FakeServer(silentUntil(over));
        TcpStore store = connect(server.port(), AWHILE)) {
      Map<String, byte[]> values = new LinkedHashMap<>();
      byte[] large = new byte[8 << 20];
      for (int i = 0; i < 8; i++) values.put("k" + i, large);
      assertThatThrownBy(() -> store.multiSet(values)).isInstanceOf(StoreTimeoutException.class);
      over.complete(null);
    }
  }

  @Test
  void anAbsurdReplyIsRefusedWithoutItsMemory() throws Exception {
    for (long claimed : new long[] {-1, Long.MAX_VALUE, Integer.MAX_VALUE - 9}) {
      try (FakeServer server =
              new FakeServer(
                  client ->
                      client
                          .greet()
                          .expect("02" + text("/k") + text("") + text("v"))
                          .send(int64(claimed) + "00"));
          TcpStore store = connect(server.port(), LONG)) {
        assertThatThrownBy(() -> store.compareSet("k", bytes(""), bytes("v")))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("compareSet k");
      }
    }
  }

  @Test
  void aWriteTheServerRefusesFailsInItsOwnCall() throws Exception {
    FakeServer.Script refusal = client -> client.greet().expect("01" + text("/k"));
    try (FakeServer server = new FakeServer(refusal, refusal);
        TcpStore store = connect(server.port(), LONG)) {
      assertThatThrownBy(() -> store.set("k", bytes("v")))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("set k");
      server.expectDone();
    }
  }

  /** As a NAT or a firewall ends connections that were silent for long. */
  @Test
  void aConnectionThatWasForgottenIsReplacedWhereTheServerMayHearThingsTwice() throws Exception {
    String set = "01" + text("/k") + text("v") + "0d" + ACKNOWLEDGE;
    try (FakeServer server =
            new FakeServer(
                client -> client.greet().expect(set).send(ACKNOWLEDGE),
                client -> client.greet().expect(set).send(ACKNOWLEDGE),
                client -> client.greet().expect("07").send(int64(4)));
        TcpStore store = connect(server.port(), LONG)) {
      store.set("k", bytes("v"));
      store.set("k", bytes("v"));
      assertThat(store.numKeys()).isEqualTo(4);
      server.expectDone();
    }
  }

  /** Is asked for the values of a and b, and gives these. */
  private static FakeServer.Script values(String answer) {
    return client ->
        client
            .greet()
            .expect("05" + int64(2) + text("/a") + text("/b"))
            .send("00")
            .expect("0a" + int64(2) + text("/a") + text("/b"))
            .send(answer);
  }

  @Test
  void anAnswerThatBrokeOffIsReadFromItsBeginningTheSecondTime() throws Exception {
    FakeServer.Script half = values(text("old") + int64(3) + "6f");
    FakeServer.Script whole = values(text("new") + text("one"));
    try (FakeServer server = new FakeServer(half, whole);
        TcpStore store = connect(server.port(), LONG)) {
      assertThat(store.multiGet(List.of("a", "b"))).containsExactly(bytes("new"), bytes("one"));
      server.expectDone();
    }
  }

  @Test
  void aWaitBeginsAnewOnAConnectionInPlaceOfAForgottenOne() throws Exception {
    FakeServer.Script asked =
        client -> client.greet().expect("05" + int64(1) + text("/k")).send("01");
    FakeServer.Script waited =
        client ->
            client
                .greet()
                .expect("06" + int64(1) + text("/k"))
                .send("00")
                .expect("0c")
                .send("01"); // as after any await that has waited
    try (FakeServer server = new FakeServer(asked, waited, asked, waited);
        TcpStore store = connect(server.port(), LONG)) {
      store.await(List.of("k"), LONG);
      store.await(List.of("k"), LONG);
      server.expectDone();
    }
  }

  /** What the server may have done already fails, and the next call is the next that it hears. */
  @ParameterizedTest
  @ValueSource(
      strings = {"add", "compareSet", "append", "delete", "queuePush", "queuePop", "queuePoll"})
  void whatTheServerMustNotHearTwiceIsSaidOnce(String operation) throws Exception {
    try (FakeServer server =
            new FakeServer(
                FakeServer.Peer::greet, client -> client.greet().expect("07").send(int64(4)));
        TcpStore store = connect(server.port(), LONG)) {
      assertThatThrownBy(
              () -> {
                switch (operation) {
                  case "add" -> store.add("k", 1);
                  case "compareSet" -> store.compareSet("k", bytes("v"), bytes("w"));
                  case "append" -> store.append("k", bytes("v"));
                  case "delete" -> store.delete("k");
                  case "queuePush" -> store.queuePush("k", bytes("v"));
                  case "queuePop" -> store.queuePop("k", LONG);
                  default -> store.queuePoll("k");
                }
              })
          .isExactlyInstanceOf(StoreException.class)
          .hasMessageContaining(operation + " k")
          .hasMessageContaining("connection lost");
      assertThat(store.numKeys()).isEqualTo(4);
      server.expectDone();
    }
  }

  @Test
  void aServerThatIsGoneIsToldAsALostConnection() throws Exception {
    TcpStoreServer server = TcpStoreServer.start();
    try (TcpStore store = connect(server.port(), Duration.ofDays(1))) {
      store.set("k", bytes("v"));
      server.close();
      assertThatThrownBy(() -> store.get("k"))
          .isExactlyInstanceOf(StoreException.class)
          .hasMessageContaining("get [k]")
          .hasMessageContaining("connection lost");
    } finally {
      server.close();
    }
  }

  /** The listener of the fake one is open, but nobody is there to greet. */
  @Test
  void aServerThatTakesNobodyMoreIsToldAsALostConnection() throws Exception {
    try (FakeServer server = new FakeServer(FakeServer.Peer::greet);
        TcpStore store = connect(server.port(), Duration.ofDays(1))) {
      assertThatThrownBy(() -> store.check(List.of("k")))
          .isExactlyInstanceOf(StoreException.class)
          .hasMessageContaining("connection lost");
    }
  }

  @Test
  void aClosedClientPutsNoConnectionInPlaceOfOneItHasClosed() throws Exception {
    try (TcpStoreServer server = TcpStoreServer.start()) {
      TcpStore store = connect(server.port(), LONG);
      assertThatThrownBy(() -> store.get("never", Duration.ofMillis(5)))
          .isInstanceOf(StoreTimeoutException.class);
      CompletableFuture<byte[]> waiter =
          CompletableFuture.supplyAsync(() -> store.get("never", LONG));
      while (server.usage().bufferedBytes() == 0) Thread.onSpinWait();
      store.close();
      assertThatThrownBy(() -> waiter.get(20, TimeUnit.SECONDS))
          .hasCauseInstanceOf(StoreException.class)
          .hasMessageContaining("closed");
      while (server.usage().connections() > 0) Thread.onSpinWait();
    }
  }

  @Test
  void closingEndsThoseWhoWait() throws Exception {
    try (TcpStoreServer server = TcpStoreServer.start()) {
      TcpStore store = connect(server.port(), LONG);
      CompletableFuture<byte[]> waiter =
          CompletableFuture.supplyAsync(() -> store.get("never", LONG));
      while (server.usage().bufferedBytes() == 0) Thread.onSpinWait();
      store.close();
      assertThatThrownBy(() -> waiter.get(5, TimeUnit.SECONDS))
          .hasCauseInstanceOf(StoreException.class)
          .hasMessageContaining("closed");
    }
  }

  @Test
  void manyThreadsShareOneConnection() throws Exception {
    int threads = 1000;
    try (TcpStoreServer server = TcpStoreServer.start();
        TcpStore store = connect(server.port(), LONG);
        var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var adding =
          java.util.stream.IntStream.range(0, threads)
              .mapToObj(_ -> executor.submit(() -> store.add("n", 1)))
              .toList();
      for (var each : adding) each.get(20, TimeUnit.SECONDS);
      assertThat(store.add("n", 0)).isEqualTo(threads);
      assertThat(server.usage().connections()).isEqualTo(1);
    }
  }

  @Test
  void aThreadInterruptedBeforehandTouchesNothing() {
    try (TcpStoreServer server = TcpStoreServer.start();
        TcpStore store = connect(server.port(), LONG)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> store.set("k", bytes("v")))
          .isInstanceOf(StoreException.class)
          .hasCauseInstanceOf(InterruptedException.class);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(store.check(List.of("k"))).isFalse();
      assertThat(server.usage().connections()).isEqualTo(1);
    }
  }
}
