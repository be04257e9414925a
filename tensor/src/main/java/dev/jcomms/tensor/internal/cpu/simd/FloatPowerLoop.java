package dev.jcomms.tensor.internal.cpu.simd;

import static dev.jcomms.tensor.internal.cpu.DoubleMath.*;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import dev.jcomms.tensor.internal.cpu.FloatMath;
import dev.jcomms.tensor.internal.cpu.Memory;
import dev.jcomms.tensor.internal.cpu.Scratch;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * {@link FloatMath#pow} on vectors, in three loops over a few hundred elements: a logarithm times
 * the exponent in double, its power of two as a float, and the cases that are neither.
 */
final class FloatPowerLoop {
  private static final VectorSpecies<Float> F = FloatVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Double> D = DoubleVector.SPECIES_PREFERRED;

  /** As many floats as there are doubles. */
  private static final VectorSpecies<Float> HALF =
      VectorSpecies.of(float.class, VectorShape.forBitSize(D.vectorBitSize() / 2));

  private static final MemorySegment ALL = Memory.ALL;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final int PIECE = 256;

  private static final DoubleVector V_A0 = of(A0);
  private static final DoubleVector V_A1 = of(A1);
  private static final DoubleVector V_A2 = of(A2);
  private static final DoubleVector V_A3 = of(A3);
  private static final DoubleVector V_A4 = of(A4);
  private static final DoubleVector V_A5 = of(A5);
  private static final DoubleVector V_B0 = of(B0);
  private static final DoubleVector V_B1 = of(B1);
  private static final DoubleVector V_B2 = of(B2);
  private static final DoubleVector V_B3 = of(B3);
  private static final DoubleVector V_B4 = of(B4);
  private static final DoubleVector V_B5 = of(B5);
  private static final DoubleVector V_B6 = of(B6);
  private static final DoubleVector V_B7 = of(B7);
  private static final DoubleVector V_B8 = of(B8);
  private static final DoubleVector V_ONE = of(1);
  private static final DoubleVector V_ROUNDER = of(ROUNDER);

  private FloatPowerLoop() {}

  private static DoubleVector of(double value) {
    return DoubleVector.broadcast(D, value);
  }

  static void run(long out, long a, long b, long c, int n, long p, long q) {
    long exponents = Scratch.between();
    long powers = exponents + PIECE * 8L;
    int whole = n - n % F.length();
    for (int i = 0; i < whole; i += PIECE) {
      int count = Math.min(PIECE, whole - i);
      long at = i * 4L;
      exponents(exponents, a + at, b + at, count);
      powers(powers, exponents, count);
      cases(out + at, a + at, b + at, powers, count);
    }
    for (int i = whole; i < n; i++) {
      long at = i * 4L;
      float x = ALL.get(JAVA_FLOAT_UNALIGNED, a + at);
      float y = ALL.get(JAVA_FLOAT_UNALIGNED, b + at);
      ALL.set(JAVA_FLOAT_UNALIGNED, out + at, FloatMath.pow(x, y));
    }
  }

  private static void exponents(long out, long a, long b, int n) {
    for (int i = 0; i < n; i += D.length()) {
      FloatVector x = FloatVector.fromMemorySegment(HALF, ALL, a + i * 4L, ORDER).abs();
      FloatVector y = FloatVector.fromMemorySegment(HALF, ALL, b + i * 4L, ORDER);
      DoubleVector dx = (DoubleVector) x.convertShape(VectorOperators.F2D, D, 0);
      DoubleVector dy = (DoubleVector) y.convertShape(VectorOperators.F2D, D, 0);
      log2(dx).mul(dy).intoMemorySegment(ALL, out + i * 8L, ORDER);
    }
  }

  private static DoubleVector log2(DoubleVector x) {
    LongVector bits = x.reinterpretAsLongs().sub(SQRT_HALF_BITS);
    LongVector exponent = bits.lanewise(VectorOperators.ASHR, 52);
    // A small whole number in the low bits of the rounder, for want of a conversion on some CPUs.
    DoubleVector k = exponent.add(ROUNDER_BITS).reinterpretAsDoubles().sub(V_ROUNDER);
    DoubleVector m = bits.and(0xfffffffffffffL).add(SQRT_HALF_BITS).reinterpretAsDoubles();
    DoubleVector s = m.sub(V_ONE).div(m.add(V_ONE));
    DoubleVector z = s.mul(s);
    DoubleVector u = V_A5.fma(z, V_A4).fma(z, V_A3).fma(z, V_A2).fma(z, V_A1);
    DoubleVector y = u.fma(z, V_A0).fma(s, k);
    y = y.blend(x, x.compare(VectorOperators.EQ, Double.POSITIVE_INFINITY));
    return y.blend(Double.NEGATIVE_INFINITY, x.compare(VectorOperators.EQ, 0));
  }

  private static void powers(long out, long exponents, int n) {
    for (int i = 0; i < n; i += D.length()) {
      DoubleVector x = DoubleVector.fromMemorySegment(D, ALL, exponents + i * 8L, ORDER);
      FloatVector y = (FloatVector) exp2(x).convertShape(VectorOperators.D2F, HALF, 0);
      y.intoMemorySegment(ALL, out + i * 4L, ORDER);
    }
  }

  private static DoubleVector exp2(DoubleVector x) {
    DoubleVector c = x.max(-300).min(300);
    DoubleVector t = c.add(V_ROUNDER);
    LongVector n = t.reinterpretAsLongs().sub(ROUNDER_BITS);
    DoubleVector r = c.sub(t.sub(V_ROUNDER));
    DoubleVector u = V_B8.fma(r, V_B7).fma(r, V_B6).fma(r, V_B5).fma(r, V_B4);
    u = u.fma(r, V_B3).fma(r, V_B2).fma(r, V_B1).fma(r, V_B0);
    return u.mul(n.add(1023).lanewise(VectorOperators.LSHL, 52).reinterpretAsDoubles());
  }

  private static void cases(long out, long a, long b, long powers, int n) {
    for (int i = 0; i < n; i += F.length()) {
      long at = i * 4L;
      FloatVector x = FloatVector.fromMemorySegment(F, ALL, a + at, ORDER);
      FloatVector y = FloatVector.fromMemorySegment(F, ALL, b + at, ORDER);
      FloatVector r = FloatVector.fromMemorySegment(F, ALL, powers + at, ORDER);
      cases(x, y, r).intoMemorySegment(ALL, out + at, ORDER);
    }
  }

  private static FloatVector cases(FloatVector x, FloatVector y, FloatVector power) {
    FloatVector m = x.abs();
    FloatVector size = y.abs();
    IntVector number = (IntVector) y.convert(VectorOperators.F2I, 0);
    FloatVector again = (FloatVector) number.convert(VectorOperators.I2F, 0);
    VectorMask<Float> large = size.compare(VectorOperators.GE, 0x1p24f);
    VectorMask<Float> whole = again.compare(VectorOperators.EQ, y).or(large);
    VectorMask<Float> odd = number.and(1).compare(VectorOperators.NE, 0).cast(F);
    odd = odd.and(whole).andNot(large);
    VectorMask<Float> below = x.reinterpretAsInts().compare(VectorOperators.LT, 0).cast(F);
    FloatVector r = power.blend(power.neg(), below.and(odd));
    VectorMask<Float> finite = m.compare(VectorOperators.NE, Float.POSITIVE_INFINITY);
    VectorMask<Float> negative = x.compare(VectorOperators.LT, 0f);
    r = r.blend(Float.NaN, negative.andNot(whole).and(finite));
    VectorMask<Float> endless = size.compare(VectorOperators.EQ, Float.POSITIVE_INFINITY);
    r = r.blend(1f, m.compare(VectorOperators.EQ, 1f).and(endless));
    VectorMask<Float> nan = x.compare(VectorOperators.NE, x).or(y.compare(VectorOperators.NE, y));
    r = r.blend(Float.NaN, nan);
    VectorMask<Float> one = x.compare(VectorOperators.EQ, 1f);
    return r.blend(1f, one.or(y.compare(VectorOperators.EQ, 0f)));
  }
}
