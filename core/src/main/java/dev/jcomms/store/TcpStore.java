package dev.jcomms.store;

import dev.jcomms.internal.store.tcp.TcpClient;
import java.net.InetSocketAddress;
import java.util.Objects;

/**
 * A store reached over TCP, in PyTorch's wire protocol: a client of {@link TcpStoreServer} or of
 * PyTorch's own {@code TCPStore} (libuv or legacy; the legacy one has no queues).
 *
 * <p>Any thread may call any method at any time. Calls that answer at once share one connection and
 * take turns on it, each for a round trip. A call that finds it has to wait moves to a connection
 * of its own, so it never holds up another thread's call. A call that writes returns when the
 * server has the write: it is visible to every later call of every client.
 *
 * <p>A lost connection fails the calls that were on it, with a {@link StoreException}: the server
 * may have done what they asked. The next call connects anew, once. A connection that has stood
 * unused may be lost only because a NAT or a firewall has forgotten it. So calls that only look or
 * wait for keys, {@code set}, {@code multiSet} and {@code multiDelete} are tried once more, on a
 * new connection, if the lost one was made before them. A write that the server had heard already
 * then undoes what another client has written to the key between the two.
 *
 * <p>Keys are at most 8191 bytes of UTF-8, values at most 8 MiB: {@link IllegalArgumentException}.
 */
public sealed interface TcpStore extends Store permits TcpClient {

  /** Where the server is. */
  InetSocketAddress address();

  /**
   * Connects to the store at {@code host:port}, which may come up later than this call: tries until
   * the options' timeout.
   */
  static TcpStore connect(String host, int port, TcpStoreOptions options) {
    Objects.requireNonNull(host, "host");
    if (port <= 0 || port > 0xffff) {
      throw new IllegalArgumentException("store: port=" + port + " is not in 1..65535");
    }
    return TcpClient.connect(host, port, options);
  }

  /** Connects with {@link TcpStoreOptions#defaults()}. */
  static TcpStore connect(String host, int port) {
    return connect(host, port, TcpStoreOptions.defaults());
  }
}
