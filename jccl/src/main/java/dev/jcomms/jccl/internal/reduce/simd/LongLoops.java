package dev.jcomms.jccl.internal.reduce.simd;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Long lanes. */
@SuppressWarnings("restricted") // views of no more bytes than Reducer has checked
final class LongLoops {
  private static final VectorOperators.Associative OP =
      Specialised.recipe(MethodHandles.lookup()).op();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final VectorSpecies<Long> LANES = LongVector.SPECIES_PREFERRED;

  private LongLoops() {}

  static void two(Step step, int count) {
    int bytes = count * Long.BYTES;
    MemorySegment a = step.operand(0).reinterpret(bytes);
    MemorySegment b = step.operand(1).reinterpret(bytes);
    MemorySegment out = step.out().reinterpret(bytes);
    for (int i = 0; i < bytes; i += LANES.vectorByteSize()) {
      load(a, i).lanewise(OP, load(b, i)).intoMemorySegment(out, i, ORDER);
    }
  }

  static void three(Step step, int count) {
    int bytes = count * Long.BYTES;
    MemorySegment a = step.operand(0).reinterpret(bytes);
    MemorySegment b = step.operand(1).reinterpret(bytes);
    MemorySegment c = step.operand(2).reinterpret(bytes);
    MemorySegment out = step.out().reinterpret(bytes);
    for (int i = 0; i < bytes; i += LANES.vectorByteSize()) {
      LongVector acc = load(a, i).lanewise(OP, load(b, i));
      acc.lanewise(OP, load(c, i)).intoMemorySegment(out, i, ORDER);
    }
  }

  static void four(Step step, int count) {
    int bytes = count * Long.BYTES;
    MemorySegment a = step.operand(0).reinterpret(bytes);
    MemorySegment b = step.operand(1).reinterpret(bytes);
    MemorySegment c = step.operand(2).reinterpret(bytes);
    MemorySegment d = step.operand(3).reinterpret(bytes);
    MemorySegment out = step.out().reinterpret(bytes);
    for (int i = 0; i < bytes; i += LANES.vectorByteSize()) {
      LongVector acc = load(a, i).lanewise(OP, load(b, i));
      acc = acc.lanewise(OP, load(c, i)).lanewise(OP, load(d, i));
      acc.intoMemorySegment(out, i, ORDER);
    }
  }

  private static LongVector load(MemorySegment segment, int i) {
    return LongVector.fromMemorySegment(LANES, segment, i, ORDER);
  }
}
