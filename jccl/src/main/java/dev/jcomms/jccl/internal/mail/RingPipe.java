package dev.jcomms.jccl.internal.mail;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** A pipe through memory that two ranks of a host share: a ring each way. */
final class RingPipe implements Pipe {
  private final RingWriter out;
  private final RingReader in;
  private final Bell peer;
  private final long portion;
  private boolean closed;

  RingPipe(RingWriter out, RingReader in, Bell peer) {
    this.out = out;
    this.in = in;
    this.peer = peer;
    this.portion = out.capacity() / 4;
  }

  @Override
  public long write(MemorySegment from, long at, long bytes) throws IOException {
    if (closed || peer.isGone()) {
      throw new IOException("the ring is closed");
    }
    long done = 0;
    // In portions, so that the peer reads the first while the next is written.
    while (done < bytes) {
      long most = Math.min(bytes - done, portion);
      long taken = out.write(from, at + done, most);
      done += taken;
      if (out.unpublished() >= portion || taken < most) {
        show();
      }
      if (taken < most && out.stall()) {
        break;
      }
    }
    return done;
  }

  @Override
  public boolean flush() {
    boolean room = in.release();
    if (out.publish() || room) {
      peer.ring();
    }
    return true;
  }

  private void show() {
    if (out.publish()) {
      peer.ring();
    }
  }

  @Override
  public long read(MemorySegment into, long at, long bytes) throws IOException {
    long done = 0;
    while (done < bytes) {
      long given = in.read(into, at + done, Math.min(bytes - done, portion));
      done += given;
      if (in.unreleased() >= portion && in.release()) {
        peer.ring();
      }
      if (given == 0) {
        break;
      }
    }
    if (done == 0 && bytes > 0 && peer.isGone()) {
      // It left after its last word: look once more for that.
      long last = in.read(into, at, bytes);
      return last == 0 ? END : last;
    }
    return done;
  }

  /** A goodbye may not have found room; a process that died has not said that it leaves. */
  @Override
  public boolean endMeansLost() {
    return false;
  }

  @Override
  public long eagerBytes() {
    return Math.min(16 << 10, portion);
  }

  @Override
  public int chunkBytes() {
    return 64 << 10;
  }

  @Override
  public void close() {
    closed = true;
  }
}
