package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.Generator;

/**
 * Random bits as a function of a seed and a position: Philox 4x32 with ten rounds, from "Parallel
 * Random Numbers: As Easy as 1, 2, 3" (Salmon et al., 2011).
 */
final class Philox {
  private static final int ROUNDS = 10;
  private static final long MULTIPLIER_0 = 0xD2511F53L;
  private static final long MULTIPLIER_1 = 0xCD9E8D57L;
  private static final int WEYL_0 = 0x9E3779B9;
  private static final int WEYL_1 = 0xBB67AE85;
  private static final long LOW = 0xFFFFFFFFL;

  private Philox() {}

  /** Blocks that {@code n} numbers of 64 bits take. */
  static long blocks(long n) {
    return (n + 1) / 2;
  }

  /** Writes {@code n} numbers of 64 bits: those from {@code first}, which is even, on of a draw. */
  static void fill(Generator.State draw, long first, long[] out, int n) {
    for (int i = 0; i < n; i += 2) {
      long block = draw.drawn() + (first + i) / 2;
      int c0 = (int) block;
      int c1 = (int) (block >>> 32);
      int c2 = 0;
      int c3 = 0;
      int k0 = (int) draw.seed();
      int k1 = (int) (draw.seed() >>> 32);
      for (int round = 0; round < ROUNDS; round++) {
        long p0 = MULTIPLIER_0 * (c0 & LOW);
        long p1 = MULTIPLIER_1 * (c2 & LOW);
        c0 = (int) (p1 >>> 32) ^ c1 ^ k0;
        c1 = (int) p1;
        c2 = (int) (p0 >>> 32) ^ c3 ^ k1;
        c3 = (int) p0;
        k0 += WEYL_0;
        k1 += WEYL_1;
      }
      out[i] = c0 & LOW | (long) c1 << 32;
      if (i + 1 < n) {
        out[i + 1] = c2 & LOW | (long) c3 << 32;
      }
    }
  }
}
