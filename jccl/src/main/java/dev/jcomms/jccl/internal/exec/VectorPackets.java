package dev.jcomms.jccl.internal.exec;

import static dev.jcomms.jccl.internal.memory.Everything.EVERYTHING;

import java.nio.ByteOrder;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** As many packets at a time as fit into a hardware vector. */
final class VectorPackets implements PacketKernel {
  private static final VectorSpecies<Long> PACKETS = LongVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Integer> DATA =
      VectorSpecies.of(int.class, VectorShape.forBitSize(PACKETS.vectorBitSize() / 2));
  private static final int STEP = DATA.vectorByteSize();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private final PacketKernel rest = new PlainPackets();

  @Override
  public void pack(long data, long packets, int bytes, int flag) {
    LongVector high = LongVector.broadcast(PACKETS, (long) flag << 32);
    int whole = bytes - bytes % STEP;
    for (int i = 0; i < whole; i += STEP) {
      IntVector.fromMemorySegment(DATA, EVERYTHING, data + i, ORDER)
          .convertShape(VectorOperators.ZERO_EXTEND_I2L, PACKETS, 0)
          .reinterpretAsLongs()
          .or(high)
          .intoMemorySegment(EVERYTHING, packets + 2L * i, ORDER);
    }
    rest.pack(data + whole, packets + 2L * whole, bytes - whole, flag);
  }

  /** Looks at the flags when all is done: as a rule, all have come. */
  @Override
  public int unpack(long packets, long data, int bytes, int flag) {
    LongVector high = LongVector.broadcast(PACKETS, (long) flag << 32);
    LongVector wrong = LongVector.zero(PACKETS);
    int whole = bytes - bytes % STEP;
    for (int i = 0; i < whole; i += STEP) {
      LongVector some = LongVector.fromMemorySegment(PACKETS, EVERYTHING, packets + 2L * i, ORDER);
      wrong = wrong.or(some.lanewise(VectorOperators.XOR, high));
      some.convertShape(VectorOperators.L2I, DATA, 0)
          .reinterpretAsInts()
          .intoMemorySegment(EVERYTHING, data + i, ORDER);
    }
    if (wrong.reduceLanes(VectorOperators.OR) >>> 32 != 0) {
      return rest.unpack(packets, data, whole, flag);
    }
    return whole + rest.unpack(packets + 2L * whole, data + whole, bytes - whole, flag);
  }
}
