package dev.jcomms.jccl.internal.transport.tcp;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * One message on its way, out or in: {@link Lines} makes them and moves them. Of the thread that
 * performs the operation; one that goes out, of whoever writes to its {@link Line}.
 */
public final class Transfer {
  /** As much as one buffer can show, and pages divide. */
  private static final long MOST_VIEWED = 1L << 30;

  final MemorySegment segment;
  final long at;
  final long bytes;

  /** Of {@link #bytes}. */
  long moved;

  long note;
  volatile boolean done;

  private ByteBuffer view;
  private long viewStart;

  Transfer(MemorySegment segment, long at, long bytes, long note) {
    this.segment = segment;
    this.at = at;
    this.bytes = bytes;
    this.note = note;
  }

  /** Whether all of it has been read, or handed to the system to send: its memory is free again. */
  public boolean isDone() {
    return done;
  }

  /** The number that the sender gave along, once it is done. */
  public long note() {
    return note;
  }

  long left() {
    return bytes - moved;
  }

  /** The next bytes, at most so many. Of native memory only: heap memory would be copied whole. */
  ByteBuffer view(int most) {
    if (view == null || moved - viewStart == view.capacity()) {
      viewStart = moved;
      view = segment.asSlice(at + moved, Math.min(left(), MOST_VIEWED)).asByteBuffer();
    }
    int position = (int) (moved - viewStart);
    return view.clear()
        .limit((int) Math.min(view.capacity(), position + (long) most))
        .position(position);
  }
}
