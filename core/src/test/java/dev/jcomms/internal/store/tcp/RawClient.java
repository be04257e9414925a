package dev.jcomms.internal.store.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** A socket that says to a store server exactly what a test wants, byte by byte. */
final class RawClient implements AutoCloseable {
  static final String VALIDATE = "00 cef7853c";
  private static final int DEADLINE_MILLIS = 10_000;

  private final Socket socket = new Socket();

  /** Connects; nothing has been said yet. */
  RawClient(int port) throws IOException {
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(DEADLINE_MILLIS);
    socket.connect(new InetSocketAddress("127.0.0.1", port), DEADLINE_MILLIS);
  }

  /** Connects and sends the magic number. */
  static RawClient valid(int port) throws IOException {
    return new RawClient(port).send(VALIDATE);
  }

  /** Sends bytes written as hexadecimal; spaces do not count. */
  RawClient send(String hex) throws IOException {
    return send(HexFormat.of().parseHex(hex.replace(" ", "")));
  }

  RawClient send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    return this;
  }

  /** Sends what the server may refuse before it has all of it. */
  RawClient trySend(String hex) {
    try {
      return send(hex);
    } catch (IOException e) {
      return this;
    }
  }

  /** Reads as many bytes as expected and compares. */
  RawClient expect(String hex) throws IOException {
    String wanted = hex.replace(" ", "");
    byte[] got = socket.getInputStream().readNBytes(wanted.length() / 2);
    assertThat(HexFormat.of().formatHex(got)).isEqualTo(wanted);
    return this;
  }

  byte[] read(int bytes) throws IOException {
    return socket.getInputStream().readNBytes(bytes);
  }

  /** A ping comes back next: so nothing else was on its way, and the connection lives. */
  RawClient expectSilence() throws IOException {
    return send("0d 01020304").expect("01020304");
  }

  /** The server closes, without a byte before that. */
  void expectClosed() throws IOException {
    try {
      int read = socket.getInputStream().read();
      if (read >= 0) fail("expected the end, got %02x", read);
    } catch (SocketTimeoutException e) {
      fail("still open after " + socket.getSoTimeout() + " ms", e);
    } catch (SocketException e) {
      // Reset: closed with bytes of ours unread.
    }
  }

  /** Waits a while for the server to close; false if it has not. */
  boolean closesWithin(int millis) throws IOException {
    socket.setSoTimeout(millis);
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (SocketException e) {
      return true;
    } finally {
      socket.setSoTimeout(DEADLINE_MILLIS);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /** A length and the bytes of a text, as hexadecimal. */
  static String text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return int64(bytes.length) + HexFormat.of().formatHex(bytes);
  }

  static String int64(long value) {
    byte[] bytes = new byte[Long.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(value);
    return HexFormat.of().formatHex(bytes);
  }
}
