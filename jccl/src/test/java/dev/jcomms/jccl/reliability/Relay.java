package dev.jcomms.jccl.reliability;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A network between ranks that a test can spoil: takes connections and passes their bytes on, and
 * can fall silent without closing anything, swallow the end of a connection, or let bytes through a
 * few at a time. Remembers how each caller began.
 */
final class Relay implements AutoCloseable {
  private static final int REMEMBERED = 256;

  private final ServerSocket listener = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
  private final int target;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final List<ByteArrayOutputStream> beginnings = new CopyOnWriteArrayList<>();
  private final List<AtomicLong> passed = new CopyOnWriteArrayList<>();
  private volatile boolean silent;
  private volatile boolean swallowsEnds;
  private volatile int mostBytes = 1 << 16;

  Relay(int target) throws IOException {
    this.target = target;
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** From now on nothing passes, and nobody is told. */
  void fallSilent() {
    silent = true;
  }

  /** From now on who hangs up is not missed by the other side. */
  void swallowEnds() {
    swallowsEnds = true;
  }

  /** From now on so many bytes pass at a time, each way. */
  void dribble(int bytes) {
    mostBytes = bytes;
  }

  /** What callers have sent first. */
  List<byte[]> beginnings() {
    return beginnings.stream().map(ByteArrayOutputStream::toByteArray).toList();
  }

  /** How many bytes each caller has sent. */
  List<Long> passed() {
    return passed.stream().map(AtomicLong::get).toList();
  }

  private void accept() {
    try {
      while (true) {
        Socket caller = listener.accept();
        sockets.add(caller);
        if (silent) {
          continue; // the connection is made, as by a host whose process is stopped
        }
        Socket called = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.add(called);
        caller.setTcpNoDelay(true);
        called.setTcpNoDelay(true);
        ByteArrayOutputStream beginning = new ByteArrayOutputStream();
        beginnings.add(beginning);
        AtomicLong bytes = new AtomicLong();
        passed.add(bytes);
        Thread.ofVirtual().start(() -> pass(caller, called, beginning, bytes));
        Thread.ofVirtual().start(() -> pass(called, caller, null, new AtomicLong()));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void pass(Socket from, Socket to, ByteArrayOutputStream beginning, AtomicLong count) {
    byte[] bytes = new byte[1 << 16];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n; (n = in.read(bytes, 0, mostBytes)) >= 0; ) {
        if (beginning != null && beginning.size() < REMEMBERED) {
          beginning.write(bytes, 0, Math.min(n, REMEMBERED - beginning.size()));
        }
        if (silent) {
          return;
        }
        count.addAndGet(n);
        out.write(bytes, 0, n);
      }
    } catch (IOException e) {
      // as if it had ended
    }
    if (!silent && !swallowsEnds) {
      close(from);
      close(to);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // nobody will use it
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      // nobody will use it
    }
    sockets.forEach(Relay::close);
  }
}
