package dev.jcomms.testkit.scenario;

import dev.jcomms.Collective;
import dev.jcomms.OpOptions;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.testkit.ConformanceError;
import dev.jcomms.testkit.Needs;
import dev.jcomms.testkit.Rank;
import dev.jcomms.testkit.Scenario;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is moved, not combined, arrives bit for bit: NaN with its payload, negative zero, all of it.
 */
final class BitsScenarios {
  private static final int ELEMENTS = 500;

  private BitsScenarios() {}

  static Stream<Scenario> all() {
    return Arrays.stream(DType.values())
        .filter(dtype -> dtype != DType.BOOL)
        .flatMap(
            dtype ->
                Stream.of(
                    new Scenario(
                        "broadcast/leaves the bits of " + dtype + " alone",
                        Needs.ops(Collective.Broadcast.class).and(dtype),
                        rank -> broadcast(rank, dtype)),
                    new Scenario(
                        "all_gather_single/leaves the bits of " + dtype + " alone",
                        Needs.ops(Collective.AllGatherSingle.class).and(dtype),
                        rank -> allGather(rank, dtype))));
  }

  private static byte[] bits(DType dtype, int owner) {
    byte[] bytes = new byte[ELEMENTS * dtype.bytes()];
    for (int i = 0; i < bytes.length; i++) {
      // A quarter are the extreme patterns: signs, exponents and mantissas all 0 or all 1.
      long h = Values.hash(owner, 9, i);
      bytes[i] = (byte) ((h & 3) == 0 ? ((h & 4) == 0 ? 0xFF : 0x80) : h >>> 8);
    }
    return bytes;
  }

  private static Tensor tensor(Rank rank, DType dtype, byte[] bytes) {
    Tensor host = Tensor.empty(dtype, Shape.of(bytes.length / dtype.bytes()));
    MemorySegment.copy(MemorySegment.ofArray(bytes), 0, host.segment(), 0, bytes.length);
    return rank.onDevice(host);
  }

  private static void broadcast(Rank rank, DType dtype) {
    for (int root : List.of(0, rank.size() - 1)) {
      Tensor tensor = tensor(rank, dtype, bits(dtype, rank.number()));
      rank.comm().run(new Collective.Broadcast(tensor, root), OpOptions.DEFAULT);
      same(rank, "broadcast from root " + root, dtype, bits(dtype, root), tensor);
    }
  }

  private static void allGather(Rank rank, DType dtype) {
    Tensor input = tensor(rank, dtype, bits(dtype, rank.number()));
    Tensor output = rank.onDevice(Tensor.zeros(dtype, Shape.of((long) ELEMENTS * rank.size())));
    rank.comm().run(new Collective.AllGatherSingle(output, input), OpOptions.DEFAULT);
    for (int r = 0; r < rank.size(); r++) {
      Tensor part = rank.onHost(output).narrow(0, (long) r * ELEMENTS, ELEMENTS);
      same(rank, "all_gather_single, part of rank " + r, dtype, bits(dtype, r), part);
    }
  }

  private static void same(Rank rank, String what, DType dtype, byte[] expected, Tensor actual) {
    byte[] bytes = Trial.bytes(rank.onHost(actual).contiguous());
    int at = Arrays.mismatch(expected, bytes);
    if (at >= 0) {
      throw new ConformanceError(
          rank
              + ": "
              + what
              + " of "
              + ELEMENTS
              + " x "
              + dtype
              + ": byte "
              + at % dtype.bytes()
              + " of element "
              + at / dtype.bytes()
              + " is 0x"
              + Integer.toHexString(bytes[at] & 0xFF)
              + "; it should be 0x"
              + Integer.toHexString(expected[at] & 0xFF));
    }
  }
}
