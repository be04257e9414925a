package dev.jcomms.jccl.internal.reduce.simd;

import dev.jcomms.tensor.DType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** Float lanes, over f32 and bf16. */
@SuppressWarnings("restricted") // views of no more bytes than Reducer has checked
final class FloatLoops {
  private static final Recipe RECIPE = Specialised.recipe(MethodHandles.lookup());
  private static final VectorOperators.Associative OP = RECIPE.op();
  private static final boolean FIRST_SCALED = RECIPE.firstScaled();
  private static final boolean SCALED = RECIPE.scaled();
  private static final boolean DIVIDES = RECIPE.divides();
  private static final boolean FIRST_SMALL = RECIPE.first() == DType.BF16;
  private static final boolean SMALL = RECIPE.in() == DType.BF16;
  private static final boolean OUT_SMALL = RECIPE.out() == DType.BF16;

  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;

  /** As many shorts as there are floats. */
  private static final VectorSpecies<Short> SHORTS =
      VectorSpecies.of(short.class, VectorShape.forBitSize(FLOATS.vectorBitSize() / 2));

  private FloatLoops() {}

  static void one(Step step, int count) {
    MemorySegment a = step.operand(0).reinterpret(count * bytes(FIRST_SMALL));
    MemorySegment out = step.out().reinterpret(count * bytes(OUT_SMALL));
    float f = (float) step.factor(0);
    float divisor = step.divisor();
    for (int i = 0; i < count; i += FLOATS.length()) {
      store(first(a, i, f), divisor, out, i);
    }
  }

  static void two(Step step, int count) {
    MemorySegment a = step.operand(0).reinterpret(count * bytes(FIRST_SMALL));
    MemorySegment b = step.operand(1).reinterpret(count * bytes(SMALL));
    MemorySegment out = step.out().reinterpret(count * bytes(OUT_SMALL));
    float f = (float) step.factor(0);
    float g = (float) step.factor(1);
    float divisor = step.divisor();
    for (int i = 0; i < count; i += FLOATS.length()) {
      store(first(a, i, f).lanewise(OP, next(b, i, g)), divisor, out, i);
    }
  }

  static void three(Step step, int count) {
    MemorySegment a = step.operand(0).reinterpret(count * bytes(FIRST_SMALL));
    MemorySegment b = step.operand(1).reinterpret(count * bytes(SMALL));
    MemorySegment c = step.operand(2).reinterpret(count * bytes(SMALL));
    MemorySegment out = step.out().reinterpret(count * bytes(OUT_SMALL));
    float f = (float) step.factor(0);
    float g = (float) step.factor(1);
    float h = (float) step.factor(2);
    float divisor = step.divisor();
    for (int i = 0; i < count; i += FLOATS.length()) {
      FloatVector acc = first(a, i, f).lanewise(OP, next(b, i, g));
      store(acc.lanewise(OP, next(c, i, h)), divisor, out, i);
    }
  }

  static void four(Step step, int count) {
    MemorySegment a = step.operand(0).reinterpret(count * bytes(FIRST_SMALL));
    MemorySegment b = step.operand(1).reinterpret(count * bytes(SMALL));
    MemorySegment c = step.operand(2).reinterpret(count * bytes(SMALL));
    MemorySegment d = step.operand(3).reinterpret(count * bytes(SMALL));
    MemorySegment out = step.out().reinterpret(count * bytes(OUT_SMALL));
    float f = (float) step.factor(0);
    float g = (float) step.factor(1);
    float h = (float) step.factor(2);
    float k = (float) step.factor(3);
    float divisor = step.divisor();
    for (int i = 0; i < count; i += FLOATS.length()) {
      FloatVector acc = first(a, i, f).lanewise(OP, next(b, i, g));
      acc = acc.lanewise(OP, next(c, i, h)).lanewise(OP, next(d, i, k));
      store(acc, divisor, out, i);
    }
  }

  private static long bytes(boolean small) {
    return small ? Short.BYTES : Float.BYTES;
  }

  private static FloatVector first(MemorySegment segment, int i, float factor) {
    FloatVector v = load(segment, i, FIRST_SMALL);
    return FIRST_SCALED ? v.mul(factor) : v;
  }

  private static FloatVector next(MemorySegment segment, int i, float factor) {
    FloatVector v = load(segment, i, SMALL);
    return SCALED ? v.mul(factor) : v;
  }

  private static FloatVector load(MemorySegment segment, int i, boolean small) {
    if (small) {
      ShortVector shorts =
          ShortVector.fromMemorySegment(SHORTS, segment, (long) i * Short.BYTES, ORDER);
      IntVector ints = (IntVector) shorts.convertShape(VectorOperators.S2I, INTS, 0);
      return ints.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
    }
    return FloatVector.fromMemorySegment(FLOATS, segment, (long) i * Float.BYTES, ORDER);
  }

  private static void store(FloatVector v, float divisor, MemorySegment out, int i) {
    if (DIVIDES) {
      v = v.div(divisor);
    }
    v = v.blend(Float.NaN, v.compare(VectorOperators.NE, v)); // whatever its bits were
    if (OUT_SMALL) {
      IntVector bits = v.reinterpretAsInts();
      IntVector odd = bits.lanewise(VectorOperators.LSHR, 16).and(1);
      IntVector rounded = bits.add(0x7fff).add(odd).lanewise(VectorOperators.LSHR, 16);
      ShortVector shorts = (ShortVector) rounded.convertShape(VectorOperators.I2S, SHORTS, 0);
      shorts.intoMemorySegment(out, (long) i * Short.BYTES, ORDER);
    } else {
      v.intoMemorySegment(out, (long) i * Float.BYTES, ORDER);
    }
  }
}
