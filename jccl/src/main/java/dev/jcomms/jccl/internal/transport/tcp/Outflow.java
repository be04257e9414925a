package dev.jcomms.jccl.internal.transport.tcp;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/**
 * The messages that go out by a {@link Line}, in order, several in one call where they are there:
 * at the end of each call the system sends what it has, however little that is.
 *
 * <p>Messages are added by the thread that performs the operation; all else is of one thread at a
 * time.
 */
final class Outflow {
  /** Messages that go out in one call at most: two buffers each, and systems take sixteen. */
  private static final int TOGETHER = 8;

  private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

  private final Supplier<Notice> notice;
  private final Queue<Transfer> sends = new ConcurrentLinkedQueue<>();

  /** Of the messages that are next, which have the numbers from {@code gone} on. */
  private final ByteBuffer[] headers = new ByteBuffer[TOGETHER];

  /** Header and payload in turn, in one call. */
  private final ByteBuffer[] buffers = new ByteBuffer[2 * TOGETHER];

  private final int[] starts = new int[TOGETHER];

  /** Holds what is next, if that is in heap memory. */
  private ByteBuffer stage;

  /** How many messages have a header, and how many have gone. */
  private int begun;

  private int gone;
  private volatile boolean full;

  /**
   * @param notice the operation under way: what is sent is sent for it
   */
  Outflow(Supplier<Notice> notice) {
    this.notice = notice;
    for (int i = 0; i < TOGETHER; i++) {
      headers[i] = ByteBuffer.allocateDirect(Line.HEADER_BYTES).limit(0);
    }
  }

  void add(Transfer transfer) {
    sends.add(transfer);
  }

  boolean isEmpty() {
    return sends.isEmpty();
  }

  /** Whether the system would not take all the last time. */
  boolean isFull() {
    return full;
  }

  /** Forgets all. */
  void clear() {
    sends.clear();
  }

  /**
   * Writes what the channel takes now, about so many bytes at most: how many that were. Memory of
   * one thread is left to that thread.
   */
  long write(SocketChannel channel, int most) throws IOException {
    int count = 0;
    long offered = 0;
    Thread writer = Thread.currentThread();
    for (Transfer transfer : sends) {
      if (count == TOGETHER
          || offered >= most
          || count > 0 && isStaged(transfer)
          || !transfer.segment.isAccessibleBy(writer)) {
        break;
      }
      ByteBuffer header = header(transfer, count);
      ByteBuffer payload = payload(transfer, (int) (most - offered));
      buffers[2 * count] = header;
      buffers[2 * count + 1] = payload;
      starts[count] = payload.position();
      offered += header.remaining() + payload.remaining();
      count++;
      if (payload.remaining() < transfer.left()) {
        break;
      }
    }
    if (count == 0) {
      return 0;
    }
    full = false;
    long written = channel.write(buffers, 0, 2 * count);
    full = written < offered;
    settle(count);
    return written;
  }

  private static boolean isStaged(Transfer transfer) {
    return !transfer.segment.isNative() && transfer.left() > 0;
  }

  /** What is left of the header of a message, the i-th of those that are next. */
  private ByteBuffer header(Transfer transfer, int i) {
    int number = gone + i;
    ByteBuffer header = headers[Math.floorMod(number, TOGETHER)];
    if (number == begun) {
      begun++;
      header.clear().putInt(Line.MAGIC).putInt(number);
      notice.get().put(header);
      header.putLong(transfer.bytes).putLong(transfer.note).flip();
    }
    return header;
  }

  /** What is next of a message, in native memory. */
  private ByteBuffer payload(Transfer transfer, int most) {
    if (transfer.left() == 0) {
      return NOTHING;
    }
    if (!isStaged(transfer)) {
      return transfer.view(most);
    }
    if (stage == null) {
      stage = ByteBuffer.allocateDirect(Line.SLICE).limit(0);
    }
    if (!stage.hasRemaining()) { // else it still holds what is next
      stage.clear().limit((int) Math.min(Line.SLICE, transfer.left()));
      MemorySegment.copy(
          transfer.segment,
          transfer.at + transfer.moved,
          MemorySegment.ofBuffer(stage),
          0,
          stage.remaining());
    }
    return stage;
  }

  /** Notes what has gone of the messages that are next: some whole, and part of one. */
  private void settle(int count) {
    for (int i = 0; i < count; i++) {
      Transfer transfer = sends.peek();
      transfer.moved += buffers[2 * i + 1].position() - starts[i];
      if (transfer.left() > 0 || buffers[2 * i].hasRemaining()) {
        break;
      }
      sends.remove();
      gone++;
      transfer.done = true;
    }
    Arrays.fill(buffers, null); // the payloads' memory is the user's
  }
}
