package dev.jcomms.internal.store.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A server that follows a script: what it must be told, and what it says. One connection at a time.
 */
final class FakeServer implements AutoCloseable {
  private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  interface Script {
    void run(Peer client) throws IOException;
  }

  /** Begins to serve one client after another, each by the next script. */
  FakeServer(Script... scripts) throws IOException {
    Thread.ofVirtual().start(() -> serve(scripts));
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Waits for the scripts to have run as written. */
  void expectDone() throws Exception {
    ended.get(20, TimeUnit.SECONDS);
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }

  private void serve(Script[] scripts) {
    try {
      for (Script script : scripts) {
        try (Socket socket = listener.accept()) {
          script.run(new Peer(socket));
        }
      }
      ended.complete(null);
    } catch (IOException | AssertionError e) {
      ended.completeExceptionally(e);
    }
  }

  /** The client, from the server's side. */
  record Peer(Socket socket) {
    Peer expect(String hex) throws IOException {
      String wanted = hex.replace(" ", "");
      byte[] got = socket.getInputStream().readNBytes(wanted.length() / 2);
      assertThat(HexFormat.of().formatHex(got)).isEqualTo(wanted);
      return this;
    }

    /** What comes next, a length and bytes, as hexadecimal. */
    String counted() throws IOException {
      byte[] length = socket.getInputStream().readNBytes(Long.BYTES);
      int bytes = (int) ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).getLong();
      byte[] content = socket.getInputStream().readNBytes(bytes);
      return HexFormat.of().formatHex(length) + HexFormat.of().formatHex(content);
    }

    Peer send(String hex) throws IOException {
      socket.getOutputStream().write(HexFormat.of().parseHex(hex.replace(" ", "")));
      return this;
    }

    /** The greeting of a client without a secret. */
    Peer greet() throws IOException {
      expect("00 cef7853c 0d");
      socket.getOutputStream().write(socket.getInputStream().readNBytes(4));
      return this;
    }

    /** Waits for the client to hang up. */
    void expectClosed() throws IOException {
      assertThat(socket.getInputStream().read()).isNegative();
    }
  }
}
