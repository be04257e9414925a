package dev.jcomms.internal.bootstrap;

import dev.jcomms.BootstrapException;
import dev.jcomms.InitHandle;
import dev.jcomms.Setting;
import dev.jcomms.spi.MasterAddress;
import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreSecret;
import dev.jcomms.store.TcpStore;
import dev.jcomms.store.TcpStoreOptions;
import dev.jcomms.store.TcpStoreServer;
import dev.jcomms.store.TcpStoreServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A store of this rank's own, started when its handle is first asked for, at which a communicator
 * can be built anew after others were lost. It outlives the communicator: what is built there owns
 * it too.
 */
public final class MeetingPoint {
  private final Map<String, String> environment;
  private final Optional<StoreSecret> secret;
  private TcpStoreServer server;
  private InitHandle handle;
  private int owners = 1;

  private MeetingPoint(Map<String, String> environment, Optional<StoreSecret> secret) {
    this.environment = environment;
    this.secret = secret;
  }

  /** A meeting point that is not open yet. */
  public static MeetingPoint of(Map<String, String> environment, Lodging lodging) {
    return new MeetingPoint(environment, lodging.secret());
  }

  /** Where this rank can be met. */
  public synchronized InitHandle handle() {
    if (handle == null) {
      TcpStoreServerOptions options = TcpStoreServerOptions.defaults().address(reachable());
      server = TcpStoreServer.start(secret.map(options::secret).orElse(options));
      handle =
          new InitHandle(
              "jcomms1:"
                  + UUID.randomUUID()
                  + "@"
                  + literal(options.address())
                  + ":"
                  + server.port());
    }
    return handle;
  }

  /**
   * Joins the ranks that meet at {@code host}, for a communicator that is to own this meeting point
   * too.
   */
  public Lodging join(InitHandle host, int rank, int size, String uuid, Duration timeout) {
    int colon = host.address().lastIndexOf(':');
    TcpStoreOptions options = TcpStoreOptions.defaults().timeout(timeout);
    Lodging lodging;
    try {
      TcpStore store =
          TcpStore.connect(
              onOwnLink(host.address().substring(0, colon)),
              Integer.parseInt(host.address().substring(colon + 1)),
              secret.map(options::secret).orElse(options));
      lodging =
          new Lodging(store, secret)
              .tidy(store::close)
              .partTogether("jcomms/" + uuid + "/farewell", rank, size, rank == 0);
    } catch (StoreException e) {
      throw new BootstrapException(
          "nobody is met at " + host + ", the first handle: " + e.getMessage(), Set.of(0), e);
    }
    synchronized (this) {
      owners++;
    }
    return lodging;
  }

  /** An address for other hosts, to which the name of an interface of this one means nothing. */
  static String literal(InetAddress address) {
    String text = address.getHostAddress();
    int scope = text.indexOf('%');
    return scope < 0 ? text : text.substring(0, scope);
  }

  /** What {@link #literal} gave, as this host reaches it: a link-local peer is on the same link. */
  private String onOwnLink(String literal) {
    return literal.startsWith("fe80:") ? scoped(literal, reachable()) : literal;
  }

  static String scoped(String literal, InetAddress own) {
    return own instanceof Inet6Address on && on.getScopeId() != 0
        ? literal + "%" + on.getScopeId()
        : literal;
  }

  /** One owner less; the last one closes it. */
  public synchronized void close() {
    if (--owners == 0 && server != null) {
      server.close();
    }
  }

  /**
   * The address of this host that the other ranks can reach: the one from which the master is
   * reached.
   */
  private InetAddress reachable() {
    String master = Setting.MASTER_ADDR.in(environment).text();
    if (master.isEmpty()) {
      return InetAddress.getLoopbackAddress();
    }
    try {
      MasterAddress address = MasterAddress.of(master);
      if (secret.isPresent()) {
        return address.reachable();
      }
      if (!address.address().isLoopbackAddress()) {
        throw new IllegalStateException(
            "init handle: MASTER_ADDR="
                + master
                + " is not on this host, and a store that others can reach needs a secret; set the same JCOMMS_SECRET"
                + " for every rank");
      }
      return address.address();
    } catch (IOException e) {
      throw new UncheckedIOException("no address towards MASTER_ADDR=" + master, e);
    }
  }
}
