package dev.jcomms.tensor.internal.cpu.simd;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/** Functions of vectors of floats, by name. */
final class FloatVectors {
  private FloatVectors() {}

  /** Null if there is none. */
  static FloatVectorFunction of(String name) {
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
      case "exp" -> (a, _, _, _, _) -> FloatVectorMath.exp(a);
      case "log" -> (a, _, _, _, _) -> FloatVectorMath.log(a);
      case "tanh" -> (a, _, _, _, _) -> FloatVectorMath.tanh(a);
      case "sigmoid" -> (a, _, _, _, _) -> FloatVectorMath.sigmoid(a);
      case "silu" -> (a, _, _, _, _) -> a.div(FloatVectorMath.exp(a.neg()).add(1f));
      case "maximum" -> (a, b, _, _, _) -> a.max(b);
      case "minimum" -> (a, b, _, _, _) -> a.min(b);
      case "clamp" -> (a, _, _, p, q) -> a.max(p).min(q);
      case "clamp_tensor" -> (a, b, c, _, _) -> a.max(b).min(c);
      case "clamp_min" -> (a, _, _, p, _) -> a.max(p);
      case "clamp_max" -> (a, _, _, p, _) -> a.min(p);
      case "relu" -> (a, _, _, _, _) -> a.max(0f);
      case "leaky_relu" -> (a, _, _, p, _) -> a.mul(p).blend(a, a.compare(VectorOperators.GT, 0f));
      case "threshold_backward" -> (a, b, _, p, _) -> a.blend(0f, b.compare(VectorOperators.LE, p));
      case "sigmoid_backward" -> (a, b, _, _, _) -> a.mul(one(b).sub(b)).mul(b);
      case "tanh_backward" -> (a, b, _, _, _) -> a.mul(one(b).sub(b.mul(b)));
      case "eq" -> (a, b, _, _, _) -> truth(a, a.compare(VectorOperators.EQ, b));
      case "ne" -> (a, b, _, _, _) -> truth(a, a.compare(VectorOperators.NE, b));
      case "lt" -> (a, b, _, _, _) -> truth(a, a.compare(VectorOperators.LT, b));
      case "le" -> (a, b, _, _, _) -> truth(a, a.compare(VectorOperators.LE, b));
      case "gt" -> (a, b, _, _, _) -> truth(a, a.compare(VectorOperators.GT, b));
      case "ge" -> (a, b, _, _, _) -> truth(a, a.compare(VectorOperators.GE, b));
      case "where" -> (a, b, c, _, _) -> c.blend(b, a.compare(VectorOperators.NE, 0f));
      default -> null;
    };
  }

  /**
   * A function by way of a power of e, in two parts: the first gives the exponent, the second gets
   * the power as {@code c}. Null if it is not one of those.
   */
  static FloatVectorFunction[] stages(String name) {
    return switch (name) {
      case "erf" ->
          stages(
              (a, _, _, _, _) -> FloatVectorMath.erfPower(a),
              (a, _, t, _, _) -> FloatVectorMath.erf(a, t));
      case "gelu" ->
          stages(
              (a, _, _, _, _) -> FloatVectorMath.erfPower(FloatVectorMath.rootHalf(a)),
              (a, _, t, _, _) -> FloatVectorMath.gelu(a, t));
      case "gelu_tanh" ->
          stages(
              (a, _, _, _, _) -> FloatVectorMath.tanhPower(FloatVectorMath.geluInner(a)),
              (a, _, t, _, _) -> FloatVectorMath.geluTanh(a, t));
      case "silu_backward" ->
          stages(
              (_, b, _, _, _) -> b.neg(),
              (a, b, t, _, _) -> siluBackward(a, b, one(t).div(t.add(1f))));
      default -> null;
    };
  }

  private static FloatVectorFunction[] stages(
      FloatVectorFunction first, FloatVectorFunction second) {
    return new FloatVectorFunction[] {first, second};
  }

  private static FloatVector siluBackward(FloatVector grad, FloatVector x, FloatVector s) {
    return grad.mul(s).mul(x.mul(one(s).sub(s)).add(1f));
  }

  private static FloatVector lerp(FloatVector a, FloatVector b, FloatVector w) {
    FloatVector span = b.sub(a);
    FloatVector low = a.add(w.mul(span));
    FloatVector high = b.sub(span.mul(one(w).sub(w)));
    return high.blend(low, w.abs().compare(VectorOperators.LT, 0.5f));
  }

  private static FloatVector one(FloatVector like) {
    return FloatVector.broadcast(like.species(), 1f);
  }

  private static FloatVector truth(FloatVector like, VectorMask<Float> mask) {
    return FloatVector.zero(like.species()).blend(1f, mask);
  }
}
