package dev.jcomms.jccl.internal.transport.tcp;

import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/**
 * One side of the frames that begin a connection, without ever waiting:
 *
 * <pre>
 * caller                                     called
 * hello (who, whom, what for, nonce) ---&gt;
 *                                      &lt;---  nonce
 * proof of the secret over all that    ---&gt;
 *                                      &lt;---  welcome (verdict, answer), with a proof over all that
 * </pre>
 *
 * <p>Every frame has a fixed length, so nothing is allocated at a stranger's word, and no byte that
 * follows the handshake is read. A stranger learns a random number. Of one thread.
 */
abstract class Handshake {
  /** Nothing to read after this: the handshake is over when all is written. */
  static final int LAST = 0;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** How long a frame may take, and what the other side does before it. */
  static final Duration FRAME_TIME = Duration.ofSeconds(5);

  private final SocketChannel channel;
  private long deadlineNanos;
  private ByteBuffer out = NOTHING;
  private ByteBuffer in = NOTHING;

  Handshake(SocketChannel channel) {
    this.channel = channel;
    this.deadlineNanos = System.nanoTime() + FRAME_TIME.toNanos();
  }

  SocketChannel channel() {
    return channel;
  }

  /** When the frame that is awaited comes too late. */
  long deadlineNanos() {
    return deadlineNanos;
  }

  /** What to write, and how many bytes come next. */
  final void next(byte[] frame, int expected) {
    out = ByteBuffer.wrap(frame);
    in = ByteBuffer.allocate(expected);
  }

  /** A frame came, of the length that was expected. */
  abstract void received(byte[] frame) throws ProtocolException;

  /**
   * Goes as far as it can: true when both sides know each other.
   *
   * @throws IOException if this will never be so
   */
  final boolean advance() throws IOException {
    while (true) {
      if (out.hasRemaining()) {
        channel.write(out);
        if (out.hasRemaining()) {
          return false;
        }
      }
      if (!in.hasRemaining()) {
        return true;
      }
      int read = channel.read(in);
      if (read < 0) {
        throw new EOFException("the other side hung up");
      }
      if (in.hasRemaining()) {
        return false;
      }
      byte[] frame = in.array();
      in = NOTHING;
      received(frame);
      deadlineNanos = System.nanoTime() + FRAME_TIME.toNanos();
    }
  }

  /** What to wait for before it can advance. */
  final int interest() {
    return out.hasRemaining() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ;
  }

  static byte[] join(byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) {
      length += part.length;
    }
    ByteBuffer joined = ByteBuffer.allocate(length);
    for (byte[] part : parts) {
      joined.put(part);
    }
    return joined.array();
  }

  /** The last frame: a verdict, an answer and a proof of both. */
  record Welcome(boolean admitted, Notice answer, byte[] proof) {
    static final int UNPROVED_BYTES = Integer.BYTES + Notice.BYTES;
    static final int BYTES = UNPROVED_BYTES + Pass.PROOF_BYTES;

    static byte[] unproved(boolean admitted, Notice answer) {
      ByteBuffer frame = ByteBuffer.allocate(UNPROVED_BYTES);
      answer.put(frame.putInt(admitted ? 1 : 0));
      return frame.array();
    }

    static Welcome decode(byte[] bytes) {
      ByteBuffer frame = ByteBuffer.wrap(bytes);
      boolean admitted = frame.getInt() == 1;
      Notice answer = Notice.get(frame);
      byte[] proof = new byte[Pass.PROOF_BYTES];
      frame.get(proof);
      return new Welcome(admitted, answer, proof);
    }
  }
}
