package dev.jcomms.jccl.internal.mail;

import static dev.jcomms.jccl.internal.mail.SendDesk.COST;
import static dev.jcomms.jccl.internal.mail.SendDesk.CREDIT;

import dev.jcomms.CommException;
import dev.jcomms.tensor.DType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * This rank's receives from one peer, and the messages that came before them: matched in order per
 * tag. Under the guard, but for {@link #cancel}.
 *
 * <p>What waits here is bounded, but for the offers: each is a few words here, and a pending send
 * there.
 */
final class ReceiveDesk {
  /** Tags up to which lanes are kept that have nothing in them. */
  private static final int KEPT = 16;

  /** A message that nobody has asked for yet: with its bytes, or only offered. */
  private final class Arrived implements Sink {
    final long id;
    final int tag;
    final DType dtype;
    final long elements;
    final MemorySegment bytes;

    Arrived(Header header, DType dtype, MemorySegment bytes) {
      this.id = header.id;
      this.tag = header.tag;
      this.dtype = dtype;
      this.elements = header.length;
      this.bytes = bytes;
    }

    @Override
    public MemorySegment memory() {
      return bytes;
    }

    @Override
    public void filled() {
      arrive(this);
    }

    @Override
    public void spoiled(RuntimeException e) {
      throw e;
    }
  }

  /** What waits under one tag: receives or messages, never both. */
  private static final class Lane {
    final ArrayDeque<Incoming> posted = new ArrayDeque<>();
    final ArrayDeque<Arrived> arrived = new ArrayDeque<>();
  }

  private final int rank;
  private final int peer;
  private final Guard guard;
  private final Outbox outbox;
  private final Map<Integer, Lane> lanes = new HashMap<>();
  private final Map<Long, Incoming> taken = new HashMap<>();
  private long lastId;

  /** Bytes that came along with their offers and were not received, and credit not given back. */
  private long unreceived;

  private long owed;

  /** Why nothing comes from the peer any more; null while it takes part. */
  private CommException left;

  ReceiveDesk(int rank, int peer, Guard guard, Outbox outbox) {
    this.rank = rank;
    this.peer = peer;
    this.guard = guard;
    this.outbox = outbox;
  }

  void receive(Incoming letter) {
    Lane lane = lanes.computeIfAbsent(letter.tag(), _ -> new Lane());
    Arrived first = lane.arrived.poll();
    if (first != null) {
      forget(letter.tag(), lane);
      match(letter, first);
    } else if (left != null) {
      forget(letter.tag(), lane);
      fail(letter.job(), left);
    } else {
      lane.posted.add(letter);
    }
  }

  /** Lets go of a letter's tensor. Outside the guard. */
  void cancel(Incoming letter) {
    guard.enter();
    try {
      letter.drop();
      Lane lane = lanes.get(letter.tag());
      if (lane != null && lane.posted.remove(letter)) {
        forget(letter.tag(), lane);
      }
    } finally {
      guard.leave();
    }
  }

  Sink offer(Header header) {
    DType dtype = header.dtype();
    boolean eager = header.offset == 1;
    if (header.id <= lastId || header.length < 0) {
      throw new BadFrameException(header + " of elements=" + header.length + " after #" + lastId);
    }
    lastId = header.id;
    if (!eager) {
      header.requirePayload(0);
      arrive(new Arrived(header, dtype, null));
      return null;
    }
    header.requirePayload(bytes(header, dtype));
    unreceived += COST + header.payload;
    if (unreceived > CREDIT) {
      throw new BadFrameException(header + " exceeds what may be sent before it is received");
    }
    Lane lane = lanes.get(header.tag);
    Incoming waiting = lane == null ? null : lane.posted.peek();
    if (waiting != null && waiting.dtype() == dtype && waiting.elements() == header.length) {
      // The usual case: straight to where it belongs.
      lane.posted.poll();
      forget(header.tag, lane);
      waiting.match(0);
      if (header.payload == 0) {
        waiting.filled();
        return null;
      }
      header.offset = 0;
      return waiting.expect(header);
    }
    return new Arrived(header, dtype, MemorySegment.ofArray(new byte[header.payload]));
  }

  private static long bytes(Header header, DType dtype) {
    try {
      return Math.multiplyExact(header.length, dtype.bytes());
    } catch (ArithmeticException e) {
      throw new BadFrameException(header + " has elements=" + header.length);
    }
  }

  /** A message is there as far as it can be without a receive. */
  private void arrive(Arrived message) {
    Lane lane = lanes.computeIfAbsent(message.tag, _ -> new Lane());
    Incoming waiting = lane.posted.poll();
    if (waiting == null) {
      lane.arrived.add(message);
    } else {
      forget(message.tag, lane);
      match(waiting, message);
    }
  }

  private void match(Incoming letter, Arrived message) {
    boolean eager = message.bytes != null;
    letter.match(eager ? 0 : message.id);
    if (letter.dtype() != message.dtype || letter.elements() != message.elements) {
      if (eager) {
        received(message.bytes.byteSize());
      }
      mismatch(letter, message);
    } else if (eager) {
      letter.fill(message.bytes);
    } else if (left != null) {
      fail(letter.job(), left);
    } else {
      Header take = new Header().of(Kind.TAKE);
      take.id = message.id;
      outbox.news(new Note(take));
      if (letter.bytes() == 0) {
        letter.filled();
      } else {
        taken.put(message.id, letter);
      }
    }
  }

  /** All of a message has come. */
  void filled(Incoming letter) {
    if (letter.offer() == 0) {
      received(letter.bytes());
    } else {
      taken.remove(letter.offer());
    }
  }

  /** Gives credit for a message that came along with its offer. */
  private void received(long bytes) {
    unreceived -= COST + bytes;
    owed += COST + bytes;
    if (owed >= CREDIT / 4 && left == null) {
      Header header = new Header().of(Kind.CREDIT);
      header.length = owed;
      owed = 0;
      outbox.news(new Note(header));
    }
  }

  Sink data(Header header) {
    Incoming letter = taken.get(header.id);
    if (letter == null) {
      throw new BadFrameException(header + " was not taken");
    }
    return letter.expect(header);
  }

  private void mismatch(Incoming letter, Arrived message) {
    Header refuse = new Header().of(Kind.REFUSE);
    refuse.id = message.id;
    refuse.dtype = (byte) letter.dtype().ordinal();
    refuse.length = letter.elements();
    outbox.news(new Note(refuse));
    fail(
        letter.job(),
        Disagreement.of(
            rank,
            "recv",
            letter.elements(),
            letter.dtype(),
            peer,
            "send",
            message.elements,
            message.dtype));
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

  /** Keeps a few lanes without anything in them: tags are used again. */
  private void forget(int tag, Lane lane) {
    if (lanes.size() > KEPT && lane.posted.isEmpty() && lane.arrived.isEmpty()) {
      lanes.remove(tag, lane);
    }
  }
}
