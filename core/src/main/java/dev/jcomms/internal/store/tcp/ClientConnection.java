package dev.jcomms.internal.store.tcp;

import dev.jcomms.internal.store.Deadline;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.List;

/**
 * One socket to a store server: requests are written field by field and sent by {@link #flush},
 * replies are read field by field. One thread at a time.
 *
 * <p>Every read and write keeps the deadline given to {@link #begin}. After any {@code IOException}
 * the two ends may disagree on where they are, so the connection must be closed; an interrupt has
 * closed it already.
 */
final class ClientConnection implements AutoCloseable {
  private static final int OUT_BYTES = 16 << 10;
  private static final int IN_BYTES = 4 << 10;

  /** The most that is read or written, or taken on a reply's word, at once. */
  private static final int CHUNK_BYTES = 128 << 10;

  private final SocketChannel channel;
  private final InputStream stream;
  private final ByteBuffer out =
      ByteBuffer.allocateDirect(OUT_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final ByteBuffer in = ByteBuffer.allocate(IN_BYTES).order(ByteOrder.LITTLE_ENDIAN).flip();
  private Deadline deadline;

  /** Bytes written since the last reply: what the other end may not have read yet. */
  private long unanswered;

  private ClientConnection(SocketChannel channel) throws IOException {
    this.channel = channel;
    this.stream = channel.socket().getInputStream();
  }

  /** Connects a socket, once; nothing has been said on it yet. */
  static ClientConnection open(InetSocketAddress address, Deadline deadline) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      KeepAlive.on(channel);
      channel.socket().connect(address, deadline.millis());
      return new ClientConnection(channel).begin(deadline);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Sets the deadline of the exchange that begins. */
  ClientConnection begin(Deadline exchange) {
    this.deadline = exchange;
    return this;
  }

  ClientConnection put(Opcode opcode) throws IOException {
    room(1).put(opcode.code);
    return this;
  }

  ClientConnection put32(int value) throws IOException {
    room(Integer.BYTES).putInt(value);
    return this;
  }

  ClientConnection put64(long value) throws IOException {
    room(Long.BYTES).putLong(value);
    return this;
  }

  /** Bytes without a length before them. */
  ClientConnection putRaw(byte[] value) throws IOException {
    if (value.length <= OUT_BYTES) {
      room(value.length).put(value);
    } else {
      send();
      write(ByteBuffer.wrap(value));
    }
    return this;
  }

  ClientConnection putCounted(byte[] value) throws IOException {
    return put64(value.length).putRaw(value);
  }

  ClientConnection putKeys(List<byte[]> keys) throws IOException {
    put64(keys.size());
    for (byte[] key : keys) putCounted(key);
    return this;
  }

  /** Sends what was put. */
  ClientConnection flush() throws IOException {
    send();
    return this;
  }

  byte get8() throws IOException {
    fill(1);
    return in.get();
  }

  int get32() throws IOException {
    fill(Integer.BYTES);
    return in.getInt();
  }

  long get64() throws IOException {
    fill(Long.BYTES);
    return in.getLong();
  }

  /** A length and bytes; memory is taken as they come, not as the length claims. */
  byte[] getCounted() throws IOException {
    long length = get64();
    if (length < 0 || length > Integer.MAX_VALUE - 8) {
      throw new IOException("reply claims bytes=" + Long.toUnsignedString(length));
    }
    return getRaw((int) length);
  }

  byte[] getRaw(int length) throws IOException {
    byte[] bytes = new byte[Math.min(length, CHUNK_BYTES)];
    int filled = Math.min(in.remaining(), length);
    in.get(bytes, 0, filled);
    while (filled < length) {
      if (filled == bytes.length) bytes = Arrays.copyOf(bytes, (int) Math.min(length, 2L * filled));
      filled += read(bytes, filled, bytes.length - filled);
    }
    return bytes;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // It is gone either way.
    }
  }

  /** Whether it has not been closed here. */
  boolean isOpen() {
    return channel.isOpen();
  }

  /** Where the other end is. */
  InetSocketAddress remote() {
    return (InetSocketAddress) channel.socket().getRemoteSocketAddress();
  }

  private ByteBuffer room(int bytes) throws IOException {
    if (out.remaining() < bytes) send();
    return out;
  }

  private void send() throws IOException {
    write(out.flip());
    out.clear();
  }

  /**
   * Blocks only where it cannot block for long: what fits into an empty socket buffer. Beyond that
   * the deadline is kept with a selector, since a blocking write has none.
   */
  private void write(ByteBuffer bytes) throws IOException {
    unanswered += bytes.remaining();
    if (unanswered <= OUT_BYTES) {
      while (bytes.hasRemaining()) channel.write(bytes);
      return;
    }
    try (Selector selector = Selector.open()) {
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_WRITE);
      while (bytes.hasRemaining()) {
        int slice = Math.min(bytes.remaining(), CHUNK_BYTES);
        int written = channel.write(bytes.slice(bytes.position(), slice));
        bytes.position(bytes.position() + written);
        if (written > 0) continue;
        if (deadline.passed()) throw new SocketTimeoutException("request was not taken");
        selector.select(deadline.millis());
        if (Thread.currentThread().isInterrupted()) {
          throw new ClosedByInterruptException();
        }
      }
    }
    channel.configureBlocking(true);
  }

  private void fill(int bytes) throws IOException {
    while (in.remaining() < bytes) {
      in.compact();
      try {
        int read = read(in.array(), in.position(), in.remaining());
        in.position(in.position() + read);
      } finally {
        in.flip(); // Also after a timeout: a cancelled wait goes on reading here.
      }
    }
  }

  private int read(byte[] bytes, int offset, int length) throws IOException {
    if (deadline.passed()) throw new SocketTimeoutException("no reply");
    channel.socket().setSoTimeout(deadline.millis());
    int read = stream.read(bytes, offset, Math.min(length, CHUNK_BYTES));
    if (read < 0) throw new EOFException("closed by the server");
    unanswered = 0;
    return read;
  }
}
