package dev.jcomms.jccl.internal.transport.tcp;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A connection with one peer: messages go out and come in, in order each way, as far as the socket
 * takes and gives them, without ever waiting. Of one thread at a time, but for {@link #close} and
 * {@link #help}.
 *
 * <p>Large operations have a connection for each way: the system takes nothing in on one while it
 * copies what goes out. Small ones are faster on one for both, where each message confirms the one
 * before.
 *
 * <p>Native memory goes to and from the socket directly. Heap memory goes through a stage of native
 * memory, since Java would make a native copy of all that is left, each time.
 */
final class Line implements AutoCloseable {
  /** Most bytes per system call and direction: so much is copied while the other way waits. */
  static final int SLICE = 256 << 10;

  /** Most bytes per system call of a thread that only writes. */
  private static final int LONG_SLICE = 1 << 20;

  /** Magic, message, sequence, head, count, payload, note. */
  static final int HEADER_BYTES = 2 * Integer.BYTES + 5 * Long.BYTES;

  static final int MAGIC = 0x4a43434c; // "JCCL"
  private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

  private final Clerk clerk;

  /** The peer, as the communicator counts. */
  final int peer;

  final Endpoint endpoint;
  private final boolean calls;
  private final Wire both;
  private final Wire back;
  private Wire out;
  private Wire in;
  private volatile boolean closed;

  private final Outflow sends;

  /** Taken by whoever writes. */
  private final AtomicBoolean writing = new AtomicBoolean();

  private final Queue<Transfer> receives = new ArrayDeque<>();
  private final ByteBuffer inHeader = ByteBuffer.allocateDirect(HEADER_BYTES);
  private final ByteBuffer[] inPair = {inHeader, null};
  private ByteBuffer inStage;

  /** What a helper has met: an {@link IOException}, or what this rank has done wrong. */
  private volatile Exception failure;

  private int messagesIn;

  /**
   * @param group the group of ranks that it is of
   * @param calls whether this rank calls the peer, or is called by it
   */
  Line(Clerk clerk, int group, int peer, Endpoint endpoint, boolean calls) {
    this.clerk = clerk;
    this.sends = new Outflow(clerk::notice);
    this.peer = peer;
    this.endpoint = endpoint;
    this.calls = calls;
    this.both = new Wire(new Plug(Purpose.LINE, group, peer), this);
    this.back = new Wire(new Plug(Purpose.BACK, group, peer), this);
    route(false);
  }

  /** Which way messages go from now on, when all are through; the same on both sides. */
  void route(boolean apart) {
    in = apart && calls ? back : both;
    Wire next = apart && !calls ? back : both;
    if (next != out) {
      occupy(); // a helper may be about to look for more to write
      out = next;
      writing.set(false);
    }
  }

  boolean isConnected() {
    return out.isConnected() && in.isConnected();
  }

  /** Has the connections made that it needs now. */
  void open(Switchboard switchboard) {
    out.open(switchboard);
    in.open(switchboard);
  }

  /** Takes the connections that have been made: whether it has what it needs. */
  boolean connect(Connections connections, Selector selector) throws IOException {
    out.connect(connections, selector);
    in.connect(connections, selector);
    if (closed) {
      close();
    }
    return isConnected();
  }

  /** Whether the connections that it needs have been made, if not taken. */
  boolean isMade(Connections connections) {
    return out.isMade(connections) && in.isMade(connections);
  }

  /** Why it is not connected, as far as that is known. */
  String trouble(Connections connections) {
    return connections.trouble((out.isConnected() ? in : out).plug);
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

  /**
   * Moves what can be moved now, a slice each way at most: how many bytes that was.
   *
   * @param helped whether somebody else writes: this thread does only if there is nothing to read
   */
  long pump(boolean helped) throws IOException {
    switch (failure) {
      case null -> {}
      case IOException e -> throw e;
      case Exception e -> throw (RuntimeException) e;
    }
    long out = helped ? 0 : pumpOut(SLICE);
    long in = pumpIn();
    return helped && in == 0 ? pumpOut(SLICE) : out + in;
  }

  /** Writes what can be written now. Any thread: more than nothing if it has done anything. */
  long help() {
    try {
      return failure == null ? pumpOut(LONG_SLICE) : 0;
    } catch (IOException | RuntimeException e) {
      failure = e;
    }
    return 1;
  }

  private long pumpOut(int most) throws IOException {
    if (sends.isEmpty() || !writing.compareAndSet(false, true)) {
      return 0;
    }
    try {
      return out.isConnected() ? sends.write(out.channel, most) : 0;
    } finally {
      writing.set(false);
    }
  }

  /** Forgets what is to be sent; afterwards nobody reads its memory. */
  void abandon() {
    occupy();
    sends.clear();
    writing.set(false);
  }

  /** Has nobody else write. */
  private void occupy() {
    while (!writing.compareAndSet(false, true)) {
      Thread.onSpinWait();
    }
  }

  private long pumpIn() throws IOException {
    long total = 0;
    for (Transfer transfer; total < SLICE && (transfer = receives.peek()) != null; ) {
      ByteBuffer payload = incoming(transfer);
      int head = inHeader.remaining();
      int start = payload.position();
      long offered = head + payload.remaining();
      inPair[1] = payload;
      long read = head == 0 ? in.channel.read(payload) : in.channel.read(inPair);
      inPair[1] = null; // the payload's memory is the user's
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

  private void readHeader(Transfer transfer) throws IOException {
    inHeader.flip();
    if (inHeader.getInt() != MAGIC || inHeader.getInt() != messagesIn++) {
      throw new IOException("what it sends is no message");
    }
    Notice notice = Notice.get(inHeader);
    clerk.check(this, transfer, notice, inHeader.getLong());
    transfer.note = inHeader.getLong();
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
    int read = receives.isEmpty() ? 0 : SelectionKey.OP_READ;
    int write = sends.isFull() ? SelectionKey.OP_WRITE : 0;
    if (in == out) {
      in.watch(in.watched() & SelectionKey.OP_READ | read | write);
    } else {
      in.watch(in.watched() | read);
      out.watch(write);
    }
  }

  /**
   * Whether what the selector found is of use. Input for which nothing is posted is not: it is of a
   * message or an operation to come. Nor is room for output that has gone since. Either would wake
   * the selector at once again.
   */
  boolean isReady(SelectionKey key) {
    int ready = key.readyOps();
    int vain = 0;
    if (receives.isEmpty() || !in.isOf(key)) {
      vain |= ready & SelectionKey.OP_READ;
    }
    if (sends.isEmpty() || !out.isOf(key)) {
      vain |= ready & SelectionKey.OP_WRITE;
    }
    if (vain != 0) {
      key.interestOps(key.interestOps() & ~vain);
    }
    return ready != vain;
  }

  @Override
  public void close() throws IOException {
    closed = true;
    both.close();
    back.close();
  }
}
