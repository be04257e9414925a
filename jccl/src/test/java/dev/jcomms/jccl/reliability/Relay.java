package dev.jcomms.jccl.reliability;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Takes connections for a rank and passes their bytes on, both ways, as well as its {@link Network}
 * does. Remembers how each caller began.
 */
final class Relay implements AutoCloseable {
  private static final int REMEMBERED = 256;

  /** Reads that are under way at most, each way of a connection. */
  private static final int ON_THE_WAY = 64;

  private final ServerSocket listener = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
  private final int target;
  private final Network network;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final List<ByteArrayOutputStream> beginnings = new CopyOnWriteArrayList<>();
  private final List<AtomicLong> passed = new CopyOnWriteArrayList<>();

  /**
   * What was read, and when it may arrive.
   *
   * @param bytes none at the end of a connection
   */
  private record Parcel(byte[] bytes, long dueNanos) {}

  Relay(int target, Network network) throws IOException {
    this.target = target;
    this.network = network;
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
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
        if (network.isSilent()) {
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
        pass(caller, called, beginning, bytes);
        pass(called, caller, new ByteArrayOutputStream(), new AtomicLong());
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void pass(Socket from, Socket to, ByteArrayOutputStream beginning, AtomicLong count) {
    BlockingQueue<Parcel> parcels = new ArrayBlockingQueue<>(ON_THE_WAY);
    Thread.ofVirtual().start(() -> read(from, parcels, beginning, count));
    Thread.ofVirtual().start(() -> write(parcels, from, to));
  }

  private void read(
      Socket from,
      BlockingQueue<Parcel> parcels,
      ByteArrayOutputStream beginning,
      AtomicLong count) {
    byte[] bytes = new byte[1 << 16];
    try {
      try {
        InputStream in = from.getInputStream();
        for (int n; (n = in.read(bytes, 0, network.mostBytes())) >= 0; ) {
          if (beginning.size() < REMEMBERED) {
            beginning.write(bytes, 0, Math.min(n, REMEMBERED - beginning.size()));
          }
          count.addAndGet(n);
          parcels.put(parcel(Arrays.copyOf(bytes, n)));
        }
      } catch (IOException e) {
        // as if it had ended
      }
      parcels.put(parcel(new byte[0]));
    } catch (InterruptedException e) {
      // nobody will take it
    }
  }

  private Parcel parcel(byte[] bytes) {
    return new Parcel(bytes, System.nanoTime() + network.delay().toNanos());
  }

  private void write(BlockingQueue<Parcel> parcels, Socket from, Socket to) {
    try {
      OutputStream out = to.getOutputStream();
      for (Parcel parcel = arrived(parcels); parcel.bytes.length > 0; parcel = arrived(parcels)) {
        if (network.isSilent()) {
          return;
        }
        out.write(parcel.bytes);
      }
    } catch (IOException e) {
      // as if it had ended
    } catch (InterruptedException e) {
      return;
    }
    if (!network.isSilent() && !network.swallowsEnds()) {
      close(from);
      close(to);
    }
  }

  /** The next, when it may arrive. */
  private Parcel arrived(BlockingQueue<Parcel> parcels) throws InterruptedException {
    Parcel parcel = parcels.take();
    TimeUnit.NANOSECONDS.sleep(parcel.dueNanos - System.nanoTime());
    while (network.isHeld()) {
      Thread.sleep(1);
    }
    return parcel;
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
