package dev.jcomms.tensor.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.memory.FileRanges;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Large tensors are where another process can read them. */
final class TensorMemoryTest {
  private static final Shape LARGE = Shape.of(100_000);

  @BeforeEach
  void haveAFile() {
    assumeTrue(TensorMemory.own() != null, "the system has no memfd_create");
  }

  @Test
  void whatIsWrittenToATensorIsReadThroughTheFile() throws IOException {
    Tensor zeros = Tensor.zeros(DType.F32, LARGE);
    Tensor result = Tensor.full(LARGE, 2.5).add(Tensor.ones(LARGE));
    try (Arena arena = Arena.ofShared()) {
      MemorySegment all = TensorMemory.own().map(arena);
      zeros.setFloat(7, 99_999);
      assertEquals(7, at(all, zeros, 99_999));
      assertEquals(3.5f, at(all, result, 0));
      assertEquals(3.5f, at(all, result.narrow(0, 5, 10), 9));
    }
  }

  private static float at(MemorySegment all, Tensor tensor, long index) {
    long offset = TensorMemory.offset(tensor.segment());
    assertNotEquals(0, offset);
    return all.get(ValueLayout.JAVA_FLOAT, offset + 4 * index);
  }

  @Test
  void itCannotBeWrittenThroughTheFile() throws IOException {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment all = TensorMemory.own().map(arena);
      assertTrue(all.isReadOnly());
      assertThrows(
          IllegalArgumentException.class, () -> all.set(ValueLayout.JAVA_BYTE, 1 << 20, (byte) 1));
    }
  }

  @Test
  void smallTensorsAndMemoryOfOthersAreNotInIt() {
    assertEquals(0, TensorMemory.offset(Tensor.zeros(Shape.of(10)).segment()));
    assertEquals(0, TensorMemory.offset(Tensor.wrap(new float[100_000]).segment()));
    assertEquals(0, TensorMemory.offset(Arena.ofAuto().allocate(1 << 20)));
    assertEquals(0, TensorMemory.offset(MemorySegment.ofAddress(0)));
  }

  @Test
  void aFileThatIsNotTheOneMeantIsRefused() {
    TensorMemory own = TensorMemory.own();
    TensorMemory other =
        new TensorMemory(own.pid(), own.descriptor(), UUID.randomUUID(), own.bytes());
    TensorMemory longer =
        new TensorMemory(own.pid(), own.descriptor(), own.identity(), own.bytes() + 4096);
    TensorMemory absent = new TensorMemory(own.pid(), 1_000_000, own.identity(), own.bytes());
    try (Arena arena = Arena.ofShared()) {
      assertTrue(
          assertThrows(IOException.class, () -> other.map(arena)).getMessage().contains("another"));
      assertTrue(
          assertThrows(IOException.class, () -> longer.map(arena)).getMessage().contains("bytes"));
      assertThrows(IOException.class, () -> absent.map(arena));
    }
  }

  @Test
  void onlyItsUserMayOpenItAndNobodyCutIt() throws IOException {
    TensorMemory own = TensorMemory.own();
    Path path = Path.of("/proc/self/fd/" + own.descriptor());
    assertEquals(
        "rw-------",
        java.nio.file.attribute.PosixFilePermissions.toString(
            java.nio.file.Files.getPosixFilePermissions(path)));
    try (var file =
        java.nio.channels.FileChannel.open(path, java.nio.file.StandardOpenOption.WRITE)) {
      assertThrows(IOException.class, () -> file.truncate(4096));
    }
  }

  @Test
  void aRangeThatCameBackIsZeroAndServesItsClassAgain() {
    FileRanges ranges = new FileRanges(2);
    MemorySegment first = ranges.take(0, 1 << 20);
    first.fill((byte) 9);
    MemorySegment second = ranges.take(0, 1 << 20);
    MemorySegment other = ranges.take(1, 2 << 20);
    assertFalse(first.asOverlappingSlice(second).isPresent());
    assertFalse(second.asOverlappingSlice(other).isPresent());
    ranges.give(0, first);
    MemorySegment again = ranges.take(0, 1 << 20);
    assertEquals(first.address(), again.address());
    assertEquals(0, again.get(ValueLayout.JAVA_BYTE, 12345));
    ranges.give(0, again);
    ranges.give(0, second);
    ranges.give(1, other);
  }
}
