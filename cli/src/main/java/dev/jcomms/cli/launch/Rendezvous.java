package dev.jcomms.cli.launch;

import dev.jcomms.cli.CliException;
import dev.jcomms.spi.MasterAddress;
import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreSecret;
import dev.jcomms.store.TcpStoreServer;
import dev.jcomms.store.TcpStoreServerOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;

/**
 * Where the processes of a job meet: the store, which the launcher of node 0 serves, its secret,
 * and the launchers of the other nodes.
 */
final class Rendezvous implements AutoCloseable {
  private final Optional<TcpStoreServer> server;
  private final int port;
  private final StoreSecret secret;
  private final Nodes nodes;

  private Rendezvous(Optional<TcpStoreServer> server, int port, StoreSecret secret, Nodes nodes) {
    this.server = server;
    this.port = port;
    this.secret = secret;
    this.nodes = nodes;
  }

  static Rendezvous open(
      LaunchSpec spec, Map<String, String> env, BlockingQueue<Event> events, Console console) {
    StoreSecret secret = Secret.of(spec, env);
    Optional<TcpStoreServer> server =
        spec.nodeRank() == 0 ? Optional.of(serve(spec, secret)) : Optional.empty();
    int port = server.map(TcpStoreServer::port).orElseGet(() -> spec.masterPort().getAsInt());
    Nodes nodes =
        spec.nodes() == 1
            ? new SingleNode(events)
            : new StoreNodes(spec, port, secret, events, console, Pulse.Pace.USUAL);
    return new Rendezvous(server, port, secret, nodes);
  }

  private static TcpStoreServer serve(LaunchSpec spec, StoreSecret secret) {
    int port = spec.masterPort().orElse(0);
    try {
      return TcpStoreServer.start(
          TcpStoreServerOptions.defaults()
              .address(listenAt(spec))
              .port(port)
              .secret(secret)
              .open(spec.openStore()));
    } catch (UnknownHostException e) {
      throw CliException.usage(
          "--master-addr=%s: no such host; it must be an address of node 0"
              .formatted(spec.masterAddress()));
    } catch (StoreException e) {
      throw CliException.failure(
          "cannot serve the job's store at %s:%d (%s); --master-addr must be an address of this host, and without --master-port a free port is taken"
              .formatted(spec.masterAddress(), port, e.getMessage()));
    }
  }

  /** Other nodes are to reach it by a host's own name, unless the store is open to all. */
  static InetAddress listenAt(LaunchSpec spec) throws UnknownHostException {
    return MasterAddress.of(spec.masterAddress()).listenAt(spec.nodes() > 1 && !spec.openStore());
  }

  int port() {
    return port;
  }

  StoreSecret secret() {
    return secret;
  }

  Nodes nodes() {
    return nodes;
  }

  @Override
  public void close() {
    nodes.close();
    server.ifPresent(TcpStoreServer::close);
  }
}
