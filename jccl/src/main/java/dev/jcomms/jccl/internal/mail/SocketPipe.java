package dev.jcomms.jccl.internal.mail;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * A pipe through a socket. Small pieces are gathered in a buffer each way; large ones pass between
 * the socket and their memory directly.
 */
final class SocketPipe implements Pipe {
  private static final int BUFFER = 64 << 10;
  private static final int LARGE = 8 << 10;

  /** What a large read takes along of what follows: the next header, not the next payload. */
  private static final int ALONG = 4 * Header.BYTES;

  private final SocketChannel channel;
  private final MemorySegment outMemory;
  private final MemorySegment inMemory;

  /** What was written and has not gone yet: up to its position. */
  private final ByteBuffer out;

  /** What has come and was not read yet: between position and limit. */
  private final ByteBuffer in;

  private boolean ended;

  /**
   * @param channel connected, and this pipe's own from now on
   * @param arena for buffers; closed after the pipe
   */
  SocketPipe(SocketChannel channel, Arena arena) throws IOException {
    this.channel = channel;
    this.outMemory = arena.allocate(BUFFER);
    this.inMemory = arena.allocate(BUFFER);
    this.out = outMemory.asByteBuffer();
    this.in = inMemory.asByteBuffer().limit(0);
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
  }

  @Override
  public long write(MemorySegment from, long at, long bytes) throws IOException {
    if (bytes >= LARGE && from.isNative()) {
      return writeLarge(from, at, bytes);
    }
    long done = 0;
    while (done < bytes) {
      if (!out.hasRemaining() && !flush() && !out.hasRemaining()) {
        break;
      }
      long piece = Math.min(bytes - done, out.remaining());
      MemorySegment.copy(from, at + done, outMemory, out.position(), piece);
      out.position(out.position() + (int) piece);
      done += piece;
    }
    return done;
  }

  private long writeLarge(MemorySegment from, long at, long bytes) throws IOException {
    ByteBuffer large = view(from, at, bytes);
    out.flip();
    try {
      channel.write(new ByteBuffer[] {out, large});
    } finally {
      out.compact();
    }
    return large.position();
  }

  @Override
  public boolean flush() throws IOException {
    if (out.position() == 0) {
      return true;
    }
    out.flip();
    try {
      channel.write(out);
    } finally {
      out.compact();
    }
    return out.position() == 0;
  }

  @Override
  public long read(MemorySegment into, long at, long bytes) throws IOException {
    if (!in.hasRemaining()) {
      if (ended) {
        return END;
      }
      if (bytes >= LARGE && into.isNative()) {
        return readLarge(into, at, bytes);
      }
      in.clear();
      int read = 0;
      try {
        read = channel.read(in);
      } finally {
        in.flip();
      }
      if (read < 0) {
        ended = true;
        return END;
      }
    }
    long given = Math.min(bytes, in.remaining());
    MemorySegment.copy(inMemory, in.position(), into, at, given);
    in.position(in.position() + (int) given);
    return given;
  }

  private long readLarge(MemorySegment into, long at, long bytes) throws IOException {
    ByteBuffer large = view(into, at, bytes);
    in.clear().limit(ALONG);
    long read = 0;
    try {
      read = channel.read(new ByteBuffer[] {large, in});
    } finally {
      in.flip();
    }
    if (read < 0) {
      ended = true;
      return END;
    }
    return large.position();
  }

  private static ByteBuffer view(MemorySegment memory, long at, long bytes) {
    return memory.asSlice(at, Math.min(bytes, Header.MOST_PAYLOAD)).asByteBuffer();
  }

  @Override
  public boolean endMeansLost() {
    return true;
  }

  @Override
  public long eagerBytes() {
    return 64 << 10;
  }

  /** As much as a frame holds: fewer calls of the system. */
  @Override
  public int chunkBytes() {
    return Header.MOST_PAYLOAD;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // Whatever it was, the channel is closed.
    }
  }
}
