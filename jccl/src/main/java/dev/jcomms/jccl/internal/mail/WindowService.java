package dev.jcomms.jccl.internal.mail;

import dev.jcomms.ReduceOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/**
 * What one peer asks of this rank's windows: checked, and done in the order it comes. Under the
 * guard.
 *
 * <p>Answers to gets take their time. Signals, flushes and fences wait for those before them, since
 * they say that memory is read no more.
 */
final class WindowService {
  private final int peer;
  private final Guard guard;
  private final Outbox outbox;
  private final WindowBook book;
  private final Arena arena;
  private final int chunk;

  /** Answers under way, in the order of the gets. */
  private final ArrayDeque<Reply> replies = new ArrayDeque<>();

  /** Where terms wait until all of a frame's are there; made when first needed. */
  private MemorySegment scratch;

  /**
   * @param arena for buffers
   * @param chunk bytes of a frame of a longer answer
   */
  WindowService(int peer, Guard guard, Outbox outbox, WindowBook book, Arena arena, int chunk) {
    this.peer = peer;
    this.guard = guard;
    this.outbox = outbox;
    this.book = book;
    this.arena = arena;
    this.chunk = chunk;
  }

  void register(Header header) {
    header.requirePayload(0);
    if (header.length < 0) {
      throw new BadFrameException(header + " has elements=" + header.length);
    }
    WindowBook.Announcement announcement =
        new WindowBook.Announcement(header.dtype(), header.length, header.id, null);
    guard.afterwards(book.announced(header.tag, peer, announcement));
  }

  Sink put(Header header) {
    WindowPart part = book.part(header.tag);
    return part == null ? null : new Written(inside(header, part, header.payload), header.offset);
  }

  Sink accumulate(Header header) {
    WindowPart part = book.part(header.tag);
    ReduceOp op = Putting.op(header);
    if (part == null) {
      return null;
    }
    if (op == ReduceOp.AVG || !op.accepts(part.dtype())) {
      throw new BadFrameException(header + ": no " + op.opName() + " of " + part.dtype());
    }
    inside(header, part, header.payload);
    int each = part.dtype().bytes();
    if (header.payload % each != 0 || header.offset % each != 0) {
      throw new BadFrameException(header + " does not hold whole elements");
    }
    if (scratch == null) {
      scratch = arena.allocate(Header.MOST_PAYLOAD, 64);
    }
    return new Added(part, scratch, header.payload / each, header.offset / each, op);
  }

  private static WindowPart inside(Header header, WindowPart part, long bytes) {
    if (header.offset < 0 || bytes < 0 || header.offset > part.bytes() - bytes) {
      throw new BadFrameException(
          "%s: bytes=%d at %d do not fit the window's %d"
              .formatted(header, bytes, header.offset, part.bytes()));
    }
    return part;
  }

  void get(Header header) {
    header.requirePayload(0);
    WindowPart part = book.part(header.tag);
    if (part == null) {
      answer(header, WindowRequests.GONE);
    } else {
      inside(header, part, header.length);
      if (header.length == 0) {
        throw new BadFrameException(header + " asks for nothing");
      }
      Reply reply = new Reply(part, header.id, header.offset, header.length, chunk, this::replied);
      replies.add(reply);
      outbox.stream(reply);
    }
  }

  /** Does what follows gets, now or when all of them have been answered. */
  private void afterGets(Runnable action) {
    if (replies.isEmpty()) {
      action.run();
    } else {
      replies.getLast().then(action);
    }
  }

  private void replied() {
    while (!replies.isEmpty() && replies.getFirst().isOver()) {
      replies.poll().followers().forEach(Runnable::run);
    }
  }

  void flush(Header header) {
    header.requirePayload(0);
    WindowPart part = book.part(header.tag);
    answer(header, part == null || part.isClosed() ? WindowRequests.GONE : 0);
  }

  private void answer(Header question, long length) {
    Header answer = new Header().of(Kind.FLUSHED);
    answer.id = question.id;
    answer.length = length;
    afterGets(() -> outbox.news(new Note(answer)));
  }

  void signal(Header header) {
    header.requirePayload(0);
    WindowPart part = book.part(header.tag);
    if (part != null) {
      afterGets(() -> guard.afterwards(part.signals().raise(peer)));
    }
  }

  void fence(Header header) {
    header.requirePayload(0);
    WindowPart part = book.part(header.tag);
    if (part != null) {
      afterGets(() -> guard.afterwards(part.fences().arrive(peer)));
    }
  }

  void end(Header header) {
    header.requirePayload(0);
    WindowPart part = book.part(header.tag);
    if (part != null) {
      afterGets(() -> guard.afterwards(part.ended(peer)));
    }
  }

  /** The peer's bytes on their way into this rank's part. */
  private record Written(WindowPart part, long at) implements Sink {
    @Override
    public MemorySegment memory() {
      return part.isClosed() ? null : part.tensor().segment();
    }

    @Override
    public void filled() {
      // Later frames see to the rest.
    }

    @Override
    public void spoiled(RuntimeException e) {
      part.close();
    }
  }

  /** The peer's terms on their way into this rank's part. */
  private record Added(
      WindowPart part, MemorySegment memory, long elements, long offset, ReduceOp op)
      implements Sink {
    @Override
    public void filled() {
      try {
        if (!part.isClosed()) {
          part.accumulate(memory, elements, offset, op);
        }
      } catch (IllegalStateException e) {
        spoiled(e);
      }
    }

    @Override
    public void spoiled(RuntimeException e) {
      part.close(); // its owner has closed the memory under it
    }
  }
}
