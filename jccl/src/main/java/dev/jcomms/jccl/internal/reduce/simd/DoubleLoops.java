package dev.jcomms.jccl.internal.reduce.simd;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Double lanes. */
@SuppressWarnings("restricted") // views of no more bytes than Reducer has checked
final class DoubleLoops {
  private static final Recipe RECIPE = Specialised.recipe(MethodHandles.lookup());
  private static final VectorOperators.Associative OP = RECIPE.op();
  private static final boolean FIRST_SCALED = RECIPE.firstScaled();
  private static final boolean SCALED = RECIPE.scaled();
  private static final boolean DIVIDES = RECIPE.divides();

  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final VectorSpecies<Double> LANES = DoubleVector.SPECIES_PREFERRED;

  private DoubleLoops() {}

  static void two(Step step, int count) {
    int bytes = count * Double.BYTES;
    MemorySegment a = step.operand(0).reinterpret(bytes);
    MemorySegment b = step.operand(1).reinterpret(bytes);
    MemorySegment out = step.out().reinterpret(bytes);
    double f = step.factor(0);
    double g = step.factor(1);
    double divisor = step.divisor();
    for (int i = 0; i < bytes; i += LANES.vectorByteSize()) {
      store(first(a, i, f).lanewise(OP, next(b, i, g)), divisor, out, i);
    }
  }

  static void three(Step step, int count) {
    int bytes = count * Double.BYTES;
    MemorySegment a = step.operand(0).reinterpret(bytes);
    MemorySegment b = step.operand(1).reinterpret(bytes);
    MemorySegment c = step.operand(2).reinterpret(bytes);
    MemorySegment out = step.out().reinterpret(bytes);
    double f = step.factor(0);
    double g = step.factor(1);
    double h = step.factor(2);
    double divisor = step.divisor();
    for (int i = 0; i < bytes; i += LANES.vectorByteSize()) {
      DoubleVector acc = first(a, i, f).lanewise(OP, next(b, i, g));
      store(acc.lanewise(OP, next(c, i, h)), divisor, out, i);
    }
  }

  static void four(Step step, int count) {
    int bytes = count * Double.BYTES;
    MemorySegment a = step.operand(0).reinterpret(bytes);
    MemorySegment b = step.operand(1).reinterpret(bytes);
    MemorySegment c = step.operand(2).reinterpret(bytes);
    MemorySegment d = step.operand(3).reinterpret(bytes);
    MemorySegment out = step.out().reinterpret(bytes);
    double f = step.factor(0);
    double g = step.factor(1);
    double h = step.factor(2);
    double k = step.factor(3);
    double divisor = step.divisor();
    for (int i = 0; i < bytes; i += LANES.vectorByteSize()) {
      DoubleVector acc = first(a, i, f).lanewise(OP, next(b, i, g));
      acc = acc.lanewise(OP, next(c, i, h)).lanewise(OP, next(d, i, k));
      store(acc, divisor, out, i);
    }
  }

  private static DoubleVector first(MemorySegment segment, int i, double factor) {
    DoubleVector v = DoubleVector.fromMemorySegment(LANES, segment, i, ORDER);
    return FIRST_SCALED ? v.mul(factor) : v;
  }

  private static DoubleVector next(MemorySegment segment, int i, double factor) {
    DoubleVector v = DoubleVector.fromMemorySegment(LANES, segment, i, ORDER);
    return SCALED ? v.mul(factor) : v;
  }

  private static void store(DoubleVector v, double divisor, MemorySegment out, int i) {
    if (DIVIDES) {
      v = v.div(divisor);
    }
    v = v.blend(Double.NaN, v.compare(VectorOperators.NE, v)); // whatever its bits were
    v.intoMemorySegment(out, i, ORDER);
  }
}
