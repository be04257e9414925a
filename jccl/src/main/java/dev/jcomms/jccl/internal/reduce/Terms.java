package dev.jcomms.jccl.internal.reduce;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * What a reduction reads: places in memory, in the order in which they are folded.
 *
 * <p>Made once by whoever reduces often, then cleared and filled for each reduction, since it also
 * carries the scratch memory of the kernels. One thread at a time.
 */
public final class Terms {
  private MemorySegment[] segments = new MemorySegment[4];
  private long[] offsets = new long[4];
  private long[] addresses = new long[4];
  private double[] factors = new double[4];
  private int count;
  private final Scratch scratch = new Scratch();

  /** Forgets the terms, and with them their memory. */
  public Terms clear() {
    Arrays.fill(segments, 0, count, null);
    count = 0;
    return this;
  }

  /** The next term: elements from byte {@code at} of {@code segment} on. */
  public Terms add(MemorySegment segment, long at) {
    return add(segment, at, 1);
  }

  /** The next term of a {@code premul_sum}, and its factor; other operations ignore factors. */
  public Terms add(MemorySegment segment, long at, double factor) {
    if (count == segments.length) {
      segments = Arrays.copyOf(segments, 2 * count);
      offsets = Arrays.copyOf(offsets, 2 * count);
      addresses = Arrays.copyOf(addresses, 2 * count);
      factors = Arrays.copyOf(factors, 2 * count);
    }
    segments[count] = segment;
    offsets[count] = at;
    addresses[count] = segment.address() + at;
    factors[count] = factor;
    count++;
    return this;
  }

  public int count() {
    return count;
  }

  public MemorySegment segment(int term) {
    return segments[term];
  }

  /** Where in its segment the term begins, in bytes. */
  public long at(int term) {
    return offsets[term];
  }

  /** Where a term begins in memory; 0-based in its array if it is on the heap. */
  long address(int term) {
    return addresses[term];
  }

  public double factor(int term) {
    return factors[term];
  }

  public Scratch scratch() {
    return scratch;
  }
}
