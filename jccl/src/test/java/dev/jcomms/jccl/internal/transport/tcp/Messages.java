package dev.jcomms.jccl.internal.transport.tcp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Messages that tell whether they came where they belong, and memory for them. */
final class Messages {
  private Messages() {}

  /** A byte that says who sent it, to whom, and where it belongs. */
  private static byte mark(int from, int to, long position) {
    return (byte) (31 * from + 17 * to + position * 7 + (position >> 8));
  }

  static MemorySegment message(boolean heap, int from, int to, long bytes) {
    MemorySegment segment = memory(heap, bytes);
    for (long i = 0; i < bytes; i++) {
      segment.set(ValueLayout.JAVA_BYTE, i, mark(from, to, i));
    }
    return segment;
  }

  /** Heap memory of a type that no buffer can show, or native memory. */
  static MemorySegment memory(boolean heap, long bytes) {
    return heap
        ? MemorySegment.ofArray(new float[(int) (bytes + 3) / 4]).asSlice(0, bytes)
        : Arena.ofAuto().allocate(bytes);
  }

  static void assertMessage(MemorySegment segment, int from, int to) {
    for (long i = 0; i < segment.byteSize(); i++) {
      if (segment.get(ValueLayout.JAVA_BYTE, i) != mark(from, to, i)) {
        throw new AssertionError(
            "byte %d of %d from %d to %d".formatted(i, segment.byteSize(), from, to));
      }
    }
  }

  /** Swaps messages with the other rank of a pair. */
  static void meet(Lines pair, MemorySegment out, MemorySegment in) {
    int peer = 1 - pair.rank();
    pair.exchange(peer, out, 0, out.byteSize(), peer, in, 0, in.byteSize());
  }
}
