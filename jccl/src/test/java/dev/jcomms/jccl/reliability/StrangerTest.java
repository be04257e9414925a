package dev.jcomms.jccl.reliability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.BootstrapException;
import dev.jcomms.Comm;
import dev.jcomms.tensor.Device;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Somebody who is no rank connects to the ports of ranks that communicate: learns nothing, joins
 * nothing, and disturbs nobody.
 */
final class StrangerTest {
  /** The first words of a connection between ranks, and where the called rank sends a nonce. */
  private static final byte[] MAGIC = "JCCLTCP\n".getBytes(StandardCharsets.US_ASCII);

  static final int HELLO_BYTES = 8 + 7 * 4 + 16 + 3 * 8 + 32;
  private static final int NONCE_BYTES = 32;
  static final int PROOF_BYTES = 32;

  private final Random random = new Random(17);

  private static Socket connect(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout((int) Duration.ofSeconds(20).toMillis());
    return socket;
  }

  /** Sends bytes and returns how many come back before the other side hangs up, or it stalls. */
  private static int answered(int port, byte[] bytes) throws IOException {
    try (Socket socket = connect(port)) {
      OutputStream out = socket.getOutputStream();
      try {
        out.write(bytes);
        socket.shutdownOutput();
        return socket.getInputStream().readAllBytes().length;
      } catch (SocketTimeoutException e) {
        throw e;
      } catch (IOException e) {
        return 0; // reset: it hung up before it had read all
      }
    }
  }

  private byte[] noise(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  /** A hello as rank {@code from} would send it, of a communicator with this id. */
  private byte[] forgedHello(byte[] id, int purpose, int from, int to) {
    ByteBuffer hello = ByteBuffer.allocate(HELLO_BYTES);
    hello.put(MAGIC).putInt(2).put(id).putInt(0);
    hello.putInt(purpose).putInt(0).putInt(from).putInt(to).putInt(0);
    hello.putLong(0).putLong(0).putLong(0);
    return hello.put(noise(NONCE_BYTES)).array();
  }

  private static byte[] join(byte[] a, byte[] b) {
    return ByteBuffer.allocate(a.length + b.length).put(a).put(b).array();
  }

  @Test
  void junkAtTheDataPortsHasNoEffect() throws Exception {
    try (Group group = Group.of(3, "tcp").start("loop")) {
      group.awaitReady();
      List<byte[]> junk = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        junk.add(noise(1 + random.nextInt(2000)));
      }
      junk.add("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      junk.add(new byte[HELLO_BYTES]);
      junk.add(join(MAGIC, new byte[1 << 20]));
      List<Socket> idle = new ArrayList<>();
      try {
        for (int r = 0; r < 3; r++) {
          List<Integer> ports = Ports.of(group.rank(r).process.pid());
          assertThat(ports).as("ports of rank %s", r).isNotEmpty();
          for (int port : ports) {
            for (int i = 0; i < 50; i++) {
              idle.add(connect(port));
            }
            for (byte[] bytes : junk) {
              assertThat(answered(port, bytes)).isZero();
            }
          }
        }
        group.letRun(Duration.ofMillis(500));
        group.finish();
      } finally {
        for (Socket socket : idle) {
          socket.close();
        }
      }
      assertThat(group.reports("loop", -1))
          .allSatisfy(report -> assertThat(report.ok()).as("%s", report).isTrue());
      System.out.println("reliability: 17 junk: " + group.reports("loop", -1));
    }
  }

  /**
   * The relay has seen a real hello, so the stranger knows the communicator's id and who called
   * whom; it does not know the secret.
   */
  @Test
  void aForgedOrReplayedRankIsNotAdmitted() throws Exception {
    try (Network network = new Network();
        Group group = Group.of(3, "tcp").through(network).start("loop")) {
      group.awaitReady();
      int ownPort = Integer.parseInt(group.rank(0).await("ROUTE").split(" ")[1]);
      byte[] seen =
          network.inFrontOf(ownPort).beginnings().stream()
              .filter(b -> b.length >= HELLO_BYTES + PROOF_BYTES) // not given up halfway
              .findFirst()
              .orElseThrow();
      assertThat(seen).startsWith(MAGIC);
      byte[] id = Arrays.copyOfRange(seen, 12, 28);

      // At most a nonce comes back, which is random; never a welcome.
      assertThat(answered(ownPort, seen)).as("a replay").isLessThanOrEqualTo(NONCE_BYTES);
      int asked = 0;
      for (int purpose = -1; purpose < 4; purpose++) {
        for (int from = -1; from < 4; from++) {
          byte[] hello = forgedHello(id, purpose, from, 0);
          int answered = answered(ownPort, join(hello, noise(PROOF_BYTES + 4096)));
          assertThat(answered)
              .as("purpose %s from %s", purpose, from)
              .isLessThanOrEqualTo(NONCE_BYTES);
          asked += answered == NONCE_BYTES ? 1 : 0;
          assertThat(answered(ownPort, forgedHello(noise(16), purpose, from, 0)))
              .as("of another communicator")
              .isZero();
        }
      }
      assertThat(asked).as("hellos good enough to be asked for the proof").isPositive();
      group.letRun(Duration.ofMillis(300));
      group.finish();
      assertThat(group.reports("loop", -1))
          .allSatisfy(report -> assertThat(report.ok()).as("%s", report).isTrue());
    }
  }

  /** Without the secret the store tells nothing either, so there is no way to learn a pass. */
  @Test
  void aStrangerWithoutTheJobsSecretCannotJoinThroughTheStore() throws Exception {
    String secret = "a secret of the job, thirty bytes";
    Map<String, String> environment = Map.of("JCOMMS_SECRET", secret);
    try (Member store = Group.startStore(List.of(), Map.of(), environment)) {
      int port = Integer.parseInt(store.await("PORT").split(" ")[1]);
      try (Group group =
          Group.of(2, "tcp")
              .environment("JCOMMS_SECRET", secret)
              .store("127.0.0.1", port)
              .start("loop")) {
        group.awaitReady();
        assertThatThrownBy(
                () ->
                    Comm.newBuilder("jccl", Device.CPU)
                        .environment(
                            Map.of(
                                "JCOMMS_RANK", "1",
                                "JCOMMS_SIZE", "2",
                                "JCOMMS_MASTER_ADDR", "127.0.0.1",
                                "JCOMMS_MASTER_PORT", "" + port,
                                "JCOMMS_AGENT_STORE", "true"))
                        .initTimeout(Duration.ofSeconds(3))
                        .build())
            .isInstanceOf(BootstrapException.class);
        group.finish();
        assertThat(group.reports("loop", -1)).allMatch(Report::ok);
      }
    }
  }
}
