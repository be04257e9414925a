package dev.jcomms.jccl.internal.exec;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.jcomms.jccl.internal.reduce.Simd;
import dev.jcomms.jccl.internal.reduce.Trial;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.function.ToLongFunction;

/**
 * Packets: each four bytes of data travel with a flag in one long, which is written and read as a
 * whole. So no fence is needed, and no signal: who sees the flag has the data.
 *
 * <p>They are made in scratch and taken apart there, by vectors once those have proved faster: wide
 * stores and loads keep many lines of a peer's cache on their way at a time, and each is made of
 * whole longs.
 */
final class Packets {
  private static final VarHandle LONG = JAVA_LONG.varHandle();

  private static final PacketKernel PLAIN = new PlainPackets();

  /** Each call counts as so many packets more: of small ones there are many. */
  private static final int CALL = 64;

  private static final long PACKETS_THAT_MATTER = 1L << 20;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Some vectors, and less than one. */
  private static final int TRIAL_BYTES = (1 << 10) - 4;

  /** No packet of a trial has this flag. */
  private static final int NOT_COME = 2;

  /** Null where there are no vectors. */
  private static final Trial<PacketKernel> VECTORS =
      Simd.likely()
          ? new Trial<>(
              PLAIN,
              () -> Simd.available() ? new VectorPackets() : PLAIN,
              Packets::course,
              PACKETS_THAT_MATTER,
              PATIENCE)
          : null;

  private Packets() {}

  /** Writes data, of memory that is there, as packets; {@code bytes} is a multiple of four. */
  static void pack(long data, MemorySegment scratch, long at, int bytes, int flag) {
    long packets = scratch.asSlice(at, 2L * bytes).address();
    kernel(bytes).pack(data, packets, bytes, flag);
  }

  /**
   * Takes packets apart as far as they have come, into memory that is there, if the last one has:
   * how many bytes of data that is. The last is mostly the last to come, and who looks at lines
   * that are being written takes them away from the writer.
   */
  static int unpack(MemorySegment scratch, long at, long data, int bytes, int flag) {
    long last = (long) LONG.getOpaque(scratch, at + 2L * bytes - 8);
    if ((int) (last >>> 32) != flag) {
      return 0;
    }
    long packets = scratch.asSlice(at, 2L * bytes).address();
    return kernel(bytes).unpack(packets, data, bytes, flag);
  }

  /** Where data are that kernels can read: there, or on the heap, in a copy. */
  static long address(MemorySegment data, long at, int bytes, MemorySegment copy) {
    if (data.isNative()) {
      return data.asSlice(at, bytes).address();
    }
    MemorySegment.copy(data, at, copy, 0, bytes);
    return copy.address();
  }

  private static PacketKernel kernel(int bytes) {
    PacketKernel winner = VECTORS == null ? PLAIN : VECTORS.winner();
    if (winner != null) {
      return winner;
    }
    VECTORS.folded(CALL + bytes / 4);
    return PLAIN;
  }

  /** Passes every part of a kernel: what it left out the compiler would leave out, too. */
  static ToLongFunction<PacketKernel> course() {
    Arena arena = Arena.ofAuto();
    long data = arena.allocate(TRIAL_BYTES, 64).address();
    long packets = arena.allocate(2 * TRIAL_BYTES, 64).address();
    return kernel -> {
      long start = System.nanoTime();
      kernel.pack(data, packets, TRIAL_BYTES, 1);
      kernel.unpack(packets, data, TRIAL_BYTES, 1);
      kernel.unpack(packets, data, TRIAL_BYTES, NOT_COME);
      long nanos = System.nanoTime() - start;
      Reference.reachabilityFence(arena); // a kernel knows addresses alone
      return nanos;
    };
  }

  /** What somebody waits for who has so many bytes of data. */
  static String missing(Spot spot, long come) {
    return "packets in its scratch, %d of %d bytes from offset %d have come"
        .formatted(come, spot.bytes(), spot.offset());
  }
}
