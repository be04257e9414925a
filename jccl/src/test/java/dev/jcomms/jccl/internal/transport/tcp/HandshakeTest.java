package dev.jcomms.jccl.internal.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.BootstrapException;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Aside;
import dev.jcomms.jccl.internal.transport.Bulletin;
import dev.jcomms.jccl.internal.transport.Roster;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.store.HashStore;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rank 0 of three listens; a stranger who says that it is rank 1 or 2 calls. */
@Timeout(60)
class HandshakeTest {
  private static final int RANK = 0;
  private final Pass pass = Pass.make(0);
  private final Map<Integer, Endpoint> peers = new HashMap<>();
  private final CountDownLatch arrived = new CountDownLatch(1);
  private Endpoint endpoint;
  private Switchboard switchboard;

  @BeforeEach
  void listen() throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open();
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
    endpoint =
        new Endpoint(
            InetAddress.getLoopbackAddress(),
            ((InetSocketAddress) listener.getLocalAddress()).getPort());
    peers.put(1, endpoint);
    peers.put(2, endpoint);
    switchboard = new Switchboard("jccl-tcp-test", RANK, pass, listener, peers, new Aside(), true);
    switchboard.connections().onArrival(arrived::countDown);
  }

  @AfterEach
  void hangUp() {
    switchboard.close();
  }

  /** What is written to the port, and whether the other side still listens after that. */
  private final class Stranger implements AutoCloseable {
    final Socket socket = new Socket(endpoint.address(), endpoint.port());
    final InputStream in = socket.getInputStream();

    Stranger() throws IOException {
      socket.setSoTimeout(20_000);
    }

    Stranger write(byte[] bytes) throws IOException {
      socket.getOutputStream().write(bytes);
      return this;
    }

    byte[] read(int bytes) throws IOException {
      byte[] read = in.readNBytes(bytes);
      assertThat(read).hasSize(bytes);
      return read;
    }

    void assertRefused() throws IOException {
      int next;
      try {
        next = in.read();
      } catch (java.net.SocketException e) {
        next = -1; // reset, since there was more to read
      }
      assertThat(next).isEqualTo(-1);
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private static Hello hello(int from, int to) {
    return new Hello(Purpose.MAIL, 0, from, to, false, Notice.NONE, Pass.nonce());
  }

  /** A caller that does everything right. */
  private void assertRanksStillGetThrough() throws Exception {
    try (Stranger rank = new Stranger()) {
      byte[] hello = hello(2, RANK).encode(pass);
      byte[] nonce = rank.write(hello).read(Pass.NONCE_BYTES);
      rank.write(pass.proof(Caller.ROLE, hello, nonce));
      assertThat(Handshake.Welcome.decode(rank.read(Handshake.Welcome.BYTES)).admitted()).isTrue();
      assertThat(arrived.await(10, TimeUnit.SECONDS)).isTrue();
      try (SocketChannel channel = switchboard.connections().take(Plug.mail(2))) {
        assertThat(channel.isConnected()).isTrue();
        assertThat(channel.isBlocking()).isFalse();
        assertThat(switchboard.connections().take(Plug.mail(2))).isNull();
      }
    }
  }

  @Test
  void whoKnowsTheSecretComesIn() throws Exception {
    assertRanksStillGetThrough();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 99, 100, 101, 5000, 1_000_000})
  void junkIsDropped(int length) throws Exception {
    byte[] junk = new byte[length];
    new Random(length).nextBytes(junk);
    try (Stranger stranger = new Stranger()) {
      try {
        stranger.write(junk);
      } catch (IOException e) {
        // refused while we were writing
      }
      if (length >= Hello.BYTES) {
        stranger.assertRefused();
      }
      assertRanksStillGetThrough();
    }
  }

  @Test
  void aWebBrowserIsDropped() throws Exception {
    try (Stranger stranger = new Stranger()) {
      String request = "GET / HTTP/1.1\r\nHost: example.org\r\nAccept: text/html\r\n";
      stranger.write((request + "X: " + "x".repeat(200) + "\r\n\r\n").getBytes()).assertRefused();
      assertRanksStillGetThrough();
    }
  }

  @Test
  void whoGuessesTheSecretIsDropped() throws Exception {
    try (Stranger stranger = new Stranger()) {
      byte[] hello = hello(1, RANK).encode(pass);
      byte[] nonce = stranger.write(hello).read(Pass.NONCE_BYTES);
      stranger.write(Pass.make(0).proof(Caller.ROLE, hello, nonce)).assertRefused();
      assertThat(switchboard.connections().isThere(Plug.mail(1))).isFalse();
      assertRanksStillGetThrough();
    }
  }

  @Test
  void aProofFromAnotherConnectionIsWorthNothing() throws Exception {
    byte[] hello = hello(1, RANK).encode(pass);
    byte[] proof;
    try (Stranger rank = new Stranger()) {
      byte[] nonce = rank.write(hello).read(Pass.NONCE_BYTES);
      proof = pass.proof(Caller.ROLE, hello, nonce);
    }
    try (Stranger replay = new Stranger()) {
      replay.write(hello).read(Pass.NONCE_BYTES);
      replay.write(proof).assertRefused();
    }
    assertThat(switchboard.connections().isThere(Plug.mail(1))).isFalse();
    assertRanksStillGetThrough();
  }

  @Test
  void aProofIsForOneRankOnly() throws Exception {
    try (Stranger stranger = new Stranger()) {
      byte[] asOne = hello(1, RANK).encode(pass);
      byte[] asTwo = hello(2, RANK).encode(pass);
      byte[] nonce = stranger.write(asTwo).read(Pass.NONCE_BYTES);
      stranger.write(pass.proof(Caller.ROLE, asOne, nonce)).assertRefused();
      assertRanksStillGetThrough();
    }
  }

  @Test
  void ranksThatDoNotExistOrDoNotCallAreRefusedBeforeAnything() throws Exception {
    List<Hello> wrong =
        List.of(hello(3, RANK), hello(-1, RANK), hello(RANK, RANK), hello(1, 2), hello(1, 7));
    for (Hello hello : wrong) {
      try (Stranger stranger = new Stranger()) {
        stranger.write(hello.encode(pass)).assertRefused();
      }
    }
    assertRanksStillGetThrough();
  }

  @Test
  void aRankOfAnotherCommunicatorOrOfAnEarlierLifeIsRefused() throws Exception {
    byte[] earlier = hello(1, RANK).encode(pass);
    earlier[8 + 4 + Pass.ID_BYTES + 3] = 1;
    for (byte[] hello : List.of(hello(1, RANK).encode(Pass.make(0)), earlier)) {
      try (Stranger stranger = new Stranger()) {
        stranger.write(hello).assertRefused();
      }
    }
    assertRanksStillGetThrough();
  }

  @Test
  void aConnectionThatIsInUseIsNotReplaced() throws Exception {
    try (Stranger first = new Stranger();
        Stranger second = new Stranger()) {
      byte[] hello = hello(1, RANK).encode(pass);
      byte[] nonce = first.write(hello).read(Pass.NONCE_BYTES);
      first.write(pass.proof(Caller.ROLE, hello, nonce)).read(Handshake.Welcome.BYTES);
      assertThat(arrived.await(10, TimeUnit.SECONDS)).isTrue();
      try (SocketChannel taken = switchboard.connections().take(Plug.mail(1))) {
        nonce = second.write(hello).read(Pass.NONCE_BYTES);
        second.write(pass.proof(Caller.ROLE, hello, nonce));
        byte[] welcome = second.read(Handshake.Welcome.BYTES);
        assertThat(Handshake.Welcome.decode(welcome).admitted()).isFalse();
        second.assertRefused();
        assertThat(taken.isOpen()).isTrue();
      }
    }
  }

  @Test
  void whoSaysNothingOrTooLittleIsDroppedInTime() throws Exception {
    try (Stranger silent = new Stranger();
        Stranger slow = new Stranger().write(new byte[50]);
        Stranger halfWay = new Stranger().write(hello(1, RANK).encode(pass))) {
      halfWay.read(Pass.NONCE_BYTES);
      assertRanksStillGetThrough();
      long start = System.nanoTime();
      silent.assertRefused();
      slow.assertRefused();
      halfWay.assertRefused();
      long tookNanos = System.nanoTime() - start;
      assertThat(tookNanos).isLessThan(2 * Handshake.FRAME_TIME.toNanos());
    }
  }

  @Test
  void aCrowdOfStrangersKeepsNoRankOut() throws Exception {
    List<Stranger> crowd = new ArrayList<>();
    try {
      for (int i = 0; i < 4 * Switchboard.MOST_STRANGERS; i++) {
        crowd.add(new Stranger());
      }
      assertRanksStillGetThrough();
      crowd.getFirst().assertRefused(); // it made room
    } finally {
      for (Stranger stranger : crowd) {
        stranger.close();
      }
    }
  }

  /**
   * While the thread that answers is busy, a rank calls, and then more strangers than it has room
   * for.
   */
  @Test
  void aRankThatHasSpokenIsHeardBeforeACrowdThatHasNot() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    switchboard.connections().onArrival(() -> await(over));
    List<Stranger> crowd = new ArrayList<>();
    try (Stranger first = new Stranger();
        Stranger second = new Stranger()) {
      admit(first, hello(1, RANK));
      assertThat(arrived.await(10, TimeUnit.SECONDS)).isTrue();
      byte[] hello = hello(2, RANK).encode(pass);
      second.write(hello);
      for (int i = 0; i < 2 * Switchboard.MOST_STRANGERS; i++) {
        crowd.add(new Stranger());
      }
      over.countDown();
      byte[] nonce = second.read(Pass.NONCE_BYTES);
      second.write(pass.proof(Caller.ROLE, hello, nonce)).read(Handshake.Welcome.BYTES);
    } finally {
      for (Stranger stranger : crowd) {
        stranger.close();
      }
    }
  }

  private void admit(Stranger rank, Hello as) throws IOException {
    byte[] hello = as.encode(pass);
    byte[] nonce = rank.write(hello).read(Pass.NONCE_BYTES);
    rank.write(pass.proof(Caller.ROLE, hello, nonce)).read(Handshake.Welcome.BYTES);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @EnumSource(Purpose.class)
  void ranksFindEachOtherForEveryPurpose(Purpose purpose) throws Exception {
    Pass shared = pass;
    ServerSocketChannel listener = ServerSocketChannel.open();
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    try (Switchboard other =
        new Switchboard(
            "jccl-tcp-other", 2, shared, listener, Map.of(0, endpoint), new Aside(), true)) {
      Logbook logbook = new Logbook();
      logbook.note(0, 11, 12);
      logbook.note(1, 13, 14);
      switchboard.publish(5, logbook);
      CountDownLatch answered = new CountDownLatch(3);
      List<Notice> answers = java.util.Collections.synchronizedList(new ArrayList<>());
      if (purpose == Purpose.QUESTION) {
        for (long asked = 0; asked < 3; asked++) {
          other.ask(
              0,
              5,
              new Notice(asked, 0, 0),
              answer -> {
                answers.add(answer);
                answered.countDown();
              });
        }
        assertThat(answered.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(answers)
            .containsExactlyInAnyOrder(
                new Notice(0, 11, 12), new Notice(1, 13, 14), new Notice(1, 0, 0));
      } else {
        other.connect(new Plug(purpose, 5, 0));
        assertThat(arrived.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(switchboard.connections().isThere(new Plug(purpose, 5, 2))).isTrue();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void littleIsOnItsWayToWhoIsNear(boolean near) throws Exception {
    try (Stranger rank = new Stranger()) {
      admit(rank, new Hello(Purpose.LINE, 5, 2, RANK, near, Notice.NONE, Pass.nonce()));
      assertThat(arrived.await(10, TimeUnit.SECONDS)).isTrue();
      try (SocketChannel channel = switchboard.connections().take(new Plug(Purpose.LINE, 5, 2))) {
        assertThat(isNear(channel)).isEqualTo(near);
      }
    }
  }

  /** The system may be too busy to connect two at once, but not every time. */
  @Test
  void whoCallsWithinAMachineFindsThatItIsNear() throws Exception {
    int calls = 20;
    CountDownLatch all = new CountDownLatch(2 * calls);
    switchboard.connections().onArrival(all::countDown);
    ServerSocketChannel listener = ServerSocketChannel.open();
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    try (Switchboard other =
        new Switchboard(
            "jccl-tcp-other", 2, pass, listener, Map.of(0, endpoint), new Aside(), true)) {
      other.connections().onArrival(all::countDown);
      for (int group = 0; group < calls; group++) {
        other.connect(new Plug(Purpose.LINE, group, RANK));
      }
      assertThat(all.await(10, TimeUnit.SECONDS)).isTrue();
      int near = 0;
      for (int group = 0; group < calls; group++) {
        try (SocketChannel caller = other.connections().take(new Plug(Purpose.LINE, group, RANK));
            SocketChannel called =
                switchboard.connections().take(new Plug(Purpose.LINE, group, 2))) {
          assertThat(isNear(called)).isEqualTo(isNear(caller));
          near += isNear(caller) ? 1 : 0;
        }
      }
      assertThat(near).isPositive();
    }
  }

  private static boolean isNear(SocketChannel channel) throws IOException {
    return channel.getOption(StandardSocketOptions.SO_SNDBUF) == Switchboard.NEAR_BYTES;
  }

  /** A connection that is made at once, and the end, or another call, in the middle of that. */
  @Test
  void nothingIsForgottenWhileAConnectionIsMade() throws Exception {
    for (int round = 0; round < 300; round++) {
      CountDownLatch both = new CountDownLatch(2);
      switchboard.connections().onArrival(both::countDown);
      ServerSocketChannel listener = ServerSocketChannel.open();
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      try (Switchboard other =
          new Switchboard(
              "jccl-tcp-other", 2, pass, listener, Map.of(0, endpoint), new Aside(), true)) {
        other.connect(new Plug(Purpose.LINE, 2 * round, RANK));
        other.connect(new Plug(Purpose.LINE, 2 * round + 1, RANK));
        assertThat(both.await(10, TimeUnit.SECONDS)).isTrue();
        Thread end = Thread.ofPlatform().daemon().start(other::close);
        assertThat(end.join(Duration.ofSeconds(10))).isTrue();
      }
    }
  }

  @Test
  void anImpostorThatListensIsNotBelieved() throws Exception {
    // Who answers for rank 0 does not know the secret.
    ServerSocketChannel impostor = ServerSocketChannel.open();
    impostor.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    Endpoint there =
        new Endpoint(
            InetAddress.getLoopbackAddress(),
            ((InetSocketAddress) impostor.getLocalAddress()).getPort());
    ServerSocketChannel listener = ServerSocketChannel.open();
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    try (Switchboard other =
            new Switchboard(
                "jccl-tcp-other", 2, pass, listener, Map.of(0, there), new Aside(), true);
        impostor) {
      other.connect(Plug.mail(0));
      try (Socket call = impostor.accept().socket()) {
        call.getInputStream().readNBytes(Hello.BYTES);
        call.getOutputStream().write(Pass.nonce());
        call.getInputStream().readNBytes(Pass.PROOF_BYTES);
        byte[] welcome = Handshake.Welcome.unproved(true, Notice.NONE);
        call.getOutputStream().write(Handshake.join(welcome, new byte[Pass.PROOF_BYTES]));
        assertThat(call.getInputStream().read()).isEqualTo(-1);
      }
      try (SocketChannel again = impostor.accept()) {
        assertThat(again).as("it tries again").isNotNull();
        assertThat(other.connections().isThere(Plug.mail(0))).isFalse();
        assertThat(other.connections().trouble(Plug.mail(0)))
            .contains("does not know the communicator's secret");
      }
    }
  }

  @Test
  void theSecretIsNowhereInText() {
    String secret = pass.secretText().split(" ")[2];
    assertThat(pass.toString()).doesNotContain(secret);
    assertThat(Pass.parse(pass.secretText()).secretText()).isEqualTo(pass.secretText());
  }

  @Test
  void aRankThatCannotBeReachedIsNamedWithItsAddress() {
    HashStore store = HashStore.create();
    BackendContext one = withTimeout(TcpRanks.context(1, 2, store, Map.of("transport", "tcp")));
    BackendContext zero = TcpRanks.context(0, 2, store, Map.of("transport", "tcp"));
    // Rank 0 has told an address where nobody listens, and is gone.
    Bulletin told = new Bulletin(zero, new Alarm(0));
    told.post("peer", "id\nhost process 1 1\n\ntransport=tcp");
    told.post("tcp", "127.0.0.1 1/1/" + pass.secretText());
    Bulletin bulletin = new Bulletin(one, new Alarm(1));
    Roster roster = Roster.meet(one, false, bulletin);
    assertThatThrownBy(() -> TcpFabric.open(one, roster, bulletin, new Alarm(1), new Aside()))
        .isInstanceOf(BootstrapException.class)
        .hasMessageContaining("no connection with rank 0 at 127.0.0.1:1 (connection refused)");
  }

  private static BackendContext withTimeout(BackendContext c) {
    return new BackendContext(
        c.comm(),
        c.rank(),
        c.size(),
        c.ranks(),
        c.device(),
        c.store(),
        Duration.ofSeconds(2),
        c.hints(),
        c.environment());
  }
}
