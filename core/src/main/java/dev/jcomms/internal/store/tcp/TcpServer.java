package dev.jcomms.internal.store.tcp;

import dev.jcomms.store.StoreException;
import dev.jcomms.store.TcpStoreServer;
import dev.jcomms.store.TcpStoreServerOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;

/** A listening socket and the {@link EventLoop} that serves it. */
public final class TcpServer implements TcpStoreServer {
  /** Ranks of a large job connect all at once; the system caps this at its own limit. */
  private static final int BACKLOG = 4096;

  private final InetSocketAddress address;
  private final EventLoop loop;
  private final Thread thread;

  private TcpServer(InetSocketAddress address, EventLoop loop) {
    this.address = address;
    this.loop = loop;
    this.thread =
        Thread.ofPlatform().daemon().name("jcomms-store-" + address.getPort()).start(loop);
  }

  /** Binds and starts. */
  public static TcpServer start(TcpStoreServerOptions options) {
    InetSocketAddress wanted = new InetSocketAddress(options.address(), options.port());
    ServerSocketChannel listener = null;
    Selector selector = null;
    try {
      listener = ServerSocketChannel.open();
      listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      listener.bind(wanted, BACKLOG);
      listener.configureBlocking(false);
      selector = Selector.open();
      EventLoop loop = new EventLoop(options, selector, listener);
      return new TcpServer((InetSocketAddress) listener.getLocalAddress(), loop);
    } catch (RuntimeException | Error e) {
      closeQuietly(listener); // there are no more threads to be had, say
      closeQuietly(selector);
      throw e;
    } catch (IOException e) {
      closeQuietly(listener);
      closeQuietly(selector);
      throw new StoreException(
          "store server cannot listen at " + wanted + ": " + e.getMessage(), e);
    }
  }

  @Override
  public InetSocketAddress address() {
    return address;
  }

  @Override
  public Usage usage() {
    return loop.usage();
  }

  @Override
  public boolean isServing() {
    return thread.isAlive();
  }

  @Override
  public void close() {
    loop.stop();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) Thread.currentThread().interrupt();
  }

  @Override
  public String toString() {
    return "TcpStoreServer[" + address.getAddress().getHostAddress() + ":" + port() + "]";
  }

  private static void closeQuietly(AutoCloseable resource) {
    try {
      if (resource != null) resource.close();
    } catch (Exception e) {
      // The failure that led here is the one to report.
    }
  }
}
