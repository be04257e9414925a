package dev.jcomms.tensor.internal.cpu.simd;

import static dev.jcomms.tensor.internal.cpu.FloatMath.*;

import dev.jcomms.tensor.internal.cpu.FloatMath;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** The functions of {@link FloatMath} on vectors, step by step the same. */
final class FloatVectorMath {
  private static final VectorSpecies<Float> F = FloatVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Integer> I = IntVector.SPECIES_PREFERRED;
  private static final int SIGN = 0x80000000;

  private static final FloatVector V_LOG2_E = of(LOG2_E);
  private static final FloatVector V_ROUNDER = of(ROUNDER);
  private static final FloatVector V_MINUS_LN2_LOW = of(-LN2_LOW);
  private static final FloatVector V_MINUS_LN2_HIGH = of(-LN2_HIGH);
  private static final FloatVector V_E4 = of(E4);
  private static final FloatVector V_E3 = of(E3);
  private static final FloatVector V_E2 = of(E2);
  private static final FloatVector V_E1 = of(E1);
  private static final FloatVector V_E0 = of(E0);
  private static final FloatVector V_L8 = of(L8);
  private static final FloatVector V_L7 = of(L7);
  private static final FloatVector V_L6 = of(L6);
  private static final FloatVector V_L5 = of(L5);
  private static final FloatVector V_L4 = of(L4);
  private static final FloatVector V_L3 = of(L3);
  private static final FloatVector V_L2 = of(L2);
  private static final FloatVector V_L1 = of(L1);
  private static final FloatVector V_L0 = of(L0);
  private static final FloatVector V_MINUS_HALF = of(-0.5f);
  private static final FloatVector V_LN2_HIGH = of(LN2_HIGH);
  private static final FloatVector V_NaN = of(Float.NaN);
  private static final FloatVector V_T5 = of(T5);
  private static final FloatVector V_T4 = of(T4);
  private static final FloatVector V_T3 = of(T3);
  private static final FloatVector V_T2 = of(T2);
  private static final FloatVector V_T1 = of(T1);
  private static final FloatVector V_T0 = of(T0);
  private static final FloatVector V_ONE = of(1f);
  private static final FloatVector V_TWO = of(2f);
  private static final FloatVector V_TWO_BY_PI = of(TWO_BY_PI);
  private static final FloatVector V_MINUS_HALF_PI_3 = of(-HALF_PI_3);
  private static final FloatVector V_MINUS_HALF_PI_2 = of(-HALF_PI_2);
  private static final FloatVector V_MINUS_HALF_PI_1 = of(-HALF_PI_1);
  private static final FloatVector V_S3 = of(S3);
  private static final FloatVector V_S2 = of(S2);
  private static final FloatVector V_S1 = of(S1);
  private static final FloatVector V_S0 = of(S0);
  private static final FloatVector V_C3 = of(C3);
  private static final FloatVector V_C2 = of(C2);
  private static final FloatVector V_C1 = of(C1);
  private static final FloatVector V_C0 = of(C0);
  private static final FloatVector V_F6 = of(F6);
  private static final FloatVector V_F5 = of(F5);
  private static final FloatVector V_F4 = of(F4);
  private static final FloatVector V_F3 = of(F3);
  private static final FloatVector V_F2 = of(F2);
  private static final FloatVector V_F1 = of(F1);
  private static final FloatVector V_F0 = of(F0);
  private static final FloatVector V_G7 = of(G7);
  private static final FloatVector V_G6 = of(G6);
  private static final FloatVector V_G5 = of(G5);
  private static final FloatVector V_G4 = of(G4);
  private static final FloatVector V_G3 = of(G3);
  private static final FloatVector V_G2 = of(G2);
  private static final FloatVector V_G1 = of(G1);
  private static final FloatVector V_G0 = of(G0);
  private static final FloatVector V_EXP_LEAST = of(EXP_LEAST);
  private static final FloatVector V_EXP_MOST = of(EXP_MOST);
  private static final FloatVector V_SCALE = of(0x1p23f);
  private static final FloatVector V_TWENTY_THREE = of(23f);
  private static final FloatVector V_LN2_LOW = of(LN2_LOW);
  private static final FloatVector V_FOUR = of(4f);
  private static final FloatVector V_HALF = of(0.5f);
  private static final FloatVector V_ROOT_HALF = of(0.70710678f);
  private static final FloatVector V_GELU_CUBIC = of(0.044715f);
  private static final FloatVector V_GELU_SCALE = of(0.7978845608f);

  private FloatVectorMath() {}

  private static FloatVector of(float value) {
    return FloatVector.broadcast(F, value);
  }

  static FloatVector exp(FloatVector x) {
    FloatVector c = x.max(V_EXP_LEAST).min(V_EXP_MOST);
    FloatVector t = c.fma(V_LOG2_E, V_ROUNDER);
    IntVector n = t.reinterpretAsInts().sub(ROUNDER_BITS);
    FloatVector k = t.sub(V_ROUNDER);
    FloatVector r = k.fma(V_MINUS_LN2_LOW, k.fma(V_MINUS_LN2_HIGH, c));
    FloatVector e = V_E4.fma(r, V_E3).fma(r, V_E2).fma(r, V_E1).fma(r, V_E0);
    FloatVector y = e.fma(r.mul(r), r).add(V_ONE);
    IntVector half = n.lanewise(VectorOperators.ASHR, 1);
    return y.mul(power2(half)).mul(power2(n.sub(half)));
  }

  private static FloatVector power2(IntVector n) {
    return n.add(127).lanewise(VectorOperators.LSHL, 23).reinterpretAsFloats();
  }

  static FloatVector log(FloatVector x) {
    VectorMask<Float> tiny = x.compare(VectorOperators.LT, Float.MIN_NORMAL);
    FloatVector scaled = x.blend(x.mul(V_SCALE), tiny);
    IntVector bits = scaled.reinterpretAsInts().sub(SQRT_HALF_BITS);
    IntVector exponent = bits.lanewise(VectorOperators.ASHR, 23);
    FloatVector k = (FloatVector) exponent.convert(VectorOperators.I2F, 0);
    k = k.blend(k.sub(V_TWENTY_THREE), tiny);
    FloatVector f = bits.and(0x7fffff).add(SQRT_HALF_BITS).reinterpretAsFloats().sub(V_ONE);
    FloatVector z = f.mul(f);
    FloatVector u = V_L8.fma(f, V_L7).fma(f, V_L6).fma(f, V_L5).fma(f, V_L4);
    u = u.fma(f, V_L3).fma(f, V_L2).fma(f, V_L1).fma(f, V_L0);
    u = u.mul(f).fma(z, k.mul(V_LN2_LOW));
    u = V_MINUS_HALF.fma(z, u);
    FloatVector y = k.fma(V_LN2_HIGH, f.add(u));
    y = y.blend(x, x.compare(VectorOperators.EQ, Float.POSITIVE_INFINITY));
    y = y.blend(Float.NEGATIVE_INFINITY, x.compare(VectorOperators.EQ, 0f));
    return V_NaN.blend(y, x.compare(VectorOperators.GE, 0f));
  }

  static FloatVector tanh(FloatVector x) {
    return tanh(x, exp(tanhPower(x)));
  }

  /** The power of e that {@link #tanh(FloatVector, FloatVector)} takes. */
  static FloatVector tanhPower(FloatVector x) {
    FloatVector m = x.abs();
    return m.add(m);
  }

  static FloatVector tanh(FloatVector x, FloatVector tail) {
    FloatVector z = x.mul(x);
    FloatVector t = V_T5.fma(z, V_T4).fma(z, V_T3).fma(z, V_T2).fma(z, V_T1);
    FloatVector small = t.fma(z, V_T0).mul(z).fma(x, x);
    FloatVector large = V_ONE.sub(V_TWO.div(tail.add(V_ONE)));
    return copySign(large.blend(small, x.abs().compare(VectorOperators.LT, TANH_SMALL)), x);
  }

  static FloatVector sigmoid(FloatVector x) {
    return V_ONE.div(exp(x.neg()).add(V_ONE));
  }

  /** Whether all angles are small enough for {@link #wave}. */
  static boolean areNear(FloatVector x) {
    return x.abs().compare(VectorOperators.LT, ANGLE_MOST).allTrue();
  }

  /** Sines of angles to which so many quarters of a turn are added. */
  static FloatVector wave(FloatVector x, int quarters) {
    FloatVector t = x.fma(V_TWO_BY_PI, V_ROUNDER);
    IntVector n = t.reinterpretAsInts().add(quarters);
    FloatVector k = t.sub(V_ROUNDER);
    FloatVector r = k.fma(V_MINUS_HALF_PI_3, k.fma(V_MINUS_HALF_PI_2, k.fma(V_MINUS_HALF_PI_1, x)));
    FloatVector z = r.mul(r);
    FloatVector s = V_S3.fma(z, V_S2).fma(z, V_S1).fma(z, V_S0);
    FloatVector sine = copySign(s.mul(z).fma(r, r), r);
    FloatVector c = V_C3.fma(z, V_C2).fma(z, V_C1).fma(z, V_C0);
    FloatVector cosine = c.fma(z, V_MINUS_HALF).fma(z, V_ONE);
    VectorMask<Float> even = n.and(1).compare(VectorOperators.EQ, 0).cast(F);
    FloatVector y = cosine.blend(sine, even);
    IntVector sign = n.and(2).lanewise(VectorOperators.LSHL, 30);
    return y.reinterpretAsInts().lanewise(VectorOperators.XOR, sign).reinterpretAsFloats();
  }

  /** The power of e that {@link #erf} takes. */
  static FloatVector erfPower(FloatVector x) {
    FloatVector c = x.abs().min(V_FOUR);
    FloatVector g = V_G7.fma(c, V_G6).fma(c, V_G5).fma(c, V_G4).fma(c, V_G3);
    return g.fma(c, V_G2).fma(c, V_G1).fma(c, V_G0).neg();
  }

  static FloatVector erf(FloatVector x, FloatVector tail) {
    FloatVector z = x.mul(x);
    FloatVector s = V_F6.fma(z, V_F5).fma(z, V_F4).fma(z, V_F3);
    FloatVector small = s.fma(z, V_F2).fma(z, V_F1).fma(z, V_F0).mul(x);
    FloatVector large = V_ONE.sub(tail);
    return copySign(large, x).blend(small, x.abs().compare(VectorOperators.LT, 1f));
  }

  static FloatVector rootHalf(FloatVector x) {
    return x.mul(V_ROOT_HALF);
  }

  static FloatVector gelu(FloatVector x, FloatVector tail) {
    return x.mul(V_HALF).mul(erf(rootHalf(x), tail).add(V_ONE));
  }

  static FloatVector geluInner(FloatVector x) {
    return x.mul(V_GELU_CUBIC).mul(x).fma(x, x).mul(V_GELU_SCALE);
  }

  static FloatVector geluTanh(FloatVector x, FloatVector tail) {
    return x.mul(V_HALF).mul(tanh(geluInner(x), tail).add(V_ONE));
  }

  private static FloatVector copySign(FloatVector magnitude, FloatVector sign) {
    IntVector s = sign.reinterpretAsInts().and(SIGN);
    return magnitude.reinterpretAsInts().and(~SIGN).or(s).reinterpretAsFloats();
  }
}
