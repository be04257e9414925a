package dev.jcomms.internal.store.tcp;

import dev.jcomms.internal.store.Deadline;
import dev.jcomms.internal.store.Interrupts;
import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreTimeoutException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The connections of one client: one that calls share in turn, and as many more as there are calls
 * that wait. Makes them when they are needed, drops them when an exchange fails, and turns what
 * goes wrong on them into {@link StoreException}s. Any thread.
 *
 * <p>A connection that nobody has used for a while may have been forgotten on the way, by a NAT or
 * a firewall, and that shows only when it is used. So an exchange that breaks off on a connection
 * made before it is had once more on a new one, if it is {@linkplain Repeatable repeatable}.
 */
final class Connections implements AutoCloseable {
  /** How late a call may end when the server does not answer at all. */
  static final Duration GRACE = Duration.ofSeconds(2);

  /** How long it may take to connect in place of a connection that broke. */
  private static final Duration REPLACEMENT = Duration.ofSeconds(5);

  /** Waiting connections kept for the next wait. */
  private static final int IDLE = 2;

  private final Connector connector;
  private final ReentrantLock turn = new ReentrantLock();
  private final ArrayDeque<ClientConnection> idle = new ArrayDeque<>(IDLE);
  private final Set<ClientConnection> all = ConcurrentHashMap.newKeySet();
  private ClientConnection shared;
  private volatile boolean closed;

  /** What a call says to the server and hears from it. */
  @FunctionalInterface
  interface Exchange<T> {
    T run(ClientConnection connection) throws IOException;
  }

  /**
   * An exchange that does no harm, and has the same answer, if the server has heard it before. It
   * keeps nothing of an answer that broke off.
   */
  @FunctionalInterface
  interface Repeatable<T> extends Exchange<T> {}

  /** Says of an exchange that it may be had once more. */
  static <T> Exchange<T> repeatable(Repeatable<T> exchange) {
    return exchange;
  }

  /**
   * An exchange that was asked for.
   *
   * @param keep takes a connection that can be used again
   */
  private record Call<T>(
      String operation,
      Object subject,
      Deadline deadline,
      Exchange<T> exchange,
      Consumer<ClientConnection> keep) {

    @Override
    public String toString() {
      return operation + " " + subject;
    }
  }

  Connections(Connector connector, ClientConnection first) {
    this.connector = connector;
    this.shared = first;
    all.add(first);
  }

  /** Runs an exchange that the server answers at once, on the shared connection. */
  <T> T inTurn(String operation, Object subject, Deadline deadline, Exchange<T> exchange) {
    Call<T> call = new Call<>(operation, subject, deadline, exchange, c -> shared = c);
    enter(call);
    takeTurn(call);
    try {
      ClientConnection old = shared;
      shared = null;
      return run(call, old, Duration.ZERO);
    } finally {
      turn.unlock();
    }
  }

  /** Runs an exchange that may wait, on a connection of its own. */
  <T> T apart(String operation, Object subject, Deadline deadline, Exchange<T> exchange) {
    Call<T> call = new Call<>(operation, subject, deadline, exchange, this::putIdle);
    enter(call);
    return run(call, takeIdle(), GRACE);
  }

  /**
   * Has an exchange, on a new connection if there is no old one, and once more where the old one
   * breaks.
   *
   * @param grace what there is at least to connect
   */
  private <T> T run(Call<T> call, ClientConnection old, Duration grace) {
    ClientConnection connection;
    if (old == null) {
      connection = connect(call, call.deadline.orAfter(grace));
    } else {
      try {
        return once(call, old);
      } catch (IOException e) {
        if (!mayRepeat(call, e)) throw failure(call, e);
        connection = replace(call, call.deadline.orAfter(grace), e);
      }
    }
    try {
      return once(call, connection);
    } catch (IOException e) {
      throw failure(call, e);
    }
  }

  private <T> T once(Call<T> call, ClientConnection connection) throws IOException {
    boolean inStep = false;
    try {
      T result = call.exchange.run(connection.begin(call.deadline));
      inStep = true;
      return result;
    } catch (StoreTimeoutException e) {
      inStep = true; // The wait was cancelled in order: both ends agree on where they are.
      throw e;
    } finally {
      if (inStep) call.keep.accept(connection);
      else drop(connection);
    }
  }

  @Override
  public void close() {
    closed = true;
    all.forEach(ClientConnection::close);
  }

  @Override
  public String toString() {
    return connector.toString();
  }

  private void enter(Call<?> call) {
    if (closed) throw new IllegalStateException("store is closed: " + this);
    if (Thread.currentThread().isInterrupted()) {
      throw Interrupts.during(describe(call), new InterruptedException());
    }
  }

  private void takeTurn(Call<?> call) {
    if (turn.tryLock()) return;
    try {
      if (turn.tryLock(call.deadline.nanos(), TimeUnit.NANOSECONDS)) return;
    } catch (InterruptedException e) {
      throw Interrupts.during(describe(call), e);
    }
    throw timedOut(call);
  }

  private ClientConnection connect(Call<?> call, Deadline deadline) {
    try {
      ClientConnection connection = connector.connect(deadline);
      all.add(connection);
      // close() may have passed over the set before this one was in it.
      if (closed) drop(connection);
      return connection;
    } catch (IOException e) {
      throw failure(call, e);
    }
  }

  /** Whether an exchange that broke off may be had once more; a silent server is none to ask. */
  private boolean mayRepeat(Call<?> call, IOException broken) {
    return call.exchange instanceof Repeatable
        && !(broken instanceof SocketTimeoutException)
        && !closed
        && !Thread.currentThread().isInterrupted();
  }

  /**
   * A connection in place of one that broke. A server that is gone refuses it at once; one that
   * gives none soon is as good as gone, and what broke is what is told.
   */
  private ClientConnection replace(Call<?> call, Deadline deadline, IOException broken) {
    long nanos = Math.clamp(deadline.nanos(), 0, REPLACEMENT.toNanos());
    try {
      return connect(call, Deadline.after(Duration.ofNanos(nanos)));
    } catch (StoreException e) {
      StoreException failure = failure(call, broken);
      failure.addSuppressed(e);
      throw failure;
    }
  }

  private ClientConnection takeIdle() {
    synchronized (idle) {
      return idle.pollLast();
    }
  }

  private void putIdle(ClientConnection connection) {
    synchronized (idle) {
      if (!closed && connection.isOpen() && idle.size() < IDLE) {
        idle.add(connection);
        return;
      }
    }
    drop(connection);
  }

  private void drop(ClientConnection connection) {
    all.remove(connection);
    connection.close();
  }

  private StoreException failure(Call<?> call, IOException cause) {
    String what = describe(call);
    if (Thread.currentThread().isInterrupted()) return Interrupts.during(what, cause);
    if (closed) return new StoreException(what + ": store was closed meanwhile", cause);
    if (cause instanceof SocketTimeoutException) return timedOut(call);
    return new StoreException(
        what + ": connection lost (the server is gone, or refused this): " + cause.getMessage(),
        cause);
  }

  private StoreTimeoutException timedOut(Call<?> call) {
    return new StoreTimeoutException(
        call.toString(), List.of(), call.deadline.timeout(), toString());
  }

  private String describe(Call<?> call) {
    return call + " at " + this;
  }
}
