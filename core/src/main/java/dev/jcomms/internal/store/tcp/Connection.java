package dev.jcomms.internal.store.tcp;

import dev.jcomms.internal.store.Budget;
import dev.jcomms.internal.store.RefusedException;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/**
 * One client's socket at the server: bytes in, through the parser, to the {@link Session}; its
 * replies out. Touched by the {@link EventLoop}'s thread only.
 *
 * <p>An idle connection holds no buffer: reads go through the loop's own.
 */
final class Connection {
  /** Above this many bytes of untaken replies a client's further requests are not read. */
  private static final long PAUSE_BYTES = 1 << 20;

  /** Replies up to this size, most of which the socket takes at once, are charged afterwards. */
  private static final long UNCHARGED_BYTES = 64 << 10;

  /** Whoever has not proved itself has no business that takes more. */
  private static final long STRANGER_BYTES = 1 << 10;

  private final EventLoop loop;
  private final SocketChannel channel;
  private final SelectionKey key;
  private final Budget budget;
  private final RequestParser parser = new RequestParser();
  private final Outbox out = new Outbox();
  private final Session session;
  private final Progress request = new Progress();
  private final Progress replies = new Progress();
  private final long acceptedAt;
  private final SocketAddress peer;

  private boolean closed;
  private boolean admitted;
  private long charged;

  Connection(EventLoop loop, SocketChannel channel, SelectionKey key, long now) {
    this.loop = loop;
    this.channel = channel;
    this.key = key;
    this.budget = loop.newConnectionBudget();
    this.session = loop.newSession(out, budget, this::flushSafely);
    this.acceptedAt = now;
    this.peer = channel.socket().getRemoteSocketAddress();
  }

  boolean isStranger() {
    return session.isStranger();
  }

  /** Serves what has come in and sends what can go out; false if the connection has ended. */
  boolean ready(ByteBuffer in, ByteBuffer staging) throws IOException {
    if (key.isReadable() && !read(in)) return false;
    flush(staging);
    return true;
  }

  private boolean read(ByteBuffer in) throws IOException {
    int bytes = channel.read(in.clear());
    if (bytes < 0) return false;
    long now = loop.now();
    request.moved(bytes, now);
    in.flip();
    for (Request next; (next = parser.next(in, session::allows)) != null; ) {
      session.serve(next);
      if (!admitted && !session.isStranger()) {
        admitted = true;
        loop.countAdmitted(1);
      }
      request.set(false, now);
      if (out.heldBytes() > UNCHARGED_BYTES) charge();
    }
    request.set(parser.midway(), now);
    return true;
  }

  /** What its peer has failed to do in time, or null. */
  String overdue(long now, long handshakeNanos, long progressNanos) {
    if (session.isStranger() && now - acceptedAt > handshakeNanos) return "handshake is overdue";
    if (request.isOverdue(now, progressNanos)) return "request comes too slowly";
    if (replies.isOverdue(now, progressNanos)) return "replies are taken too slowly";
    return null;
  }

  /** Whether a deadline runs: for the handshake, or for a message under way. */
  boolean isDue() {
    return session.isStranger() || request.isUnderway() || replies.isUnderway();
  }

  /** Ends it; false if it had ended before. */
  boolean close() {
    if (closed) return false;
    closed = true;
    if (admitted) loop.countAdmitted(-1);
    try {
      session.end();
    } finally {
      budget.take(-charged);
      charged = 0;
      try {
        channel.close();
      } catch (IOException e) {
        // It is gone either way.
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return "store connection of " + peer;
  }

  /** A reply that another client's request caused: the failure is this client's alone. */
  private void flushSafely() {
    if (closed) return;
    try {
      loop.flush(this);
    } catch (IOException | RuntimeException | Error e) {
      loop.doom(this, e);
    }
  }

  /** Sends what the socket takes, and asks to be told when it takes more. */
  void flush(ByteBuffer staging) throws IOException {
    long sent = out.flush(channel, staging);
    charge();
    int wanted = out.isEmpty() ? SelectionKey.OP_READ : SelectionKey.OP_WRITE;
    if (out.heldBytes() < PAUSE_BYTES) wanted |= SelectionKey.OP_READ;
    if (key.interestOps() != wanted) key.interestOps(wanted);
    if (!out.isEmpty() || replies.isUnderway()) {
      long now = loop.now();
      replies.moved(sent, now);
      replies.set(!out.isEmpty(), now);
    }
    if (isDue()) loop.watch(this);
  }

  /** Brings the budget in line with what is held. */
  private void charge() {
    long held = parser.bufferedBytes() + out.heldBytes();
    if (held > STRANGER_BYTES && session.isStranger()) {
      throw new RefusedException("bytes=" + held + " held for one who has proved nothing");
    }
    budget.take(held - charged);
    charged = held;
  }
}
