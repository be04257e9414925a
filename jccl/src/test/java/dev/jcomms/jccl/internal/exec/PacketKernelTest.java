package dev.jcomms.jccl.internal.exec;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jcomms.jccl.internal.reduce.Simd;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One packet after the other, and many at a time: both do the same. */
final class PacketKernelTest {
  private static final int FLAG = 0x8000_0001; // its sign must not reach the data

  private final PacketKernel plain = new PlainPackets();
  private PacketKernel vectors;

  @BeforeEach
  void vectors() {
    assumeTrue(Simd.available(), Simd::description);
    vectors = new VectorPackets();
  }

  /** Less than a vector, whole vectors, and all that is in between. */
  static IntStream sizes() {
    return IntStream.concat(IntStream.rangeClosed(1, 40), IntStream.of(63, 64, 65, 255, 1024))
        .map(words -> 4 * words);
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void packetsAreTheSame(int bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = data(arena, bytes);
      MemorySegment one = arena.allocate(2L * bytes + 64, 8);
      MemorySegment other = arena.allocate(2L * bytes + 64, 8);
      plain.pack(data.address(), one.address(), bytes, FLAG);
      vectors.pack(data.address(), other.address(), bytes, FLAG);
      assertThat(other.mismatch(one)).isEqualTo(-1);
      for (int i = 0; i < bytes / 4; i++) {
        long word = data.getAtIndex(JAVA_INT, i) & 0xffffffffL;
        assertThat(one.getAtIndex(JAVA_LONG, i)).isEqualTo((long) FLAG << 32 | word);
      }
      assertThat(one.asSlice(2L * bytes).toArray(JAVA_LONG)).containsOnly(0);
    }
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void dataComeBackAsFarAsTheyHaveCome(int bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = data(arena, bytes);
      MemorySegment packets = arena.allocate(2L * bytes, 8);
      plain.pack(data.address(), packets.address(), bytes, FLAG);
      for (PacketKernel kernel : new PacketKernel[] {plain, vectors}) {
        assertThat(unpacked(kernel, packets, data, bytes)).isEqualTo(bytes);
        for (int missing = 0; missing < bytes / 4; missing++) {
          long late = packets.getAtIndex(JAVA_LONG, missing);
          packets.setAtIndex(JAVA_LONG, missing, late ^ 1L << 32 + missing % 32);
          assertThat(unpacked(kernel, packets, data, bytes)).isEqualTo(4 * missing);
          packets.setAtIndex(JAVA_LONG, missing, late);
        }
      }
    }
  }

  @Test
  void theTrialTakesBoth() {
    ToLongFunction<PacketKernel> course = Packets.course();
    assertThat(course.applyAsLong(plain)).isPositive();
    assertThat(course.applyAsLong(vectors)).isPositive();
  }

  /** How many bytes come, which are those of the data; nothing is written behind the last place. */
  private static int unpacked(
      PacketKernel kernel, MemorySegment packets, MemorySegment data, int bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment into = arena.allocate(bytes + 64L, 4);
      int come = kernel.unpack(packets.address(), into.address(), bytes, FLAG);
      assertThat(MemorySegment.mismatch(into, 0, come, data, 0, come)).isEqualTo(-1);
      assertThat(into.asSlice(bytes).toArray(JAVA_INT)).containsOnly(0);
      return come;
    }
  }

  private static MemorySegment data(Arena arena, int bytes) {
    MemorySegment data = arena.allocate(bytes, 4);
    Random random = new Random(bytes);
    for (int i = 0; i < bytes / 4; i++) {
      data.setAtIndex(JAVA_INT, i, random.nextInt());
    }
    return data;
  }
}
