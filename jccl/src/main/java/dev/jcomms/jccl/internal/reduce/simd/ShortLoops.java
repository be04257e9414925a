package dev.jcomms.jccl.internal.reduce.simd;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Short lanes. */
@SuppressWarnings("restricted") // views of no more bytes than Reducer has checked
final class ShortLoops {
  private static final VectorOperators.Associative OP =
      Specialised.recipe(MethodHandles.lookup()).op();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final VectorSpecies<Short> LANES = ShortVector.SPECIES_PREFERRED;

  private ShortLoops() {}

  static void two(Step step, int count) {
    int bytes = count * Short.BYTES;
    MemorySegment a = step.operand(0).reinterpret(bytes);
    MemorySegment b = step.operand(1).reinterpret(bytes);
    MemorySegment out = step.out().reinterpret(bytes);
    for (int i = 0; i < bytes; i += LANES.vectorByteSize()) {
      load(a, i).lanewise(OP, load(b, i)).intoMemorySegment(out, i, ORDER);
    }
  }

  static void three(Step step, int count) {
    int bytes = count * Short.BYTES;
    MemorySegment a = step.operand(0).reinterpret(bytes);
    MemorySegment b = step.operand(1).reinterpret(bytes);
    MemorySegment c = step.operand(2).reinterpret(bytes);
    MemorySegment out = step.out().reinterpret(bytes);
    for (int i = 0; i < bytes; i += LANES.vectorByteSize()) {
      ShortVector acc = load(a, i).lanewise(OP, load(b, i));
      acc.lanewise(OP, load(c, i)).intoMemorySegment(out, i, ORDER);
    }
  }

  static void four(Step step, int count) {
    int bytes = count * Short.BYTES;
    MemorySegment a = step.operand(0).reinterpret(bytes);
    MemorySegment b = step.operand(1).reinterpret(bytes);
    MemorySegment c = step.operand(2).reinterpret(bytes);
    MemorySegment d = step.operand(3).reinterpret(bytes);
    MemorySegment out = step.out().reinterpret(bytes);
    for (int i = 0; i < bytes; i += LANES.vectorByteSize()) {
      ShortVector acc = load(a, i).lanewise(OP, load(b, i));
      acc = acc.lanewise(OP, load(c, i)).lanewise(OP, load(d, i));
      acc.intoMemorySegment(out, i, ORDER);
    }
  }

  private static ShortVector load(MemorySegment segment, int i) {
    return ShortVector.fromMemorySegment(LANES, segment, i, ORDER);
  }
}
