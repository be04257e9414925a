package dev.jcomms.jccl.internal.mail;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;

/**
 * What is to be written into a pipe, frame by frame. Used under the mailroom's guard.
 *
 * <p>News go first. Then letters, window requests and streams take turns, a frame each: letters
 * among themselves stay in order, so do window requests, and streams take turns with each other. So
 * a long stream holds up nothing for longer than one of its frames.
 */
final class Outbox {
  private static final int LANES = 3;
  private static final String SPOILED = "a tensor's memory was closed while it was being sent";

  private final ArrayDeque<Source> news = new ArrayDeque<>();
  private final ArrayDeque<Source> letters = new ArrayDeque<>();
  private final ArrayDeque<Source> requests = new ArrayDeque<>();
  private final ArrayDeque<Source> streams = new ArrayDeque<>();
  private int turn;

  private final MemorySegment head;
  private final Header header = new Header();
  private Source current;
  private ArrayDeque<Source> lane;
  private MemorySegment payload;
  private long payloadAt;
  private long headWritten;
  private long payloadWritten;
  private boolean spoiled;

  Outbox(Arena arena) {
    this.head = arena.allocate(Header.BYTES, 8);
  }

  /** Adds what goes before everything else. */
  void news(Source source) {
    news.add(source);
  }

  /** Adds a letter, behind the letters that are there. */
  void letter(Source source) {
    letters.add(source);
  }

  /** Adds a window request, behind the requests that are there. */
  void request(Source source) {
    requests.add(source);
  }

  /** Adds frames whose order among all others does not matter. */
  void stream(Source source) {
    streams.add(source);
  }

  boolean isEmpty() {
    return current == null
        && news.isEmpty()
        && letters.isEmpty()
        && requests.isEmpty()
        && streams.isEmpty();
  }

  /**
   * Writes what the pipe has room for. The pipe is to be flushed afterwards.
   *
   * @return whether anything was written
   */
  boolean pump(Pipe pipe) throws IOException {
    if (spoiled) {
      throw new IOException(SPOILED);
    }
    boolean moved = false;
    while (current != null || begin()) {
      if (headWritten < Header.BYTES) {
        long bytes = pipe.write(head, headWritten, Header.BYTES - headWritten);
        moved |= bytes > 0;
        headWritten += bytes;
        if (headWritten < Header.BYTES) {
          break;
        }
      }
      if (payloadWritten < header.payload) {
        long bytes = writePayload(pipe);
        moved |= bytes > 0;
        payloadWritten += bytes;
        if (payloadWritten < header.payload) {
          break;
        }
      }
      end();
    }
    return moved;
  }

  private boolean begin() {
    while (true) {
      ArrayDeque<Source> from = news.isEmpty() ? turn() : news;
      if (from == null) {
        return false;
      }
      Source source = from.poll();
      if (source.next(header.of(Kind.BEAT))) {
        current = source;
        lane = from;
        payload = source.payload();
        payloadAt = source.payloadAt();
        header.write(head);
        headWritten = 0;
        payloadWritten = 0;
        return true;
      }
    }
  }

  private ArrayDeque<Source> turn() {
    for (int i = 0; i < LANES; i++) {
      turn = (turn + 1) % LANES;
      ArrayDeque<Source> next =
          switch (turn) {
            case 0 -> letters;
            case 1 -> requests;
            default -> streams;
          };
      if (!next.isEmpty()) {
        return next;
      }
    }
    return null;
  }

  private long writePayload(Pipe pipe) throws IOException {
    try {
      return pipe.write(payload, payloadAt + payloadWritten, header.payload - payloadWritten);
    } catch (IllegalStateException | IndexOutOfBoundsException e) {
      // Its arena was closed. The peer was promised bytes that nobody has.
      current.spoiled(e);
      throw new IOException(SPOILED, e);
    }
  }

  private void end() {
    Source source = current;
    current = null;
    payload = null;
    if (source.written(header)) {
      if (lane == streams) {
        lane.add(source);
      } else {
        lane.addFirst(source);
      }
    }
  }

  /**
   * Lets go of a source's memory. A frame that was begun is finished from a copy: the peer gets the
   * bytes it was promised, and if they are the last ones, the right ones.
   */
  void detach(Source source) {
    if (current == source && payload != null) {
      long bytes = header.payload - payloadWritten;
      try {
        MemorySegment rest = payload.asSlice(payloadAt + payloadWritten, bytes);
        payload = MemorySegment.ofArray(rest.toArray(ValueLayout.JAVA_BYTE));
        payloadAt = -payloadWritten;
      } catch (IllegalStateException e) {
        spoiled = true; // its arena was closed: these bytes are nowhere
      }
    }
  }

  /** Lets go of the memory of this rank's part of a window. */
  void detach(WindowPart part) {
    if (current instanceof Reply reply && reply.part() == part) {
      detach(current);
    }
  }
}
