package dev.jcomms.jccl.internal.reduce;

import java.lang.foreign.MemorySegment;

/**
 * Makes every NaN of a block the canonical one.
 *
 * <p>What bits a NaN has depends on the machine and on the order in which a compiler put the
 * operands; ranks that compute the same thing are to get the same bits. NaNs are rare, so blocks
 * are searched first, as words: a magnitude above that of infinity, plus the difference to a power
 * of two, carries into the sign bit. That is a third of the time of a comparison per element.
 */
final class NanScan {
  private static final long HALF_MAGNITUDE = 0x7fff7fff_7fff7fffL;
  private static final long HALF_ABOVE_INFINITY = 0x03ff03ff_03ff03ffL;
  private static final long FLOAT_MAGNITUDE = 0x7fffffff_7fffffffL;
  private static final long FLOAT_ABOVE_INFINITY = 0x007fffff_007fffffL;
  private static final long DOUBLE_MAGNITUDE = 0x7fffffff_ffffffffL;
  private static final long DOUBLE_ABOVE_INFINITY = 0x000fffff_ffffffffL;

  /** Up to so many elements a comparison each costs less than getting at them as words. */
  private static final int SHORT = 256;

  private NanScan() {}

  /** For f16. */
  static void canonise(short[] block, int count, Scratch scratch) {
    int fours = count / 4;
    boolean found =
        scan(
            words(MemorySegment.ofArray(block), fours * (long) Long.BYTES, scratch),
            fours,
            HALF_MAGNITUDE,
            HALF_ABOVE_INFINITY);
    for (int i = found ? 0 : 4 * fours; i < count; i++) {
      block[i] = (block[i] & 0x7fff) > 0x7c00 ? 0x7e00 : block[i];
    }
  }

  static void canonise(float[] block, int count, Scratch scratch) {
    if (count <= SHORT) {
      for (int i = 0; i < count; i++) {
        block[i] = block[i] != block[i] ? Float.NaN : block[i];
      }
      return;
    }
    int even = count & ~1;
    boolean found = count > even && block[even] != block[even];
    found |=
        scan(
            words(MemorySegment.ofArray(block), (long) even * Float.BYTES, scratch),
            even / 2,
            FLOAT_MAGNITUDE,
            FLOAT_ABOVE_INFINITY);
    for (int i = 0; found && i < count; i++) {
      block[i] = block[i] != block[i] ? Float.NaN : block[i];
    }
  }

  static void canonise(double[] block, int count, Scratch scratch) {
    boolean found =
        scan(
            words(MemorySegment.ofArray(block), (long) count * Double.BYTES, scratch),
            count,
            DOUBLE_MAGNITUDE,
            DOUBLE_ABOVE_INFINITY);
    for (int i = 0; found && i < count; i++) {
      block[i] = block[i] != block[i] ? Double.NaN : block[i];
    }
  }

  private static long[] words(MemorySegment block, long bytes, Scratch scratch) {
    long[] words = scratch.longs(0);
    MemorySegment.copy(block, 0, MemorySegment.ofArray(words), 0, bytes);
    return words;
  }

  private static boolean scan(long[] words, int count, long magnitude, long aboveInfinity) {
    long carried = 0;
    for (int i = 0; i < count; i++) {
      carried |= (words[i] & magnitude) + aboveInfinity;
    }
    return (carried & ~magnitude) != 0;
  }
}
