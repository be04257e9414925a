package dev.jcomms.jccl.internal.exec;

import dev.jcomms.OpOptions;
import dev.jcomms.Work;
import dev.jcomms.spi.WindowBackend.RegisteredWindow;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The memory of ranks on other hosts, through a window over each rank's part: the mail at the other
 * end puts bytes in place. What is asked of one rank is done in order, so a count that follows data
 * says that they are there. Any thread.
 */
final class Far implements AutoCloseable {
  /** Packets go in pieces that the mail copies itself: the kernel's copy may tear a long. */
  private static final long PIECE = 4 << 10;

  private final RegisteredWindow window;

  /** What was last told of each number that only this rank writes. */
  private final Map<Long, Long> told = new HashMap<>();

  private OpOptions options = OpOptions.DEFAULT;

  Far(RegisteredWindow window) {
    this.window = window;
  }

  /** How long what is asked from now on may take. */
  void patience(Duration timeout) {
    options = OpOptions.timeout(timeout);
  }

  Work put(MemorySegment from, long at, long bytes, int rank, long offset) {
    return window.put(bytes(from, at, bytes), rank, offset, options);
  }

  /** Puts packets; the work is that of the last of them. */
  Work putPackets(MemorySegment packets, int rank, long offset) {
    Work last = Work.completed();
    for (long at = 0; at < packets.byteSize(); at += PIECE) {
      long bytes = Math.min(PIECE, packets.byteSize() - at);
      last = window.put(bytes(packets, at, bytes), rank, offset + at, options);
    }
    return last;
  }

  Work get(MemorySegment into, int rank, long offset) {
    return window.get(bytes(into, 0, into.byteSize()), rank, offset, options);
  }

  Work flush(int rank) {
    return window.flush(rank, options);
  }

  /** Adds one to a count that nobody else writes. Blocks that share a channel come in turn. */
  synchronized void add(int rank, long offset) {
    tell(rank, offset, told.getOrDefault((long) rank << 44 | offset, 0L) + 1);
  }

  /** Sets a number that nobody else writes. */
  synchronized void tell(int rank, long offset, long value) {
    told.put((long) rank << 44 | offset, value);
    MemorySegment number = Arena.ofAuto().allocate(8, 8);
    number.set(ValueLayout.JAVA_LONG, 0, value);
    window.put(bytes(number, 0, 8), rank, offset, options);
  }

  private static Tensor bytes(MemorySegment memory, long at, long bytes) {
    return Tensor.wrap(memory.asSlice(at, bytes), DType.U8, Shape.of(bytes));
  }

  /** Collective. */
  @Override
  public void close() {
    window.close();
  }
}
