package dev.jcomms.internal.store.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayDeque;

/**
 * The replies that a connection has not taken yet. Stored values are queued as they are, not
 * copied: they are never changed in place.
 */
final class Outbox {
  /** What a queued reply costs beside its bytes. */
  private static final int REPLY_BYTES = 64;

  /** A queue that has held more than this is not kept when it is empty: arrays do not shrink. */
  private static final int KEPT_REPLIES = 64;

  private ArrayDeque<ByteBuffer> replies = new ArrayDeque<>(2);
  private int mostReplies;
  private long bytes;

  void put8(byte value) {
    add(ByteBuffer.allocate(1).put(0, value));
  }

  void put32(int value) {
    add(ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(0, value));
  }

  void put64(long value) {
    add(ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(0, value));
  }

  /** Bytes without a length before them. */
  void putRaw(byte[] value) {
    add(ByteBuffer.wrap(value));
  }

  /** A length and bytes. */
  void putCounted(byte[] value) {
    put64(value.length);
    if (value.length > 0) putRaw(value);
  }

  /** What is queued, with what queueing costs. */
  long heldBytes() {
    return bytes + (long) REPLY_BYTES * replies.size();
  }

  boolean isEmpty() {
    return replies.isEmpty();
  }

  /**
   * Writes what the channel takes, through {@code staging}, a direct buffer that bounds what the
   * system copies at a time; returns how many bytes that was.
   */
  long flush(WritableByteChannel channel, ByteBuffer staging) throws IOException {
    long total = 0;
    while (!replies.isEmpty()) {
      stage(staging.clear());
      int staged = staging.flip().remaining();
      int written = channel.write(staging);
      consume(written);
      total += written;
      if (written < staged) break;
    }
    if (replies.isEmpty() && mostReplies > KEPT_REPLIES) {
      replies = new ArrayDeque<>(2);
      mostReplies = 0;
    }
    return total;
  }

  private void stage(ByteBuffer staging) {
    for (ByteBuffer reply : replies) {
      int length = Math.min(reply.remaining(), staging.remaining());
      staging.put(staging.position(), reply, reply.position(), length);
      staging.position(staging.position() + length);
      if (!staging.hasRemaining()) return;
    }
  }

  private void consume(int written) {
    bytes -= written;
    for (int left = written; left > 0; ) {
      ByteBuffer reply = replies.peek();
      int length = Math.min(reply.remaining(), left);
      reply.position(reply.position() + length);
      left -= length;
      if (!reply.hasRemaining()) replies.remove();
    }
  }

  private void add(ByteBuffer reply) {
    replies.add(reply);
    mostReplies = Math.max(mostReplies, replies.size());
    bytes += reply.remaining();
  }
}
