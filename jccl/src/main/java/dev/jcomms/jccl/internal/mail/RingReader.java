package dev.jcomms.jccl.internal.mail;

import static dev.jcomms.jccl.internal.mail.RingWriter.HEAD;
import static dev.jcomms.jccl.internal.mail.RingWriter.INT;
import static dev.jcomms.jccl.internal.mail.RingWriter.LONG;
import static dev.jcomms.jccl.internal.mail.RingWriter.POSITIONS;
import static dev.jcomms.jccl.internal.mail.RingWriter.STALLED;
import static dev.jcomms.jccl.internal.mail.RingWriter.TAIL;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/** The reading end of a ring that a {@link RingWriter} fills. One thread at a time. */
final class RingReader {
  private final MemorySegment memory;
  private final MemorySegment bytes;
  private final long capacity;
  private long head;
  private long released;
  private long seenTail;

  RingReader(MemorySegment memory) {
    this.memory = memory;
    this.bytes = memory.asSlice(POSITIONS);
    this.capacity = bytes.byteSize();
    this.head = (long) LONG.getAcquire(memory, HEAD);
    this.released = head;
    this.seenTail = head;
  }

  /** Gives what is there, and returns how much. */
  long read(MemorySegment into, long at, long length) throws IOException {
    if (head == seenTail) {
      look();
    }
    long given = Math.min(seenTail - head, length);
    long position = head & capacity - 1;
    long first = Math.min(given, capacity - position);
    MemorySegment.copy(bytes, position, into, at, first);
    if (first < given) {
      MemorySegment.copy(bytes, 0, into, at + first, given - first);
    }
    head += given;
    return given;
  }

  private void look() throws IOException {
    long tail = (long) LONG.getAcquire(memory, TAIL);
    if (tail < seenTail || tail - released > capacity) {
      throw new IOException("the ring's tail is " + tail + ", its head " + released);
    }
    seenTail = tail;
  }

  /** Bytes that were read and whose room the writer has not got back. */
  long unreleased() {
    return head - released;
  }

  /** Gives the room of what was read back; true if the writer asked to be rung for that. */
  boolean release() {
    if (released == head) {
      return false;
    }
    LONG.setRelease(memory, HEAD, head);
    released = head;
    // Between freeing and looking: the writer asks and then looks whether there is room.
    VarHandle.fullFence();
    if ((int) INT.get(memory, STALLED) == 0) {
      return false;
    }
    INT.set(memory, STALLED, 0);
    return true;
  }
}
