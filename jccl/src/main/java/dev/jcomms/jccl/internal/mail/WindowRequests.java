package dev.jcomms.jccl.internal.mail;

import dev.jcomms.BackendException;
import dev.jcomms.CommException;
import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.Tensor;
import java.util.HashMap;
import java.util.Map;

/**
 * What this rank asks of one peer's windows, in order, and the answers. Requests come from outside
 * the guard and enter it; the rest is under it.
 */
final class WindowRequests {
  /** In an answer: there is no such part any more. */
  static final long GONE = 1;

  private final int peer;
  private final Guard guard;
  private final Outbox outbox;
  private final Runnable push;
  private final int chunk;
  private final Map<Long, Getting> asked = new HashMap<>();
  private long nextId = 1;
  private CommException left;

  /**
   * @param push writes what was put into the outbox
   * @param chunk bytes of a frame of a longer request
   */
  WindowRequests(int peer, Guard guard, Outbox outbox, Runnable push, int chunk) {
    this.peer = peer;
    this.guard = guard;
    this.outbox = outbox;
    this.push = push;
    this.chunk = chunk;
  }

  /** What is said of a part that is there no more. */
  static String gone(int owner) {
    return "rank " + owner + " has taken its part of the window back";
  }

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
    askForAnswer(job, header, window, tensor, () -> {});
  }

  void flush(Job job, int window, Runnable then) {
    askForAnswer(job, new Header().of(Kind.FLUSH), window, null, then);
  }

  private void askForAnswer(Job job, Header header, int window, Tensor tensor, Runnable then) {
    guard.enter();
    try {
      Getting getting = new Getting(job, this, peer, nextId++, tensor, then);
      header.tag = window;
      header.id = getting.id();
      asked.put(getting.id(), getting);
      job.add(getting);
      ask(job, new Note(header));
    } finally {
      guard.leave();
    }
  }

  /** A signal, or news of a fence or of the end. The job may be null. */
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

  void leave(CommException reason) {
    left = reason;
  }

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
}
