package dev.jcomms.store;

import dev.jcomms.internal.store.tcp.TcpServer;
import java.net.InetSocketAddress;

/**
 * Serves one store over TCP, in PyTorch's wire protocol, to {@link TcpStore} and to PyTorch's own
 * clients.
 *
 * <p>One daemon thread serves all connections and owns all content; an idle server costs no CPU.
 * Any thread may call these methods.
 *
 * <p>It listens on loopback unless told otherwise. With a secret, nothing is served to a client
 * that has not proved it knows it, by an HMAC challenge that PyTorch's clients do not speak: they
 * are admitted by a server without a secret, or one that is {@link
 * TcpStoreServerOptions#open(boolean) open}. What is sent is neither encrypted nor sealed: the
 * proof keeps strangers out, not those who can alter packets on the way.
 */
public sealed interface TcpStoreServer extends AutoCloseable permits TcpServer {

  /** Starts a server; it listens when this returns. */
  static TcpStoreServer start(TcpStoreServerOptions options) {
    return TcpServer.start(options);
  }

  /** Starts a server with {@link TcpStoreServerOptions#defaults()}. */
  static TcpStoreServer start() {
    return start(TcpStoreServerOptions.defaults());
  }

  /** Where it listens, with the actual port. */
  InetSocketAddress address();

  /** The port it listens on. */
  default int port() {
    return address().getPort();
  }

  /** What it holds at this moment. */
  Usage usage();

  /** Whether it serves: until it is closed, or has failed for good. */
  boolean isServing();

  /** Drops the content and every connection; their callers get an error. Idempotent. */
  @Override
  void close();

  /**
   * What a server holds, by its own account, against its {@link StoreLimits}.
   *
   * @param connections sockets connected, strangers' among them
   * @param admitted those of them that have shown that they belong here: by the secret where one is
   *     demanded, else by the protocol
   * @param keys keys stored, queues not among them
   * @param storedBytes keys, values and queues, with an allowance for each entry
   * @param bufferedBytes held for connections: requests half received, replies not taken, keys
   *     waited for
   */
  record Usage(int connections, int admitted, long keys, long storedBytes, long bufferedBytes) {}
}
