package dev.jcomms.internal.store.tcp;

import static dev.jcomms.internal.store.tcp.RawClient.int64;
import static dev.jcomms.internal.store.tcp.RawClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreSecret;
import dev.jcomms.store.TcpStore;
import dev.jcomms.store.TcpStoreOptions;
import dev.jcomms.store.TcpStoreServer;
import dev.jcomms.store.TcpStoreServerOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who is let in, by whom. */
@Timeout(60)
final class HandshakeTest {
  private static final StoreSecret SECRET = StoreSecret.of("correct horse battery staple");
  private static final TcpStoreOptions CLIENT =
      TcpStoreOptions.defaults().timeout(Duration.ofSeconds(10));
  private static final byte[] NONCE = new byte[32];

  private static TcpStoreServer closedServer() {
    return TcpStoreServer.start(TcpStoreServerOptions.defaults().secret(SECRET));
  }

  private static TcpStoreServer openServer() {
    return TcpStoreServer.start(TcpStoreServerOptions.defaults().secret(SECRET).open(true));
  }

  private static TcpStore connect(TcpStoreServer server, TcpStoreOptions options) {
    return TcpStore.connect("127.0.0.1", server.port(), options);
  }

  /** The proof, computed here from its definition. */
  private static byte[] hmac(String label, byte[] clientNonce, byte[] serverNonce)
      throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(SECRET.reveal().getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    mac.update(label.getBytes(StandardCharsets.US_ASCII));
    mac.update(clientNonce);
    return mac.doFinal(serverNonce);
  }

  private static byte[] hello(RawClient client) throws IOException {
    client.send("4a").send(NONCE).expect("01");
    return client.read(32);
  }

  @Test
  void bothEndsProveTheSecret() throws Exception {
    try (TcpStoreServer server = closedServer();
        RawClient client = RawClient.valid(server.port())) {
      byte[] serverNonce = hello(client);
      client.send("4b").send(hmac("jcomms store v1 client", NONCE, serverNonce));
      assertThat(client.read(32)).isEqualTo(hmac("jcomms store v1 server", NONCE, serverNonce));
      client.send("04" + text("/n") + int64(1)).expect(int64(1));
    }
  }

  @Test
  void oneHelloIsAllThatIsAnswered() throws Exception {
    try (TcpStoreServer server = closedServer();
        RawClient stranger = RawClient.valid(server.port());
        RawClient member = RawClient.valid(server.port())) {
      hello(stranger);
      stranger.send("4a").send(NONCE).expectClosed();
      byte[] serverNonce = hello(member);
      member.send("4b").send(hmac("jcomms store v1 client", NONCE, serverNonce)).read(32);
      member.send("4a").send(NONCE).expectClosed();
    }
  }

  @Test
  void onlyWhoHasProvedTheSecretCountsAsAdmitted() throws Exception {
    try (TcpStoreServer server = closedServer();
        RawClient stranger = RawClient.valid(server.port())) {
      hello(stranger);
      assertThat(server.usage().connections()).isEqualTo(1);
      assertThat(server.usage().admitted()).isZero();
      try (TcpStore _ = connect(server, CLIENT.secret(SECRET))) {
        assertThat(server.usage().admitted()).isEqualTo(1);
      }
      while (server.usage().admitted() > 0) Thread.onSpinWait();
    }
  }

  @Test
  void strangersAreServedNothing() throws Exception {
    try (TcpStoreServer server = closedServer();
        TcpStore member = connect(server, CLIENT.secret(SECRET))) {
      member.set("k", new byte[] {1});
      for (int opcode = 0; opcode < 256; opcode++) {
        if (opcode == Opcode.HELLO.code) continue;
        try (RawClient stranger = RawClient.valid(server.port())) {
          String request = HexFormat.of().toHexDigits((byte) opcode);
          stranger.send(request + text("/k") + text("x") + "00".repeat(32)).expectClosed();
        }
      }
      assertThat(member.get("k")).isEqualTo(new byte[] {1});
      assertThat(member.listKeys()).containsExactly("k");
    }
  }

  @Test
  void aWrongProofEndsTheConnection() throws Exception {
    try (TcpStoreServer server = closedServer()) {
      try (RawClient client = RawClient.valid(server.port())) {
        hello(client);
        client.send("4b" + "00".repeat(32)).expectClosed();
      }
      try (RawClient client = RawClient.valid(server.port())) {
        byte[] nonce = hello(client);
        client.send("4b").send(hmac("jcomms store v1 server", NONCE, nonce)).expectClosed();
      }
      try (RawClient client = RawClient.valid(server.port())) {
        client.send("4b" + "00".repeat(32)).expectClosed();
      }
    }
  }

  @Test
  void aProofServesOnce() throws Exception {
    try (TcpStoreServer server = closedServer();
        RawClient first = RawClient.valid(server.port());
        RawClient second = RawClient.valid(server.port())) {
      byte[] nonce = hello(first);
      byte[] proof = hmac("jcomms store v1 client", NONCE, nonce);
      assertThat(hello(second)).isNotEqualTo(nonce);
      second.send("4b").send(proof).expectClosed();
      first.send("4b").send(proof).read(32);
      first.send("4b").send(proof).expectClosed();
    }
  }

  @Test
  void anOpenServerTakesPlainClientsAndProvesItselfToOthers() throws Exception {
    try (TcpStoreServer server = openServer();
        TcpStore plain = connect(server, CLIENT);
        TcpStore member = connect(server, CLIENT.secret(SECRET))) {
      plain.set("k", new byte[] {7});
      assertThat(member.get("k")).isEqualTo(new byte[] {7});
      assertThatThrownBy(() -> connect(server, CLIENT.secret(StoreSecret.generate())))
          .isInstanceOf(StoreException.class);
    }
  }

  @Test
  void aClientWithoutTheSecretIsToldWhatIsWrong() {
    try (TcpStoreServer server = closedServer()) {
      assertThatThrownBy(() -> connect(server, CLIENT))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("demands a secret")
          .hasMessageContaining("127.0.0.1:" + server.port());
      assertThatThrownBy(() -> connect(server, CLIENT.secret(StoreSecret.generate())))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("secrets differ");
    }
  }

  @Test
  void aClientWithASecretRefusesAServerWithoutUnlessAllowed() {
    try (TcpStoreServer server = TcpStoreServer.start()) {
      assertThatThrownBy(() -> connect(server, CLIENT.secret(SECRET)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("has no secret");
      try (TcpStore store = connect(server, CLIENT.secret(SECRET).plainServer(true))) {
        assertThat(store.add("n", 1)).isEqualTo(1);
      }
    }
  }

  @Test
  void anImpostorIsFoundOut() throws Exception {
    try (ServerSocket impostor = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> serving =
          CompletableFuture.runAsync(
              () -> {
                try (Socket client = impostor.accept()) {
                  client.getInputStream().readNBytes(5 + 1 + 32);
                  byte[] answer = new byte[33];
                  answer[0] = 1;
                  client.getOutputStream().write(answer);
                  client.getInputStream().readNBytes(1 + 32);
                  client.getOutputStream().write(new byte[32]);
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              });
      assertThatThrownBy(
              () -> TcpStore.connect("127.0.0.1", impostor.getLocalPort(), CLIENT.secret(SECRET)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("proof")
          .hasMessageContaining("127.0.0.1:" + impostor.getLocalPort());
      serving.join();
    }
  }

  @Test
  void aConnectionThatDiesWithTheServerBeforeIsMadeAnew() throws Exception {
    try (FakeServer server =
            new FakeServer(
                client -> client.socket().setSoLinger(true, 0), // closing is a reset then
                client -> client.expect("00 cef7853c"),
                client -> client.greet().expect("07").send(int64(0)));
        TcpStore store = TcpStore.connect("127.0.0.1", server.port(), CLIENT)) {
      assertThat(store.numKeys()).isZero();
      server.expectDone();
    }
  }

  @Test
  void whoIsTurnedAwayIsToldSoLongBeforeTheTimeout() {
    try (TcpStoreServer server = closedServer()) {
      // The test's own limit is far below this one.
      TcpStoreOptions patient = CLIENT.timeout(Duration.ofHours(1));
      assertThatThrownBy(() -> connect(server, patient))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("demands a secret");
    }
  }

  /** As a proxy does whose server is not up yet. */
  @Test
  void whoeverIsTurnedAwayForASecondComesBack() throws Exception {
    ServerSocket proxy = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    int port = proxy.getLocalPort();
    CompletableFuture<TcpStore> client =
        CompletableFuture.supplyAsync(() -> TcpStore.connect("127.0.0.1", port, CLIENT));
    long start = System.nanoTime();
    proxy.setSoTimeout(1000);
    while (System.nanoTime() - start < 1_200_000_000L) {
      try (Socket _ = proxy.accept()) {
        assertThat(client).isNotDone();
      } catch (SocketTimeoutException e) {
        // It pauses longer each time.
      }
    }
    proxy.close();
    try (TcpStoreServer _ = TcpStoreServer.start(TcpStoreServerOptions.defaults().port(port));
        TcpStore store = client.get()) {
      store.set("k", new byte[] {7});
      assertThat(store.get("k")).isEqualTo(new byte[] {7});
    }
  }

  @Test
  void theSecretIsNeverPrinted() {
    try (TcpStoreServer server = closedServer()) {
      assertThat(List.of(SECRET, CLIENT.secret(SECRET), server).toString())
          .doesNotContain(SECRET.reveal());
      StoreSecret other = StoreSecret.of("another secret altogether");
      assertThatThrownBy(() -> connect(server, CLIENT.secret(other)))
          .satisfies(
              e -> assertThat(Arrays.toString(e.getStackTrace()) + e).doesNotContain("another"));
    }
    assertThatThrownBy(() -> StoreSecret.of("too short"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("too short");
  }

  @Test
  void generatedSecretsDiffer() {
    assertThat(StoreSecret.generate().reveal())
        .hasSize(64)
        .isNotEqualTo(StoreSecret.generate().reveal());
  }
}
