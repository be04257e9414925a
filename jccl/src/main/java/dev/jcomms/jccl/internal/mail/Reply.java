package dev.jcomms.jccl.internal.mail;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;

/**
 * The answer to a get: a part of this rank's memory, in frames; or a word that it is there no more,
 * if it is taken back meanwhile. Under the guard.
 */
final class Reply extends Source {
  private final WindowPart part;
  private final long id;
  private final long at;
  private final long bytes;
  private final int chunk;
  private final Runnable end;
  private final List<Runnable> followers = new ArrayList<>();
  private long sent;
  private boolean gone;
  private boolean over;

  /**
   * @param end what is done when all of it is written
   */
  Reply(WindowPart part, long id, long at, long bytes, int chunk, Runnable end) {
    this.part = part;
    this.id = id;
    this.at = at;
    this.bytes = bytes;
    this.chunk = chunk;
    this.end = end;
  }

  /** Keeps something to be done when all of it is written. */
  void then(Runnable action) {
    followers.add(action);
  }

  /** What was kept, in order. */
  List<Runnable> followers() {
    return followers;
  }

  /** Whether all of it is written: the memory is read no more. */
  boolean isOver() {
    return over;
  }

  @Override
  boolean next(Header header) {
    header.id = id;
    if (part.isClosed()) {
      gone = true;
      header.kind = Kind.FLUSHED;
      header.length = WindowRequests.GONE;
      return true;
    }
    header.kind = Kind.GOT;
    header.offset = sent;
    header.payload = (int) Math.min(chunk, bytes - sent);
    return true;
  }

  @Override
  MemorySegment payload() {
    return gone ? null : part.tensor().segment();
  }

  @Override
  long payloadAt() {
    return at + sent;
  }

  @Override
  boolean written(Header header) {
    sent += header.payload;
    Reference.reachabilityFence(part);
    if (!gone && sent < bytes) {
      return true;
    }
    over = true;
    end.run();
    return false;
  }

  @Override
  void spoiled(RuntimeException e) {
    // The window's owner has closed its memory under it: the pipe ends, and the peer learns that.
  }

  WindowPart part() {
    return part;
  }
}
