package dev.jcomms.cli.bench.measure;

import dev.jcomms.cli.bench.op.Traffic;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.LockSupport;

/**
 * Bytes out by one blocking socket while others come in by another: one thread writes, the caller
 * reads. What is small enough for the sockets' own buffers is written by the caller, too.
 *
 * <p>An iteration's bytes go out when those of the iteration before have come in, as an operation
 * begins when the one before is done.
 */
final class Exchange implements AutoCloseable {
  private static final int SMALL = 32 * 1024;
  private static final int BUFFER = 64 << 20;

  private final SocketChannel out;
  private final SocketChannel in;
  private final ByteBuffer outgoing;
  private final ByteBuffer incoming;
  private final Thread writer;

  /** Written by the caller before {@code due}: how much one message has. */
  private volatile long message;

  /** Messages the writer may have sent by now; only the caller raises it. */
  private volatile long due;

  /** Messages sent; only the writer raises it. */
  private volatile long sent;

  private volatile boolean closed;
  private volatile IOException failure;

  Exchange(SocketChannel out, SocketChannel in, Traffic most) {
    this.out = out;
    this.in = in;
    outgoing = ByteBuffer.allocateDirect(Math.clamp(most.sends(), SMALL, BUFFER));
    incoming = ByteBuffer.allocateDirect(Math.clamp(most.receives(), SMALL, BUFFER));
    writer = Thread.ofPlatform().daemon().name("plain-socket-writer").start(this::write);
  }

  /** Passes so much, so often; returns nanoseconds. */
  long run(Traffic traffic, int iterations) {
    boolean alone = traffic.sends() <= SMALL;
    message = traffic.sends();
    try {
      long begin = System.nanoTime();
      for (int i = 0; i < iterations; i++) {
        if (alone) {
          send(traffic.sends());
        } else {
          due++;
          LockSupport.unpark(writer);
        }
        receive(traffic.receives());
      }
      while (!alone && sent < due && failure == null) Thread.yield();
      long nanos = System.nanoTime() - begin;
      if (failure != null) throw failure;
      return nanos;
    } catch (IOException e) {
      throw new UncheckedIOException("the plain connection broke", e);
    }
  }

  private void write() {
    try {
      while (!closed) {
        if (sent < due) {
          send(message);
          sent++;
        } else {
          LockSupport.park(this);
        }
      }
    } catch (IOException e) {
      if (!closed) failure = e;
    }
  }

  private void send(long bytes) throws IOException {
    for (long left = bytes; left > 0; ) {
      outgoing.clear().limit((int) Math.min(left, outgoing.capacity()));
      while (outgoing.hasRemaining()) left -= out.write(outgoing);
    }
  }

  private void receive(long bytes) throws IOException {
    for (long left = bytes; left > 0; ) {
      incoming.clear().limit((int) Math.min(left, incoming.capacity()));
      while (incoming.hasRemaining()) {
        int count = in.read(incoming);
        if (count < 0) throw new EOFException("the rank before has gone");
        left -= count;
      }
    }
  }

  static void write(SocketChannel channel, byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) channel.write(buffer);
  }

  @Override
  public void close() {
    closed = true;
    try {
      out.close();
      in.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    LockSupport.unpark(writer);
  }
}
