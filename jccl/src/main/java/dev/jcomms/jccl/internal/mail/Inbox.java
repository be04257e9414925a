package dev.jcomms.jccl.internal.mail;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Takes apart what comes through a pipe: headers go to the clerk, who says where the payload
 * belongs. Used under the mailroom's guard.
 */
final class Inbox {
  /** Who knows what a frame means. */
  interface Clerk {
    /**
     * Acts on a header, and says where its payload goes; null for nowhere.
     *
     * @throws BadFrameException if it makes no sense
     */
    Sink frame(Header header);
  }

  /** Bytes that are read in one go, so that one peer cannot keep the others waiting. */
  private static final long GO = 1 << 20;

  private static final MemorySegment NOWHERE = Arena.global().allocate(64 << 10);

  private final Clerk clerk;
  private final MemorySegment head;
  private final Header header = new Header();
  private long headBytes;
  private Sink sink;
  private long at;
  private long left;

  Inbox(Clerk clerk, Arena arena) {
    this.clerk = clerk;
    this.head = arena.allocate(Header.BYTES, 8);
  }

  /**
   * Reads what is there, up to a limit.
   *
   * @return how many bytes; {@link Pipe#END} if the peer has closed its end
   * @throws BadFrameException if the peer sends nonsense
   */
  long read(Pipe pipe) throws IOException {
    long total = 0;
    while (total < GO) {
      long bytes = left > 0 ? readPayload(pipe) : readHead(pipe);
      if (bytes == 0) {
        return total;
      }
      if (bytes == Pipe.END) {
        return total == 0 ? Pipe.END : total;
      }
      total += bytes;
    }
    return total;
  }

  private long readHead(Pipe pipe) throws IOException {
    long bytes = pipe.read(head, headBytes, Header.BYTES - headBytes);
    if (bytes > 0) {
      headBytes += bytes;
      if (headBytes == Header.BYTES) {
        headBytes = 0;
        header.read(head);
        at = 0;
        sink = clerk.frame(header);
        left = header.payload;
        if (left == 0) {
          end();
        }
      }
    }
    return bytes;
  }

  private long readPayload(Pipe pipe) throws IOException {
    MemorySegment memory = sink == null ? null : sink.memory();
    long bytes;
    if (memory == null) {
      bytes = pipe.read(NOWHERE, 0, Math.min(left, NOWHERE.byteSize()));
    } else {
      try {
        bytes = pipe.read(memory, sink.at() + at, left);
      } catch (IllegalStateException | IndexOutOfBoundsException e) {
        // Its arena was closed: nothing was read, and what is still to come goes nowhere.
        sink.spoiled(e);
        return readPayload(pipe);
      }
    }
    if (bytes > 0) {
      at += bytes;
      left -= bytes;
      if (left == 0) {
        end();
      }
    }
    return bytes;
  }

  private void end() {
    Sink full = sink;
    sink = null;
    if (full != null) {
      full.filled();
    }
  }
}
