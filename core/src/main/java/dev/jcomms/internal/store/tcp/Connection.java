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

  /** What must move, either way, for the progress deadline to be renewed. */
  private static final long PROGRESS_BYTES = 64 << 10;

  private final EventLoop loop;
  private final SocketChannel channel;
  private final SelectionKey key;
  private final Budget budget;
  private final RequestParser parser = new RequestParser();
  private final Outbox out = new Outbox();
  private final Session session;
  private final long acceptedAt;
  private final SocketAddress peer;

  private boolean closed;
  private long charged;
  private long dueSince;
  private long movedBytes;

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
    if (key.isReadable()) {
      int read = channel.read(in.clear());
      if (read < 0) return false;
      movedBytes += read;
      in.flip();
      for (Request request; (request = parser.next(in, session::allows)) != null; ) {
        session.serve(request);
        charge();
      }
      charge();
    }
    flush(staging);
    return true;
  }

  /** What its peer has failed to do in time, or null. */
  String overdue(long now, long handshakeNanos, long progressNanos) {
    if (session.isStranger()) {
      return now - acceptedAt > handshakeNanos ? "handshake took too long" : null;
    }
    if (dueSince == 0) return null;
    if (movedBytes >= PROGRESS_BYTES) {
      movedBytes = 0;
      dueSince = now;
    }
    if (now - dueSince <= progressNanos) return null;
    return out.isEmpty() ? "request came too slowly" : "replies were not taken";
  }

  /** Whether a deadline runs: for the handshake, or for a message under way. */
  boolean isDue() {
    return dueSince != 0 || session.isStranger();
  }

  /** Ends it; false if it had ended before. */
  boolean close() {
    if (closed) return false;
    closed = true;
    session.end();
    budget.take(-charged);
    charged = 0;
    try {
      channel.close();
    } catch (IOException e) {
      // It is gone either way.
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
      charge();
      loop.flush(this);
    } catch (IOException | RefusedException e) {
      loop.doom(this, e);
    }
  }

  void flush(ByteBuffer staging) throws IOException {
    movedBytes += out.flush(channel, staging);
    charge();
    int wanted = out.isEmpty() ? SelectionKey.OP_READ : SelectionKey.OP_WRITE;
    if (!out.isEmpty() && out.heldBytes() < PAUSE_BYTES) wanted |= SelectionKey.OP_READ;
    if (key.interestOps() != wanted) key.interestOps(wanted);
    boolean underway = parser.midway() || !out.isEmpty();
    if (!underway) {
      dueSince = 0;
    } else if (dueSince == 0) {
      movedBytes = 0;
      dueSince = loop.now();
      loop.watch(this);
    }
  }

  /** Brings the budget in line with what is held. */
  private void charge() {
    long held = parser.bufferedBytes() + out.heldBytes();
    budget.take(held - charged);
    charged = held;
  }
}
