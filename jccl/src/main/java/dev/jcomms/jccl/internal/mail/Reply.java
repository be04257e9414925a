package dev.jcomms.jccl.internal.mail;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

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
  private long sent;
  private boolean gone;

  Reply(WindowPart part, long id, long at, long bytes, int chunk) {
    this.part = part;
    this.id = id;
    this.at = at;
    this.bytes = bytes;
    this.chunk = chunk;
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
    return !gone && sent < bytes;
  }

  @Override
  void spoiled(RuntimeException e) {
    // The window's owner has closed its memory under it: the pipe ends, and the peer learns that.
  }

  WindowPart part() {
    return part;
  }
}
