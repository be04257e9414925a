package dev.jcomms.jccl.internal.transport.tcp;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;

/**
 * A connection with one peer: messages go out and come in, in order each way, as far as the socket
 * takes and gives them, without ever waiting. Of one thread at a time, but for {@link #close}.
 *
 * <p>Native memory goes to and from the socket directly. Heap memory goes through a stage of native
 * memory, since Java would make a native copy of all that is left, each time.
 */
final class Line implements AutoCloseable {
  /** Most bytes per system call and direction: so much is copied while the other way waits. */
  static final int SLICE = 256 << 10;

  /** Magic, message, sequence, head, count, payload, note. */
  static final int HEADER_BYTES = 2 * Integer.BYTES + 5 * Long.BYTES;

  private static final int MAGIC = 0x4a43434c; // "JCCL"
  private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

  /** What a line reports to. */
  interface Clerk {
    /** The operation under way: what is sent is sent for it. */
    Notice notice();

    /** Looks at the header of what comes in; throws if it is not what is expected. */
    void check(Line line, Transfer expected, Notice notice, long bytes);
  }

  private final Clerk clerk;

  /** The peer, as the communicator counts. */
  final int peer;

  final Endpoint endpoint;
  private volatile SocketChannel channel;
  private SelectionKey key;
  private volatile boolean closed;

  private final ArrayDeque<Transfer> sends = new ArrayDeque<>();
  private final ArrayDeque<Transfer> receives = new ArrayDeque<>();
  private final ByteBuffer outHeader = ByteBuffer.allocateDirect(HEADER_BYTES).limit(0);
  private final ByteBuffer inHeader = ByteBuffer.allocateDirect(HEADER_BYTES);
  private final ByteBuffer[] both = new ByteBuffer[2];
  private ByteBuffer outStage;
  private ByteBuffer inStage;
  private boolean asked;
  private boolean begun;
  private boolean full;
  private int messagesOut;
  private int messagesIn;

  Line(Clerk clerk, int peer, Endpoint endpoint) {
    this.clerk = clerk;
    this.peer = peer;
    this.endpoint = endpoint;
  }

  boolean isConnected() {
    return channel != null;
  }

  /** Has the connection made; only the first call does anything. */
  void open(Switchboard switchboard, Plug plug) {
    if (!asked) {
      asked = true;
      switchboard.connect(plug);
    }
  }

  void connected(SocketChannel channel, Selector selector) throws IOException {
    this.channel = channel;
    this.key = channel.register(selector, 0, this);
    if (closed) {
      channel.close();
    }
  }

  void send(Transfer transfer) {
    sends.add(transfer);
  }

  void receive(Transfer transfer) {
    receives.add(transfer);
  }

  boolean isIdle() {
    return sends.isEmpty() && receives.isEmpty();
  }

  boolean awaitsPeer() {
    return !receives.isEmpty();
  }

  /** Moves what can be moved now, a slice each way at most: how many bytes that was. */
  long pump() throws IOException {
    return pumpOut() + pumpIn();
  }

  private long pumpOut() throws IOException {
    long total = 0;
    full = false;
    for (Transfer transfer; total < SLICE && (transfer = sends.peek()) != null; ) {
      if (!begun) {
        writeHeader(transfer);
        begun = true;
      }
      ByteBuffer payload = outgoing(transfer);
      int head = outHeader.remaining();
      long offered = head + payload.remaining();
      long written = head == 0 ? channel.write(payload) : channel.write(both(outHeader, payload));
      both[1] = null; // the payload's memory is the user's
      total += written;
      transfer.moved += written - (head - outHeader.remaining());
      if (transfer.left() == 0 && !outHeader.hasRemaining()) {
        sends.remove();
        begun = false;
        transfer.done = true;
      } else if (written < offered) {
        full = true;
        break;
      }
    }
    return total;
  }

  private long pumpIn() throws IOException {
    long total = 0;
    for (Transfer transfer; total < SLICE && (transfer = receives.peek()) != null; ) {
      ByteBuffer payload = incoming(transfer);
      int head = inHeader.remaining();
      int start = payload.position();
      long offered = head + payload.remaining();
      long read = head == 0 ? channel.read(payload) : channel.read(both(inHeader, payload));
      both[1] = null;
      if (read < 0) {
        throw new EOFException("it hung up");
      }
      total += read;
      if (head > 0 && !inHeader.hasRemaining()) {
        readHeader(transfer);
      }
      arrived(transfer, payload, start);
      if (transfer.left() == 0 && !inHeader.hasRemaining()) {
        receives.remove();
        inHeader.clear();
        transfer.done = true;
      } else if (read < offered) {
        break;
      }
    }
    return total;
  }

  private ByteBuffer[] both(ByteBuffer header, ByteBuffer payload) {
    both[0] = header;
    both[1] = payload;
    return both;
  }

  private void writeHeader(Transfer transfer) {
    Notice notice = clerk.notice();
    outHeader.clear().putInt(MAGIC).putInt(messagesOut++);
    notice.put(outHeader);
    outHeader.putLong(transfer.bytes).putLong(transfer.note).flip();
  }

  private void readHeader(Transfer transfer) throws IOException {
    inHeader.flip();
    if (inHeader.getInt() != MAGIC || inHeader.getInt() != messagesIn++) {
      throw new IOException("what it sends is no message");
    }
    Notice notice = Notice.get(inHeader);
    clerk.check(this, transfer, notice, inHeader.getLong());
    transfer.note = inHeader.getLong();
  }

  /** What is to be written next, in native memory. */
  private ByteBuffer outgoing(Transfer transfer) {
    if (transfer.left() == 0) {
      return NOTHING;
    }
    if (transfer.segment.isNative()) {
      return transfer.view(SLICE);
    }
    if (outStage == null) {
      outStage = ByteBuffer.allocateDirect(SLICE).limit(0);
    }
    if (!outStage.hasRemaining()) { // else it still holds what is next
      outStage.clear().limit((int) Math.min(SLICE, transfer.left()));
      MemorySegment.copy(
          transfer.segment,
          transfer.at + transfer.moved,
          MemorySegment.ofBuffer(outStage),
          0,
          outStage.remaining());
    }
    return outStage;
  }

  /** Where to read to, in native memory. */
  private ByteBuffer incoming(Transfer transfer) {
    if (transfer.left() == 0) {
      return NOTHING;
    }
    if (transfer.segment.isNative()) {
      return transfer.view(SLICE);
    }
    if (inStage == null) {
      inStage = ByteBuffer.allocateDirect(SLICE);
    }
    return inStage.clear().limit((int) Math.min(SLICE, transfer.left()));
  }

  private void arrived(Transfer transfer, ByteBuffer payload, int start) {
    int bytes = payload.position() - start;
    if (bytes > 0 && payload == inStage) {
      MemorySegment.copy(
          MemorySegment.ofBuffer(inStage.flip()),
          0,
          transfer.segment,
          transfer.at + transfer.moved,
          bytes);
    }
    transfer.moved += bytes;
  }

  /**
   * Makes the selector look for what this line waits for. Interest in input stays until it proves
   * wrong ({@link #isReady}), so that waiting again costs no system call.
   */
  void arm() {
    int ops = key.interestOps();
    int wanted =
        (receives.isEmpty() ? ops & SelectionKey.OP_READ : SelectionKey.OP_READ)
            | (full ? SelectionKey.OP_WRITE : 0);
    if (wanted != ops) {
      key.interestOps(wanted);
    }
  }

  /**
   * Whether what the selector found is of use. Input for which nothing is posted is not: it is of a
   * message or an operation to come, and would wake the selector at once again.
   */
  boolean isReady() {
    if (key.isReadable() && receives.isEmpty()) {
      key.interestOps(key.interestOps() & ~SelectionKey.OP_READ);
      return key.isWritable();
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    closed = true;
    SocketChannel open = channel;
    if (open != null) {
      open.close();
    }
  }
}
