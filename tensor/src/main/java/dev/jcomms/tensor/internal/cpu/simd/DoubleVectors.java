package dev.jcomms.tensor.internal.cpu.simd;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/** Functions of vectors of doubles, by name. */
final class DoubleVectors {
  private DoubleVectors() {}

  /** Null if there is none. */
  static DoubleVectorFunction of(String name) {
    return switch (name) {
      case "add" -> (a, b, _, p, _) -> b.fma(p, a);
      case "mul" -> (a, b, _, _, _) -> a.mul(b);
      case "div" -> (a, b, _, _, _) -> a.div(b);
      case "addcmul" -> (a, b, c, p, _) -> a.add(p.mul(b).mul(c));
      case "addcdiv" -> (a, b, c, p, _) -> a.add(p.mul(b).div(c));
      case "lerp" -> (a, b, w, _, _) -> lerp(a, b, w);
      case "abs" -> (a, _, _, _, _) -> a.abs();
      case "neg" -> (a, _, _, _, _) -> a.neg();
      case "sqrt" -> (a, _, _, _, _) -> a.sqrt();
      case "rsqrt" -> (a, _, _, _, _) -> one(a).div(a.sqrt());
      case "reciprocal" -> (a, _, _, _, _) -> one(a).div(a);
      case "square" -> (a, _, _, _, _) -> a.mul(a);
      case "cube" -> (a, _, _, _, _) -> a.mul(a).mul(a);
      case "distance" -> (a, _, _, p, _) -> a.sub(p);
      case "squared_distance" -> (a, _, _, p, _) -> a.sub(p).mul(a.sub(p));
      case "maximum" -> (a, b, _, _, _) -> a.max(b);
      case "minimum" -> (a, b, _, _, _) -> a.min(b);
      case "clamp" -> (a, _, _, p, q) -> a.max(p).min(q);
      case "clamp_tensor" -> (a, b, c, _, _) -> a.max(b).min(c);
      case "clamp_min" -> (a, _, _, p, _) -> a.max(p);
      case "clamp_max" -> (a, _, _, p, _) -> a.min(p);
      case "relu" -> (a, _, _, _, _) -> a.max(0);
      case "leaky_relu" -> (a, _, _, p, _) -> a.mul(p).blend(a, a.compare(VectorOperators.GT, 0));
      case "threshold_backward" -> (a, b, _, p, _) -> a.blend(0, b.compare(VectorOperators.LE, p));
      case "sigmoid_backward" -> (a, b, _, _, _) -> a.mul(one(b).sub(b)).mul(b);
      case "tanh_backward" -> (a, b, _, _, _) -> a.mul(one(b).sub(b.mul(b)));
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

  private static DoubleVector lerp(DoubleVector a, DoubleVector b, DoubleVector w) {
    DoubleVector span = b.sub(a);
    DoubleVector low = a.add(w.mul(span));
    DoubleVector high = b.sub(span.mul(one(w).sub(w)));
    return high.blend(low, w.abs().compare(VectorOperators.LT, 0.5));
  }

  private static DoubleVector one(DoubleVector like) {
    return DoubleVector.broadcast(like.species(), 1);
  }

  private static DoubleVector truth(DoubleVector like, VectorMask<Double> mask) {
    return DoubleVector.zero(like.species()).blend(1, mask);
  }
}
