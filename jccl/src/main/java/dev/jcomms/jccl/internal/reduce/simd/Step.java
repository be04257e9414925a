package dev.jcomms.jccl.internal.reduce.simd;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** One step of a reduction: up to four operands in native memory, folded into one place. */
final class Step {
  static final int OPERANDS = 4;

  private final MemorySegment[] segments = new MemorySegment[OPERANDS];
  private final long[] offsets = new long[OPERANDS];
  private final double[] factors = new double[OPERANDS];
  private int operands;
  private MemorySegment out;
  private long outAt;
  private final int divisor;

  Step(int divisor) {
    this.divisor = divisor;
  }

  /** Starts over, without operands. */
  Step into(MemorySegment segment, long at) {
    operands = 0;
    out = segment;
    outAt = at;
    return this;
  }

  void add(MemorySegment segment, long at, double factor) {
    segments[operands] = segment;
    offsets[operands] = at;
    factors[operands++] = factor;
  }

  int operands() {
    return operands;
  }

  double factor(int operand) {
    return factors[operand];
  }

  int divisor() {
    return divisor;
  }

  /**
   * The memory of an operand, from its first byte on. A loop calls {@code reinterpret} on it,
   * itself: that result is native memory by declaration. The class of any other segment is guessed
   * from what the JDK's accessors have met anywhere in the process, and where that was native,
   * mapped and heap memory, each access is a virtual call, thirty times slower.
   */
  MemorySegment operand(int operand) {
    return view(segments[operand], offsets[operand]);
  }

  /** The memory of the result, as {@link #operand}. */
  MemorySegment out() {
    return view(out, outAt);
  }

  /** The same memory, under the same scope: still checked for bounds, liveness and thread. */
  @SuppressWarnings("restricted") // no more bytes than the segment has
  private static MemorySegment view(MemorySegment segment, long at) {
    return MemorySegment.ofAddress(segment.address() + at)
        .reinterpret(segment.byteSize() - at, new Borrowed(segment.scope()), null);
  }

  /** Lends a scope: {@code reinterpret} asks an arena for one. */
  private record Borrowed(MemorySegment.Scope scope) implements Arena {
    @Override
    public MemorySegment allocate(long bytes, long alignment) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
      throw new UnsupportedOperationException();
    }
  }
}
