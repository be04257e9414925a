package dev.jcomms.jccl.internal.mail;

import dev.jcomms.BackendException;
import dev.jcomms.CommException;
import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * Window requests between this rank and one peer, both ways. Under the guard, but for the requests
 * of this rank, which enter it.
 */
final class WindowDesk {
  private static final DType[] DTYPES = DType.values();

  /** In an answer: there is no such part any more. */
  private static final long GONE = 1;

  private final int peer;
  private final Guard guard;
  private final Outbox outbox;
  private final Runnable push;
  private final WindowBook book;
  private final Arena arena;
  private final int chunk;

  private long nextId = 1;
  private final Map<Long, Getting> asked = new HashMap<>();

  /** Where terms wait until all of a frame's are there; made when first needed. */
  private MemorySegment scratch;

  private CommException left;

  /**
   * @param push writes what was put into the outbox
   * @param arena for buffers
   * @param chunk bytes of a frame of a longer request
   */
  WindowDesk(
      int peer,
      Guard guard,
      Outbox outbox,
      Runnable push,
      WindowBook book,
      Arena arena,
      int chunk) {
    this.peer = peer;
    this.guard = guard;
    this.outbox = outbox;
    this.push = push;
    this.book = book;
    this.arena = arena;
    this.chunk = chunk;
  }

  /** What is said of a part that is there no more. */
  static String gone(int owner) {
    return "rank " + owner + " has taken its part of the window back";
  }

  // ---- this rank's requests: outside the guard

  /** Puts a tensor, or accumulates it with an op. */
  void put(Job job, int window, Tensor tensor, long offset, ReduceOp op) {
    if (tensor.elements() == 0) {
      return;
    }
    Putting putting =
        new Putting(job, this, peer, window, tensor, offset * tensor.dtype().bytes(), op);
    guard.enter();
    try {
      job.add(putting);
      ask(job, putting);
    } finally {
      guard.leave();
    }
  }

  void get(Job job, int window, Tensor tensor, long offset) {
    if (tensor.elements() == 0) {
      return;
    }
    Header header = new Header().of(Kind.GET);
    header.offset = offset * tensor.dtype().bytes();
    header.length = tensor.bytes();
    askForAnswer(job, header, window, tensor);
  }

  void flush(Job job, int window) {
    askForAnswer(job, new Header().of(Kind.FLUSH), window, null);
  }

  private void askForAnswer(Job job, Header header, int window, Tensor tensor) {
    guard.enter();
    try {
      Getting getting = new Getting(job, this, peer, nextId++, tensor);
      header.tag = window;
      header.id = getting.id();
      asked.put(getting.id(), getting);
      job.add(getting);
      ask(job, new Note(header));
    } finally {
      guard.leave();
    }
  }

  /** A signal, or news of a fence. The job may be null. */
  void note(Job job, Kind kind, int window) {
    Header header = new Header().of(kind);
    header.tag = window;
    send(job, header);
  }

  void announce(WindowPart part, long description) {
    Header header = new Header().of(Kind.REGISTER);
    header.tag = part.number();
    header.dtype = (byte) part.dtype().ordinal();
    header.length = part.elements();
    header.id = description;
    send(null, header);
  }

  private void send(Job job, Header header) {
    guard.enter();
    try {
      ask(job, new Note(header));
    } finally {
      guard.leave();
    }
  }

  private void ask(Job job, Source source) {
    if (left == null) {
      outbox.request(source);
      push.run();
    } else if (job != null) {
      fail(job, left);
    }
  }

  void cancel(Putting putting) {
    guard.enter();
    try {
      outbox.detach(putting);
      putting.drop();
    } finally {
      guard.leave();
    }
  }

  /** What was asked stays known: the answer comes yet, and goes nowhere. */
  void cancel(Getting getting) {
    guard.enter();
    try {
      getting.drop();
    } finally {
      guard.leave();
    }
  }

  // ---- what comes from the peer

  void register(Header header) {
    header.requirePayload(0);
    if (header.dtype < 0 || header.dtype >= DTYPES.length || header.length < 0) {
      throw new BadFrameException(header + " of dtype " + header.dtype + ", " + header.length);
    }
    WindowBook.Announcement announcement =
        new WindowBook.Announcement(DTYPES[header.dtype], header.length, header.id, null);
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
      answer(header, GONE);
    } else {
      inside(header, part, header.length);
      if (header.length == 0) {
        throw new BadFrameException(header + " asks for nothing");
      }
      outbox.stream(new Reply(part, header.id, header.offset, header.length, chunk));
    }
  }

  void flush(Header header) {
    header.requirePayload(0);
    answer(header, book.part(header.tag) == null ? GONE : 0);
  }

  private void answer(Header question, long length) {
    Header answer = new Header().of(Kind.FLUSHED);
    answer.id = question.id;
    answer.length = length;
    outbox.news(new Note(answer));
  }

  Sink answer(Header header) {
    Getting getting = asked.get(header.id);
    if (getting == null) {
      throw new BadFrameException(header + " was not asked for");
    }
    if (header.kind == Kind.FLUSHED && header.length == GONE) {
      header.requirePayload(0);
      asked.remove(header.id);
      getting.fail(new BackendException(gone(peer), null));
      return null;
    }
    getting.expect(header);
    if (header.payload == 0) {
      getting.filled();
      return null;
    }
    return getting;
  }

  void signal(Header header) {
    header.requirePayload(0);
    WindowPart part = book.part(header.tag);
    if (part != null) {
      guard.afterwards(part.signals().raise(peer));
    }
  }

  void fence(Header header) {
    header.requirePayload(0);
    WindowPart part = book.part(header.tag);
    if (part != null) {
      guard.afterwards(part.fences().arrive(peer));
    }
  }

  void leave(CommException reason) {
    left = reason;
  }

  // ---- what requests ask and tell

  /** Bytes of a frame of a longer request. */
  int chunkBytes() {
    return chunk;
  }

  void answered(Getting getting) {
    asked.remove(getting.id());
  }

  void done(Job job) {
    guard.done(job);
  }

  void fail(Job job, RuntimeException reason) {
    guard.afterwards(() -> job.fail(reason));
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
