package dev.jcomms.jccl.internal.reduce.simd;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Byte lanes. Unsigned ones are compared with their sign bits flipped, which every machine can do.
 */
@SuppressWarnings("restricted") // views of no more bytes than Reducer has checked
final class ByteLoops {
  private static final Recipe RECIPE = Specialised.recipe(MethodHandles.lookup());
  private static final VectorOperators.Associative OP = RECIPE.op();
  private static final boolean UNSIGNED = RECIPE.unsigned();
  private static final byte SIGN = (byte) 0x80;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final VectorSpecies<Byte> LANES = ByteVector.SPECIES_PREFERRED;

  private ByteLoops() {}

  static void two(Step step, int count) {
    MemorySegment a = step.operand(0).reinterpret(count);
    MemorySegment b = step.operand(1).reinterpret(count);
    MemorySegment out = step.out().reinterpret(count);
    for (int i = 0; i < count; i += LANES.vectorByteSize()) {
      store(load(a, i).lanewise(OP, load(b, i)), out, i);
    }
  }

  static void three(Step step, int count) {
    MemorySegment a = step.operand(0).reinterpret(count);
    MemorySegment b = step.operand(1).reinterpret(count);
    MemorySegment c = step.operand(2).reinterpret(count);
    MemorySegment out = step.out().reinterpret(count);
    for (int i = 0; i < count; i += LANES.vectorByteSize()) {
      ByteVector acc = load(a, i).lanewise(OP, load(b, i));
      store(acc.lanewise(OP, load(c, i)), out, i);
    }
  }

  static void four(Step step, int count) {
    MemorySegment a = step.operand(0).reinterpret(count);
    MemorySegment b = step.operand(1).reinterpret(count);
    MemorySegment c = step.operand(2).reinterpret(count);
    MemorySegment d = step.operand(3).reinterpret(count);
    MemorySegment out = step.out().reinterpret(count);
    for (int i = 0; i < count; i += LANES.vectorByteSize()) {
      ByteVector acc = load(a, i).lanewise(OP, load(b, i));
      acc = acc.lanewise(OP, load(c, i)).lanewise(OP, load(d, i));
      store(acc, out, i);
    }
  }

  private static ByteVector load(MemorySegment segment, int i) {
    ByteVector v = ByteVector.fromMemorySegment(LANES, segment, i, ORDER);
    return UNSIGNED ? v.lanewise(VectorOperators.XOR, SIGN) : v;
  }

  private static void store(ByteVector v, MemorySegment out, int i) {
    v = UNSIGNED ? v.lanewise(VectorOperators.XOR, SIGN) : v;
    v.intoMemorySegment(out, i, ORDER);
  }
}
