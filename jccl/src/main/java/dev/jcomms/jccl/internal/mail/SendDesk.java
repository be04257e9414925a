package dev.jcomms.jccl.internal.mail;

import dev.jcomms.CommException;
import dev.jcomms.tensor.DType;
import java.util.HashMap;
import java.util.Map;

/**
 * This rank's sends to one peer. Under the guard, but for {@link #cancel}.
 *
 * <p>Small messages are sent at once, as long as what the peer has not received by then stays
 * within a limit, for which it gives credit back. All others are offered, and sent when the peer
 * has a receive for them. So nothing that comes through a pipe ever has to wait for a receive.
 */
final class SendDesk {
  /** Bytes of messages that a rank may have sent one other before they were received. */
  static final long CREDIT = 1 << 20;

  /** What a message costs beside its bytes. */
  static final long COST = 64;

  private final int rank;
  private final int peer;
  private final Guard guard;
  private final Outbox outbox;
  private final Pipe pipe;
  private final Map<Long, Outgoing> offered = new HashMap<>();
  private long nextId = 1;
  private long credit = CREDIT;

  /** Why nothing goes to the peer any more; null while it takes part. */
  private CommException left;

  SendDesk(int rank, int peer, Guard guard, Outbox outbox, Pipe pipe) {
    this.rank = rank;
    this.peer = peer;
    this.guard = guard;
    this.outbox = outbox;
    this.pipe = pipe;
  }

  void send(Outgoing letter) {
    if (left != null) {
      fail(letter.job(), left);
      return;
    }
    long cost = COST + letter.bytes();
    boolean eager = letter.bytes() <= pipe.eagerBytes() && cost <= credit;
    letter.begin(nextId++, eager, pipe.chunkBytes());
    if (eager) {
      credit -= cost;
    } else {
      offered.put(letter.id(), letter);
    }
    outbox.letter(letter);
  }

  /** Lets go of a letter's tensor. Outside the guard. */
  void cancel(Outgoing letter) {
    guard.enter();
    try {
      if (!letter.isDone() && letter.tensor() != null) {
        outbox.detach(letter);
        // An offer stays known: the peer may take it yet.
        letter.drop();
      }
    } finally {
      guard.leave();
    }
  }

  void take(Header header) {
    header.requirePayload(0);
    Outgoing letter = offered.remove(header.id);
    if (letter == null) {
      throw new BadFrameException(header + " was not offered");
    }
    if (letter.tensor() == null) {
      return; // given up meanwhile
    }
    letter.take();
    if (letter.bytes() == 0) {
      letter.finish();
    } else {
      outbox.stream(letter);
    }
  }

  void refuse(Header header) {
    header.requirePayload(0);
    DType theirs = header.dtype();
    Outgoing letter = offered.remove(header.id);
    if (letter != null && letter.tensor() != null) {
      fail(
          letter.job(),
          Disagreement.of(
              rank,
              "send",
              letter.tensor().elements(),
              letter.tensor().dtype(),
              peer,
              "recv",
              header.length,
              theirs));
    }
  }

  void credit(Header header) {
    header.requirePayload(0);
    if (header.length <= 0 || header.length > CREDIT - credit) {
      throw new BadFrameException(header + " gives credit " + header.length);
    }
    credit += header.length;
  }

  /** The peer takes part no more: what would need it fails from now on. */
  void leave(CommException reason) {
    left = reason;
  }

  void done(Job job) {
    guard.done(job);
  }

  void fail(Job job, RuntimeException reason) {
    guard.afterwards(() -> job.fail(reason));
  }
}
