package dev.jcomms.internal.bootstrap;

import dev.jcomms.BootstrapException;
import dev.jcomms.store.StoreSecret;
import dev.jcomms.store.TcpStoreServer;
import dev.jcomms.store.TcpStoreServerOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The stores that rank 0 of a job hosts in this process. A process makes several communicators at
 * one address: the first starts the server, the last stops it.
 */
final class HostedStores {
  private static final Map<String, Hosted> HOSTED = new HashMap<>();

  private static final class Hosted {
    final TcpStoreServer server;
    int holders;

    Hosted(TcpStoreServer server) {
      this.server = server;
    }
  }

  private HostedStores() {}

  /** Sees to it that a server is at the address; what is returned lets go of it again. */
  static Runnable hold(String host, int port, Optional<StoreSecret> secret) {
    String address = host + ":" + port;
    synchronized (HOSTED) {
      HOSTED.computeIfAbsent(address, _ -> new Hosted(start(host, port, secret))).holders++;
    }
    return () -> {
      synchronized (HOSTED) {
        Hosted hosted = HOSTED.get(address);
        if (--hosted.holders == 0) {
          HOSTED.remove(address);
          hosted.server.close();
        }
      }
    };
  }

  private static TcpStoreServer start(String host, int port, Optional<StoreSecret> secret) {
    try {
      // The address that others are told is the one to listen at: loopback stays on this host.
      TcpStoreServerOptions options =
          TcpStoreServerOptions.defaults().address(InetAddress.getByName(host)).port(port);
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
}
