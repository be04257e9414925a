package dev.jcomms.internal.bootstrap;

import dev.jcomms.BootstrapException;
import dev.jcomms.spi.MasterAddress;
import dev.jcomms.store.StoreSecret;
import dev.jcomms.store.TcpStoreServer;
import dev.jcomms.store.TcpStoreServerOptions;
import java.lang.System.Logger.Level;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The stores that rank 0 of a job hosts in this process: one for each place, started by the first
 * communicator there and kept until the process ends.
 *
 * <p>Kept, since no moment is right to stop one: a rank that has left one communicator may already
 * be building the next at the same address, before rank 0 has left the first.
 */
final class HostedStores {
  /** A store's server, and what proves a member of its job. */
  record Hosted(TcpStoreServer server, Optional<StoreSecret> secret) {}

  private static final Map<String, Hosted> HOSTED = new HashMap<>();

  private HostedStores() {}

  /** The store at a place, started if this process does not host one there yet. */
  static Hosted at(String place, Supplier<Hosted> start) {
    synchronized (HOSTED) {
      return HOSTED.computeIfAbsent(place, _ -> start.get());
    }
  }

  /** The store at an address that every rank was told. */
  static Hosted at(String host, int port, Optional<StoreSecret> secret) {
    return at(host + ":" + port, () -> new Hosted(start(host, port, secret), secret));
  }

  private static TcpStoreServer start(String host, int port, Optional<StoreSecret> secret) {
    try {
      MasterAddress master = MasterAddress.of(host);
      if (master.isOwnName() && secret.isEmpty()) warn(master);
      TcpStoreServerOptions options =
          TcpStoreServerOptions.defaults().address(master.listenAt(secret.isPresent())).port(port);
      return TcpStoreServer.start(secret.map(options::secret).orElse(options));
    } catch (UnknownHostException e) {
      throw new BootstrapException("MASTER_ADDR=" + host + " is not a known host", Set.of(), e);
    } catch (RuntimeException e) {
      throw new BootstrapException(
          "rank 0 cannot host the store at "
              + host
              + ":"
              + port
              + ": "
              + e.getMessage()
              + "; if somebody else hosts it, set TORCHELASTIC_USE_AGENT_STORE=True",
          Set.of(),
          e);
    }
  }

  /** Ranks on other hosts would dial in vain until their timeout, and none would know why. */
  private static void warn(MasterAddress master) {
    System.getLogger(HostedStores.class.getName())
        .log(
            Level.WARNING,
            "MASTER_ADDR="
                + master.name()
                + " is "
                + master.address().getHostAddress()
                + " on this host: ranks on other hosts cannot reach the store. For them, set"
                + " MASTER_ADDR to an address of this host, or the same JCOMMS_SECRET for every"
                + " rank");
  }
}
