package dev.jcomms.tensor.internal.cpu.simd;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import dev.jcomms.tensor.internal.cpu.FloatFunction;
import dev.jcomms.tensor.internal.cpu.Function;
import dev.jcomms.tensor.internal.cpu.Loop;
import dev.jcomms.tensor.internal.cpu.Memory;
import dev.jcomms.tensor.internal.cpu.Scratch;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import jdk.incubator.vector.FloatVector;

/**
 * A function by way of a power of e that is too long to be compiled in one piece: three loops over
 * a few hundred elements, for the exponent, the power and the rest, with what each has found kept
 * in between. The loops are called through handles that are no constants, or they would be inlined.
 */
final class FloatStagedLoop {
  private static final MemorySegment ALL = Memory.ALL;
  private static final int LANES = FloatVector.SPECIES_PREFERRED.length();
  private static final int PIECE = 512;

  private final FloatFunction scalar;
  private final boolean two;
  private final MethodHandle exponents;
  private final MethodHandle powers;
  private final MethodHandle rest;

  private FloatStagedLoop(
      Function f, FloatVectorFunction exponent, FloatVectorFunction rest, MethodType type) {
    this.scalar = f.floats();
    this.two = f.arity() == 2;
    this.exponents = stage(2, exponent, type);
    this.powers = stage(1, (a, _, _, _, _) -> FloatVectorMath.exp(a), type);
    this.rest = stage(3, rest, type);
  }

  private static MethodHandle stage(int arity, FloatVectorFunction v, MethodType type) {
    Object recipe = new FloatVectorLoop.Recipe(arity, null, v); // only whole vectors
    return Loop.copy(VectorLoops.LOOKUP, FloatVectorLoop.class, recipe, type);
  }

  static MethodHandle of(
      Function f, FloatVectorFunction exponent, FloatVectorFunction rest, MethodType type) {
    try {
      return VectorLoops.LOOKUP.bind(new FloatStagedLoop(f, exponent, rest, type), "run", type);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  void run(long out, long a, long b, long c, int n, long p, long q) throws Throwable {
    long between = Scratch.between();
    int whole = n - n % LANES;
    for (int i = 0; i < whole; i += PIECE) {
      int count = Math.min(PIECE, whole - i);
      long at = i * 4L;
      long second = two ? b + at : a + at;
      exponents.invokeExact(between, a + at, second, 0L, count, p, q);
      powers.invokeExact(between, between, 0L, 0L, count, p, q);
      rest.invokeExact(out + at, a + at, second, between, count, p, q);
    }
    for (int i = whole; i < n; i++) {
      long at = i * 4L;
      float x = ALL.get(JAVA_FLOAT_UNALIGNED, a + at);
      float y = two ? ALL.get(JAVA_FLOAT_UNALIGNED, b + at) : 0;
      float pf = Float.intBitsToFloat((int) p);
      float qf = Float.intBitsToFloat((int) q);
      ALL.set(JAVA_FLOAT_UNALIGNED, out + at, scalar.apply(x, y, 0, pf, qf));
    }
  }
}
