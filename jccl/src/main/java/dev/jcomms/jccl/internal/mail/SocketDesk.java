package dev.jcomms.jccl.internal.mail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjIntConsumer;

/**
 * Who moves the mail that goes through sockets: a daemon that sleeps until something comes, and
 * keeps the peers' and this rank's own heartbeats. A thread in a blocking call may help. Any
 * thread.
 */
final class SocketDesk implements AutoCloseable {
  /** One peer's socket. */
  private static final class Line {
    final PipedCorrespondent peer;
    final SelectionKey key;
    final Heartbeat heartbeat;

    Line(PipedCorrespondent peer, SelectionKey key, Heartbeat heartbeat) {
      this.peer = peer;
      this.key = key;
      this.heartbeat = heartbeat;
    }
  }

  private static final int READ_WRITE = SelectionKey.OP_READ | SelectionKey.OP_WRITE;

  /** Looks that a blocking call takes before it leaves the rest to the daemon. */
  private static final int LOOKS = 60;

  private final Guard guard;
  private final Selector selector;
  private final Duration limit;
  private final ObjIntConsumer<Runnable> caller;
  private final boolean cores;
  private final List<Line> lines = new ArrayList<>();
  private Thread daemon;
  private volatile boolean closed;

  /**
   * @param limit how long a peer may be silent
   * @param caller calls a peer; see {@link Means}
   * @param cores whether every rank of this host has a core
   */
  SocketDesk(Guard guard, Duration limit, ObjIntConsumer<Runnable> caller, boolean cores) {
    this.guard = guard;
    this.limit = limit;
    this.caller = caller;
    this.cores = cores;
    try {
      this.selector = Selector.open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds a peer, before the desk is started. */
  void add(PipedCorrespondent peer, SocketChannel channel) {
    try {
      SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
      Heartbeat heartbeat =
          new Heartbeat(limit, System.nanoTime(), answered -> caller.accept(answered, peer.peer()));
      Line line = new Line(peer, key, heartbeat);
      lines.add(line);
      peer.whenStuck(() -> watch(line));
    } catch (ClosedChannelException e) {
      guard.enter();
      try {
        peer.lose("its connection was closed");
      } finally {
        guard.leave();
      }
    }
  }

  void start(String name) {
    daemon = Thread.ofPlatform().daemon().name(name + "-sockets").start(this::work);
  }

  /** Has the daemon go on with what the socket has no room for. Under the guard. */
  private void watch(Line line) {
    if (line.key.isValid() && line.key.interestOps() != READ_WRITE) {
      line.key.interestOps(READ_WRITE);
      if (Thread.currentThread() != daemon) {
        selector.wakeup();
      }
    }
  }

  /** Looks for a while whether a job can be ended on this thread. */
  void help(Job job) {
    for (int i = 0; cores && i < LOOKS && !job.isOver(); i++) {
      guard.enter();
      try {
        for (Line line : lines) {
          look(line);
        }
      } finally {
        guard.leave();
      }
    }
  }

  /** Whether a peer was heard of within the last beats. */
  boolean hears(int peer) {
    guard.enter();
    try {
      long now = System.nanoTime();
      return lines.stream()
          .anyMatch(
              line ->
                  line.peer.peer() == peer && !line.peer.isOver() && line.heartbeat.isFresh(now));
    } finally {
      guard.leave();
    }
  }

  private boolean look(Line line) {
    boolean moved = line.peer.progress();
    if (line.peer.heard()) {
      line.heartbeat.heard(System.nanoTime());
    }
    return moved;
  }

  private void work() {
    try {
      long planned = 0;
      while (!closed) {
        long before = System.nanoTime();
        select(planned);
        planned = round(before + planned);
      }
    } catch (IOException | RuntimeException e) {
      guard.enter();
      try {
        lines.forEach(line -> line.peer.lose("its socket cannot be watched: " + e));
      } finally {
        guard.leave();
      }
    }
  }

  private void select(long nanos) throws IOException {
    if (nanos <= 0) {
      selector.selectNow();
    } else {
      selector.select(Math.max(1, nanos / 1_000_000));
    }
    selector.selectedKeys().clear();
  }

  /**
   * Moves what can be moved, then keeps the heartbeats.
   *
   * @param plannedNanos when this was to happen at the latest
   * @return how long nothing needs to be done unless something comes
   */
  private long round(long plannedNanos) {
    guard.enter();
    try {
      // Everybody is heard before anybody is judged: this rank itself may have been stopped.
      boolean moved = false;
      for (Line line : lines) {
        moved |= look(line);
      }
      // Also while there is always more to move: peers that only send have to hear of this rank.
      long now = System.nanoTime();
      long next = Long.MAX_VALUE;
      boolean any = false;
      for (Line line : lines) {
        if (!line.peer.isOver()) {
          next = Math.min(next, line.heartbeat.keep(line.peer, now, now - plannedNanos));
          any |= line.peer.isOver();
          if (!moved) {
            settle(line);
          }
        }
      }
      if (any) {
        lines.forEach(line -> line.heartbeat.giveUpWithAnother(line.peer, now));
      }
      if (moved) {
        return 0;
      }
      return next == Long.MAX_VALUE ? limit.toNanos() : next;
    } finally {
      guard.leave();
    }
  }

  private void settle(Line line) {
    if (line.key.isValid()) {
      int wanted = line.peer.wantsToWrite() ? READ_WRITE : SelectionKey.OP_READ;
      if (line.key.interestOps() != wanted) {
        line.key.interestOps(wanted);
      }
    }
  }

  /** Ends the daemon. Nothing is moved after this has returned. */
  @Override
  public void close() {
    closed = true;
    selector.wakeup();
    if (daemon != null) {
      Threads.join(daemon);
    }
    try {
      selector.close();
    } catch (IOException e) {
      // It has no more to do.
    }
  }
}
