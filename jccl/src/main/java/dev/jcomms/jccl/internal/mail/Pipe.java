package dev.jcomms.jccl.internal.mail;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * A stream of bytes to one peer and another one back, neither of which ever waits. One thread at a
 * time.
 */
interface Pipe extends AutoCloseable {
  /** What {@link #read} returns when the peer has closed its end and all has been read. */
  long END = -1;

  /**
   * Takes as many bytes as there is room for, maybe none, and returns how many. The peer sees them
   * after {@link #flush} at the latest.
   */
  long write(MemorySegment from, long at, long bytes) throws IOException;

  /**
   * Shows the peer what was written, and that what was read needs no room any more.
   *
   * @return whether all of it is on its way; if not, the pipe wants to be flushed again
   */
  boolean flush() throws IOException;

  /** Gives as many bytes as are there, and returns how many: 0 for none yet, or {@link #END}. */
  long read(MemorySegment into, long at, long bytes) throws IOException;

  /** Whether a peer that ends its stream without a goodbye is lost, or has only left. */
  boolean endMeansLost();

  /** Bytes of a message that may be sent before anybody has asked for it. */
  long eagerBytes();

  /** Bytes of a frame of a longer message: so much is sent before others get a turn. */
  int chunkBytes();

  /** Closes this end. What was flushed still reaches the peer. */
  @Override
  void close();
}
