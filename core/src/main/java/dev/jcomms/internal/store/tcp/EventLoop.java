package dev.jcomms.internal.store.tcp;

import dev.jcomms.internal.store.Budget;
import dev.jcomms.internal.store.RefusedException;
import dev.jcomms.internal.store.StoreState;
import dev.jcomms.store.StoreLimits;
import dev.jcomms.store.StoreSecret;
import dev.jcomms.store.TcpStoreServer.Usage;
import dev.jcomms.store.TcpStoreServerOptions;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * The one thread of a server: accepts, reads, serves and writes for all connections, and owns the
 * {@link StoreState}. Sleeps without a timeout when no deadline runs.
 */
final class EventLoop implements Runnable {
  private static final Logger LOG = System.getLogger(EventLoop.class.getName());
  private static final int BUFFER_BYTES = 64 << 10;
  private static final long TICK_MILLIS = 250;

  /** So many rounds that fail one after the other are no bad luck: the loop gives up. */
  private static final int FAILED_ROUNDS = 100;

  private final Selector selector;
  private final ServerSocketChannel listener;
  private final SelectionKey listenerKey;
  private final StoreLimits limits;
  private final StoreSecret secret;
  private final boolean open;

  private final Budget total;
  private final Budget stored;
  private final Budget buffered;
  private final StoreState state;
  private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final ByteBuffer staging = ByteBuffer.allocateDirect(BUFFER_BYTES);

  /** Those a deadline runs for, longest first. Strangers are among them from the start. */
  private final LinkedHashSet<Connection> watched = new LinkedHashSet<>();

  private final Map<Connection, Throwable> doomed = new HashMap<>();
  private long nextTick = now();
  private boolean acceptPaused;
  private Throwable acceptFailure;
  private volatile int connections;
  private volatile int admitted;
  private volatile long keys;
  private volatile boolean stopping;

  EventLoop(TcpStoreServerOptions options, Selector selector, ServerSocketChannel listener)
      throws IOException {
    this.selector = selector;
    this.listener = listener;
    this.listenerKey = listener.register(selector, SelectionKey.OP_ACCEPT);
    this.limits = options.limits();
    this.secret = options.secret().orElse(null);
    this.open = options.open();
    this.total = new Budget("total bytes", limits.totalBytes());
    this.stored = total.part("stored bytes", Long.MAX_VALUE);
    this.buffered = total.part("buffered bytes", Long.MAX_VALUE);
    this.state = new StoreState(stored, limits.valueBytes());
  }

  @Override
  public void run() {
    try {
      for (int failed = 0; !stopping; ) {
        try {
          round();
          failed = 0;
        } catch (ClosedSelectorException e) {
          throw e;
        } catch (RuntimeException | Error e) {
          // Such as no memory for the moment: what one client did must not end it for all.
          if (++failed == FAILED_ROUNDS) throw e;
          log(Level.ERROR, "store server had a bad moment", e);
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      log(Level.ERROR, "store server stops", e);
    } finally {
      shutDown();
    }
  }

  private void round() throws IOException {
    boolean ticking = acceptPaused || !watched.isEmpty();
    selector.select(this::handle, ticking ? TICK_MILLIS : 0);
    buryDoomed();
    keys = state.count();
    if (ticking && now() - nextTick >= 0) tick();
  }

  /** Any thread: asks the loop to end. */
  void stop() {
    stopping = true;
    selector.wakeup();
  }

  /** Any thread: what is held, as of the last event. */
  Usage usage() {
    return new Usage(connections, admitted, keys, stored.used(), buffered.used());
  }

  long now() {
    return System.nanoTime();
  }

  Budget newConnectionBudget() {
    return buffered.part("connection bytes", limits.connectionBytes());
  }

  Session newSession(Outbox out, Budget budget, Runnable wokenUp) {
    return new Session(state, secret, open, out, budget, wokenUp);
  }

  void flush(Connection connection) throws IOException {
    connection.flush(staging);
  }

  /** One client more, or less, has shown that it belongs here. */
  void countAdmitted(int change) {
    admitted += change;
  }

  void watch(Connection connection) {
    watched.add(connection);
  }

  /** Ends a connection once the event under way is over. */
  void doom(Connection connection, Throwable reason) {
    doomed.putIfAbsent(connection, reason);
  }

  private void handle(SelectionKey key) {
    if (key == listenerKey) {
      accept();
      return;
    }
    // An earlier event of the same round may have ended it.
    if (!key.isValid()) return;
    Connection connection = (Connection) key.attachment();
    try {
      if (!connection.ready(in, staging)) end(connection, "closed by its peer");
    } catch (IOException | RefusedException e) {
      end(connection, e.getMessage());
    } catch (RuntimeException | Error e) {
      // Out of memory, or a class not loaded for want of a descriptor: not the others' fault.
      end(connection, e.toString());
      log(Level.ERROR, "store connection failed", e);
    }
  }

  private void accept() {
    try {
      SocketChannel channel = listener.accept();
      if (channel == null) return;
      if (acceptFailure != null) {
        log(Level.WARNING, "store server could not accept for a while", acceptFailure);
        acceptFailure = null;
      }
      if (connections >= limits.connections() && !evictStranger()) {
        log(Level.WARNING, "store server is full: connections=" + connections, null);
        channel.close();
        return;
      }
      admit(channel);
    } catch (IOException | RuntimeException | Error e) {
      // Most likely no descriptor is left. The listener stays ready all the while, so look away
      // until the next tick instead of spinning. And say nothing until it works again: a logger
      // that opens its first file now would fail, and with it a class of the JDK for good.
      listenerKey.interestOps(0);
      acceptPaused = true;
      acceptFailure = e;
      nextTick = now() + TICK_MILLIS * 1_000_000;
    }
  }

  private void admit(SocketChannel channel) throws IOException {
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      KeepAlive.on(channel);
      SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
      Connection connection = new Connection(this, channel, key, now());
      key.attach(connection);
      watched.add(connection);
      connections++;
    } catch (IOException | RuntimeException | Error e) {
      // Also without memory for it: a key that stayed would have nobody to serve it.
      channel.close();
      throw e;
    }
  }

  private boolean evictStranger() {
    for (Connection connection : watched) {
      if (connection.isStranger()) {
        end(connection, "made room for a new one");
        return true;
      }
    }
    return false;
  }

  private void end(Connection connection, String reason) {
    watched.remove(connection);
    doomed.remove(connection);
    boolean first = true;
    try {
      first = connection.close();
    } finally {
      if (first) connections--;
    }
    if (first && LOG.isLoggable(Level.DEBUG)) {
      log(Level.DEBUG, connection + " ends: " + reason, null);
    }
  }

  private void buryDoomed() {
    // Ending one may wake, and so doom, another.
    while (!doomed.isEmpty()) {
      Map.Entry<Connection, Throwable> next = doomed.entrySet().iterator().next();
      end(next.getKey(), next.getValue().toString());
    }
  }

  private void tick() {
    long now = now();
    nextTick = now + TICK_MILLIS * 1_000_000;
    if (acceptPaused) {
      acceptPaused = false;
      listenerKey.interestOps(SelectionKey.OP_ACCEPT);
    }
    List<Connection> late = new ArrayList<>();
    long handshake = limits.handshake().toNanos();
    long progress = limits.progress().toNanos();
    for (Iterator<Connection> each = watched.iterator(); each.hasNext(); ) {
      Connection connection = each.next();
      if (!connection.isDue()) {
        each.remove();
      } else if (connection.overdue(now, handshake, progress) != null) {
        late.add(connection);
      }
    }
    for (Connection connection : late) {
      end(connection, connection.overdue(now, handshake, progress));
    }
    buryDoomed();
  }

  private void shutDown() {
    try {
      listener.close();
      for (SelectionKey key : selector.keys()) {
        if (key.attachment() instanceof Connection connection) connection.close();
      }
    } catch (IOException | RuntimeException | Error e) {
      log(Level.WARNING, "store server did not close cleanly", e);
    }
    connections = 0;
    try {
      // Whatever failed before this: nobody may find a port that is open and never answers.
      selector.close();
    } catch (IOException e) {
      log(Level.WARNING, "store server did not close cleanly", e);
    }
  }

  /** Logs; a logger's own failure is not the store's. */
  private static void log(Level level, String message, Throwable cause) {
    try {
      LOG.log(level, message, cause);
    } catch (RuntimeException | Error e) {
      // There is nobody left to tell.
    }
  }
}
