package dev.jcomms.tensor.internal.cpu.simd;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/** Functions of vectors of whole numbers, by name. */
final class WholeVectors {
  private WholeVectors() {}

  /** Null if there is none. */
  static IntVectorFunction ints(String name) {
    return switch (name) {
      case "add" -> (a, b, _, p, _) -> a.add(b.mul(p));
      case "mul" -> (a, b, _, _, _) -> a.mul(b);
      case "abs" -> (a, _, _, _, _) -> a.abs();
      case "neg" -> (a, _, _, _, _) -> a.neg();
      case "maximum" -> (a, b, _, _, _) -> a.max(b);
      case "minimum" -> (a, b, _, _, _) -> a.min(b);
      case "bitwise_and" -> (a, b, _, _, _) -> a.and(b);
      case "bitwise_or" -> (a, b, _, _, _) -> a.or(b);
      case "bitwise_xor" -> (a, b, _, _, _) -> a.lanewise(VectorOperators.XOR, b);
      case "eq" -> (a, b, _, _, _) -> truth(a, a.compare(VectorOperators.EQ, b));
      case "ne" -> (a, b, _, _, _) -> truth(a, a.compare(VectorOperators.NE, b));
      case "lt" -> (a, b, _, _, _) -> truth(a, a.compare(VectorOperators.LT, b));
      case "le" -> (a, b, _, _, _) -> truth(a, a.compare(VectorOperators.LE, b));
      case "gt" -> (a, b, _, _, _) -> truth(a, a.compare(VectorOperators.GT, b));
      case "ge" -> (a, b, _, _, _) -> truth(a, a.compare(VectorOperators.GE, b));
      case "where" -> (a, b, c, _, _) -> c.blend(b, a.compare(VectorOperators.NE, 0));
      default -> null;
    };
  }

  /** Null if there is none: there is no vector instruction for a product of longs. */
  static LongVectorFunction longs(String name) {
    return switch (name) {
      case "abs" -> (a, _, _, _, _) -> a.abs();
      case "neg" -> (a, _, _, _, _) -> a.neg();
      case "maximum" -> (a, b, _, _, _) -> a.max(b);
      case "minimum" -> (a, b, _, _, _) -> a.min(b);
      case "bitwise_and" -> (a, b, _, _, _) -> a.and(b);
      case "bitwise_or" -> (a, b, _, _, _) -> a.or(b);
      case "bitwise_xor" -> (a, b, _, _, _) -> a.lanewise(VectorOperators.XOR, b);
      case "eq" -> (a, b, _, _, _) -> truth(a, a.compare(VectorOperators.EQ, b));
      case "ne" -> (a, b, _, _, _) -> truth(a, a.compare(VectorOperators.NE, b));
      case "lt" -> (a, b, _, _, _) -> truth(a, a.compare(VectorOperators.LT, b));
      case "le" -> (a, b, _, _, _) -> truth(a, a.compare(VectorOperators.LE, b));
      case "gt" -> (a, b, _, _, _) -> truth(a, a.compare(VectorOperators.GT, b));
      case "ge" -> (a, b, _, _, _) -> truth(a, a.compare(VectorOperators.GE, b));
      case "where" -> (a, b, c, _, _) -> c.blend(b, a.compare(VectorOperators.NE, 0));
      default -> null;
    };
  }

  private static IntVector truth(IntVector like, VectorMask<Integer> mask) {
    return IntVector.zero(like.species()).blend(1, mask);
  }

  private static LongVector truth(LongVector like, VectorMask<Long> mask) {
    return LongVector.zero(like.species()).blend(1, mask);
  }
}
