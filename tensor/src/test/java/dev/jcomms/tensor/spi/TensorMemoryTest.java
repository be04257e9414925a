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
  void whatIsWithdrawnKeepsWhatItHoldsAndIsReachedByNobodyElse() throws IOException {
    Tensor before = Tensor.full(LARGE, 1);
    Tensor tensor = Tensor.full(LARGE, 2);
    Tensor after = Tensor.full(LARGE, 3);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment all = TensorMemory.own().map(arena);
      long offset = TensorMemory.offset(tensor.segment());
      all.set(ValueLayout.JAVA_FLOAT, offset, 9);
      assertEquals(9, tensor.getFloat(0), "it is there to be written to");
      TensorMemory.withdraw(tensor.segment());
      assertEquals(9, tensor.getFloat(0));
      assertEquals(2, tensor.getFloat(99_999));
      assertEquals(0, all.get(ValueLayout.JAVA_FLOAT, offset + 200_000), "it is there once only");
      for (long at = 0; at < 400_000; at += 4) {
        all.set(ValueLayout.JAVA_FLOAT, offset + at, -1);
      }
      assertEquals(9, tensor.getFloat(0));
      assertEquals(2, tensor.getFloat(99_999));
      tensor.fill(5);
      assertEquals(-1, all.get(ValueLayout.JAVA_FLOAT, offset + 399_996));
      assertEquals(0, TensorMemory.offset(tensor.segment()));
      assertEquals(0, TensorMemory.offset(tensor.narrow(0, 50_000, 1).segment()));
      TensorMemory.withdraw(tensor.segment()); // is nothing new
      assertEquals(5, tensor.getFloat(0));
      assertEquals(1, at(all, before, 99_999), "its neighbours are where they were");
      assertEquals(3, at(all, after, 0));
    }
  }

  /** The second begins in a page of the first, and ends in one of the third. */
  @Test
  void tensorsThatShareAPageAreWithdrawnOneAfterTheOther() throws IOException {
    Tensor whole = Tensor.full(LARGE, 1);
    Tensor first = whole.narrow(0, 0, 20_001);
    Tensor second = whole.narrow(0, 20_001, 40_000);
    Tensor third = whole.narrow(0, 60_001, 39_999);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment all = TensorMemory.own().map(arena);
      long offset = TensorMemory.offset(whole.segment());
      TensorMemory.withdraw(first.segment());
      assertEquals(1, all.get(ValueLayout.JAVA_FLOAT, offset + 4 * 20_001), "it may be read");
      TensorMemory.withdraw(third.segment());
      assertEquals(1, all.get(ValueLayout.JAVA_FLOAT, offset + 4 * 60_000));
      whole.fill(2);
      TensorMemory.withdraw(second.segment());
      all.asSlice(offset, 400_000).fill((byte) 0);
      for (int i = 0; i < 100_000; i++) {
        assertEquals(2, whole.getFloat(i));
      }
    }
  }

  @Test
  void whatOtherThreadsWriteWhileItIsWithdrawnIsNotLost() throws Exception {
    Tensor tensor = Tensor.zeros(DType.I64, Shape.of(1 << 20));
    MemorySegment memory = tensor.segment();
    var counting = new java.util.concurrent.CountDownLatch(1);
    var thread =
        java.util.concurrent.CompletableFuture.supplyAsync(
            () -> {
              long rounds = 0;
              for (long end = System.nanoTime() + 200_000_000; System.nanoTime() < end; rounds++) {
                for (long page = 0; page < memory.byteSize(); page += 4096) {
                  long at = page + rounds % 512 * 8;
                  memory.setAtIndex(
                      ValueLayout.JAVA_LONG,
                      at / 8,
                      memory.getAtIndex(ValueLayout.JAVA_LONG, at / 8) + 1);
                }
                counting.countDown();
              }
              return rounds;
            });
    counting.await();
    TensorMemory.withdraw(memory);
    long rounds = thread.get(30, java.util.concurrent.TimeUnit.SECONDS);
    for (long page = 0; page < memory.byteSize(); page += 4096) {
      long sum = 0;
      for (int i = 0; i < 512; i++) {
        sum += memory.getAtIndex(ValueLayout.JAVA_LONG, page / 8 + i);
      }
      assertEquals(rounds, sum, "the page at " + page);
    }
  }

  @Test
  void aRangeThatWasWithdrawnServesNobodyElse() throws IOException {
    FileRanges ranges = new FileRanges(1);
    MemorySegment range = ranges.take(0, 1 << 20);
    range.fill((byte) 9);
    TensorMemory.withdraw(range.asSlice(4096, 100));
    assertTrue(ranges.isWithdrawn(range));
    assertFalse(ranges.isWithdrawn(range.asSlice(0, 4096)));
    assertFalse(ranges.isWithdrawn(range.asSlice(8192)));
    ranges.give(0, range);
    MemorySegment next = ranges.take(0, 1 << 20);
    assertFalse(next.asOverlappingSlice(range).isPresent());
    ranges.give(0, next);
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
