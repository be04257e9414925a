package dev.jcomms.jccl.internal.mail;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * The writing end of a ring of bytes in memory: one writer, one {@link RingReader}, in one process
 * or in two. One thread at a time.
 *
 * <p>Positions are bytes since the beginning and only grow. Each is on lines of its own, written
 * with release by one side and read with acquire by the other; both sides remember what they last
 * saw of the other's, so that a line moves between cores only when it has to.
 *
 * <pre>
 *    0  tail: what was written
 *  128  head: what was read; stalled: whether the writer waits for room
 *  256  the bytes
 * </pre>
 */
final class RingWriter {
  static final long TAIL = 0;
  static final long HEAD = 128;
  static final long STALLED = 136;

  /** Bytes before the ring's own: the positions. */
  static final long POSITIONS = 256;

  static final VarHandle LONG = JAVA_LONG.varHandle();
  static final VarHandle INT = JAVA_INT.varHandle();

  private final MemorySegment memory;
  private final MemorySegment bytes;
  private final long capacity;
  private long tail;
  private long published;
  private long seenHead;

  /** Positions and a power of two of bytes, zeroed before the first end was made. */
  RingWriter(MemorySegment memory) {
    this.memory = memory;
    this.bytes = memory.asSlice(POSITIONS);
    this.capacity = bytes.byteSize();
    this.tail = (long) LONG.getAcquire(memory, TAIL);
    this.published = tail;
    this.seenHead = (long) LONG.getAcquire(memory, HEAD);
  }

  long capacity() {
    return capacity;
  }

  /** Takes what there is room for, and returns how much; the reader sees it once published. */
  long write(MemorySegment from, long at, long length) throws IOException {
    long room = capacity - (tail - seenHead);
    if (room < length) {
      room = look();
    }
    long taken = Math.min(room, length);
    long position = tail & capacity - 1;
    long first = Math.min(taken, capacity - position);
    MemorySegment.copy(from, at, bytes, position, first);
    if (first < taken) {
      MemorySegment.copy(from, at + first, bytes, 0, taken - first);
    }
    tail += taken;
    return taken;
  }

  private long look() throws IOException {
    long head = (long) LONG.getAcquire(memory, HEAD);
    if (head < seenHead || head > published) {
      throw new IOException("the ring's head is " + head + ", its tail " + published);
    }
    seenHead = head;
    return capacity - (tail - head);
  }

  /** Bytes that were written and not published. */
  long unpublished() {
    return tail - published;
  }

  /** Shows the reader what was written; false if there is nothing new. */
  boolean publish() {
    if (published == tail) {
      return false;
    }
    LONG.setRelease(memory, TAIL, tail);
    published = tail;
    return true;
  }

  /**
   * Asks to be rung for when there is room.
   *
   * @return false if there is room already
   */
  boolean stall() throws IOException {
    INT.set(memory, STALLED, 1);
    // Between asking and looking: the reader frees room and then looks whether it was asked.
    VarHandle.fullFence();
    return look() == 0;
  }
}
