package dev.jcomms.jccl.internal.mail;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A pipe inside a test: what is written to one end is read at the other, up to a capacity. */
final class MemoryPipe implements Pipe {
  private final byte[] bytes;
  private int count;
  private boolean ended;
  MemoryPipe other;

  private MemoryPipe(int capacity) {
    this.bytes = new byte[capacity];
  }

  /** Both ends. */
  static MemoryPipe[] pair(int capacity) {
    MemoryPipe[] pair = {new MemoryPipe(capacity), new MemoryPipe(capacity)};
    pair[0].other = pair[1];
    pair[1].other = pair[0];
    return pair;
  }

  /** What was written to this end and is not read yet. */
  int unread() {
    return other.count;
  }

  /** Sends a frame as it is. */
  void send(Header header, byte[] payload) {
    MemorySegment frame = MemorySegment.ofArray(new byte[Header.BYTES]);
    header.write(frame);
    send(frame.toArray(ValueLayout.JAVA_BYTE));
    send(payload);
  }

  void send(byte[] raw) {
    write(MemorySegment.ofArray(raw), 0, raw.length);
  }

  @Override
  public long write(MemorySegment from, long at, long length) {
    int taken = (int) Math.min(length, other.bytes.length - other.count);
    MemorySegment.copy(from, ValueLayout.JAVA_BYTE, at, other.bytes, other.count, taken);
    other.count += taken;
    return taken;
  }

  @Override
  public boolean flush() {
    return true;
  }

  @Override
  public long read(MemorySegment into, long at, long length) throws IOException {
    int given = (int) Math.min(length, count);
    MemorySegment.copy(bytes, 0, into, ValueLayout.JAVA_BYTE, at, given);
    System.arraycopy(bytes, given, bytes, 0, count - given);
    count -= given;
    return given == 0 && other.ended && length > 0 ? END : given;
  }

  @Override
  public boolean endMeansLost() {
    return true;
  }

  @Override
  public long eagerBytes() {
    return 1000;
  }

  @Override
  public int chunkBytes() {
    return 64 << 10;
  }

  @Override
  public void close() {
    ended = true;
  }
}
