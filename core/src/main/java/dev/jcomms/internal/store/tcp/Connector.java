package dev.jcomms.internal.store.tcp;

import dev.jcomms.internal.store.Deadline;
import dev.jcomms.internal.store.Interrupts;
import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreSecret;
import dev.jcomms.store.TcpStoreOptions;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Makes connections to one server, with the handshake that its options ask for. */
final class Connector {
  private static final Duration ATTEMPT = Duration.ofSeconds(10);
  private static final Duration PROBE = Duration.ofSeconds(1);
  private static final long FIRST_PAUSE_MILLIS = 10;
  private static final long LAST_PAUSE_MILLIS = 1000;

  /**
   * So many times in a row, some five seconds in all, are no accident: a proxy before a server that
   * is not up yet turns us away, too.
   */
  private static final int TURNED_AWAY = 10;

  /** The server closed the connection in the handshake. */
  private static final class TurnedAwayException extends StoreException {
    private static final long serialVersionUID = 1;

    TurnedAwayException(String message, IOException cause) {
      super(message, cause);
    }
  }

  private final String host;
  private final int port;
  private final TcpStoreOptions options;

  Connector(String host, int port, TcpStoreOptions options) {
    this.host = host;
    this.port = port;
    this.options = options;
  }

  /**
   * Tries until the server is there or the deadline has passed. One that turns us away time and
   * again means it; once may be the end of a server whose place another takes.
   */
  ClientConnection connectPatiently(Deadline deadline) {
    long pause = FIRST_PAUSE_MILLIS;
    int turnedAway = 0;
    while (true) {
      try {
        return connect(deadline);
      } catch (TurnedAwayException e) {
        if (++turnedAway == TURNED_AWAY || deadline.passed()) throw e;
        if (turnedAway == 1) pause = FIRST_PAUSE_MILLIS;
        pause(pause, deadline);
        pause *= 2;
      } catch (IOException e) {
        turnedAway = 0;
        if (Thread.currentThread().isInterrupted())
          throw Interrupts.during("connect to " + this, e);
        if (deadline.passed()) throw notReached(deadline, e);
        pause(pause, deadline);
        pause = Math.min(2 * pause, LAST_PAUSE_MILLIS);
      }
    }
  }

  /**
   * Tries each of the host's addresses once.
   *
   * @throws IOException if none can be reached
   * @throws StoreException if one was, and would not have us, or is not to be trusted
   */
  ClientConnection connect(Deadline deadline) throws IOException {
    IOException failure = null;
    for (InetAddress address : InetAddress.getAllByName(host)) {
      try {
        return greet(new InetSocketAddress(address, port), deadline);
      } catch (IOException e) {
        if (failure == null) failure = e;
        else failure.addSuppressed(e);
      }
    }
    throw failure;
  }

  /** Whether nobody listens there: the host answers, and that is what it says. */
  static boolean isNobodyAt(InetSocketAddress address) {
    try (SocketChannel channel = SocketChannel.open()) {
      channel.socket().connect(address, (int) PROBE.toMillis());
      return false;
    } catch (ConnectException e) {
      return true;
    } catch (IOException e) {
      return false; // Who does not hear a host knows nothing of it.
    }
  }

  @Override
  public String toString() {
    return options.name() + "[" + host + ":" + port + "]";
  }

  private ClientConnection greet(InetSocketAddress address, Deadline deadline) throws IOException {
    ClientConnection connection = open(address, deadline);
    StoreSecret secret = options.secret().orElse(null);
    try {
      if (secret == null) {
        Handshake.plain(connection);
      } else if (!Handshake.secret(connection, secret) && !options.plainServer()) {
        throw new StoreException(
            this + " has no secret to prove; TcpStoreOptions.plainServer would accept that");
      }
      return connection;
    } catch (StoreException e) {
      connection.close();
      throw e;
    } catch (EOFException | SocketException e) {
      connection.close();
      if (secret != null && options.plainServer()) return greetPlainly(address, deadline);
      throw turnedAway(e);
    } catch (IOException e) {
      connection.close();
      throw e;
    }
  }

  /** For a server that closes the connection on an opcode it does not know, as PyTorch's do. */
  private ClientConnection greetPlainly(InetSocketAddress address, Deadline deadline)
      throws IOException {
    ClientConnection connection = open(address, deadline);
    try {
      Handshake.plain(connection);
      return connection;
    } catch (EOFException | SocketException e) {
      connection.close();
      throw turnedAway(e);
    } catch (IOException e) {
      connection.close();
      throw e;
    }
  }

  private static ClientConnection open(InetSocketAddress address, Deadline deadline)
      throws IOException {
    long nanos = Math.clamp(deadline.nanos(), 1, ATTEMPT.toNanos());
    return ClientConnection.open(address, Deadline.after(Duration.ofNanos(nanos))).begin(deadline);
  }

  private TurnedAwayException turnedAway(IOException cause) {
    String guess =
        options.secret().isPresent()
            ? "the secrets differ, or it knows no secrets"
            : "it demands a secret, or is full";
    return new TurnedAwayException(
        this + " closed the connection in the handshake: " + guess, cause);
  }

  private StoreException notReached(Deadline deadline, IOException cause) {
    double seconds = deadline.timeout().toMillis() / 1000.0;
    return new StoreException(
        "no store at " + this + " within " + seconds + " s: " + cause.getMessage(), cause);
  }

  private void pause(long millis, Deadline deadline) {
    long jittered = millis / 2 + ThreadLocalRandom.current().nextLong(millis / 2 + 1);
    try {
      Thread.sleep(Math.min(jittered, deadline.millis()));
    } catch (InterruptedException e) {
      throw Interrupts.during("connect to " + this, e);
    }
  }
}
