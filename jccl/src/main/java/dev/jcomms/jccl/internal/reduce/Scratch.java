package dev.jcomms.jccl.internal.reduce;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The blocks a kernel works in: arrays of each primitive type, made when first asked for.
 *
 * <p>A block has {@link #ELEMENTS} elements: two of the widest type fill half of a first-level
 * cache, so that what is written to a block is read from the cache again.
 */
public final class Scratch {
  /** Elements of a block. */
  public static final int ELEMENTS = 2048;

  /** Elements of the block of native memory: as long as the first-level cache holds it as f32. */
  public static final int MEMORY_ELEMENTS = 8192;

  private final float[][] floats = new float[2][];
  private final double[][] doubles = new double[2][];
  private final long[][] longs = new long[2][];
  private final int[][] ints = new int[2][];
  private final short[][] shorts = new short[2][];
  private final byte[][] bytes = new byte[2][];
  private MemorySegment memory;

  float[] floats(int which) {
    return floats[which] != null ? floats[which] : (floats[which] = new float[ELEMENTS]);
  }

  double[] doubles(int which) {
    return doubles[which] != null ? doubles[which] : (doubles[which] = new double[ELEMENTS]);
  }

  long[] longs(int which) {
    return longs[which] != null ? longs[which] : (longs[which] = new long[ELEMENTS]);
  }

  int[] ints(int which) {
    return ints[which] != null ? ints[which] : (ints[which] = new int[ELEMENTS]);
  }

  short[] shorts(int which) {
    return shorts[which] != null ? shorts[which] : (shorts[which] = new short[ELEMENTS]);
  }

  byte[] bytes(int which) {
    return bytes[which] != null ? bytes[which] : (bytes[which] = new byte[ELEMENTS]);
  }

  /** {@link #MEMORY_ELEMENTS} elements of any type in native memory. */
  public MemorySegment memory() {
    if (memory == null) {
      memory = Arena.ofAuto().allocate(MEMORY_ELEMENTS * 8L, 64);
    }
    return memory;
  }
}
