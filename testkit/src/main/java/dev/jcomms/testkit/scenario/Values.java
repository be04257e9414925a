package dev.jcomms.testkit.scenario;

import dev.jcomms.tensor.DType;

/**
 * Elements that encode who sends them, to whom, and where they are: whatever is mixed up, shows.
 *
 * <p>All are whole numbers that their dtype holds exactly, and look random.
 */
final class Values {
  private Values() {}

  /** The element at a position of what one rank has for another. */
  static double of(DType dtype, int sender, int receiver, long position) {
    return whole(dtype, reach(dtype), sender, receiver, position);
  }

  /** As {@link #of}, no larger than a bound. */
  static double within(DType dtype, long bound, int sender, int receiver, long position) {
    return whole(dtype, Math.min(bound, reach(dtype)), sender, receiver, position);
  }

  /** How far from zero a dtype counts without a gap, or as far as is of use here. */
  static long reach(DType dtype) {
    return switch (dtype) {
      case F64, I64 -> 1L << 40;
      case F32 -> 1 << 23;
      case F16 -> 2000;
      case BF16 -> 250;
      case I32 -> 1 << 30;
      case I16 -> Short.MAX_VALUE;
      case I8 -> Byte.MAX_VALUE;
      case U8 -> 255;
      case BOOL -> 1;
      case F8E4M3 -> 15;
      case F8E5M2 -> 7;
    };
  }

  static boolean isSigned(DType dtype) {
    return dtype != DType.U8 && dtype != DType.BOOL;
  }

  private static double whole(DType dtype, long bound, int sender, int receiver, long position) {
    long h = hash(sender, receiver, position);
    return isSigned(dtype) ? Math.floorMod(h, 2 * bound + 1) - bound : Math.floorMod(h, bound + 1);
  }

  /** A mixture of the three in which every bit counts. */
  static long hash(int sender, int receiver, long position) {
    long h = sender * 0x9E3779B97F4A7C15L + receiver * 0xC2B2AE3D27D4EB4FL + position;
    h = (h ^ h >>> 30) * 0xBF58476D1CE4E5B9L;
    h = (h ^ h >>> 27) * 0x94D049BB133111EBL;
    return h ^ h >>> 31;
  }
}
