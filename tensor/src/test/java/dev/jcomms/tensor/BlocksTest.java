package dev.jcomms.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class BlocksTest {
  private static final long BYTES = 3 << 20;
  private static final long PAGE = 4096;

  @Test
  void aBlockHoldsWhatWasAskedForAndAtMostAQuarterOrAPageMore() {
    for (long bytes = 1; bytes < 1L << 40; bytes = bytes * 9 / 8 + 1) {
      long size = Blocks.size(Blocks.index(bytes));
      assertTrue(size >= bytes, bytes + " in " + size);
      long most = bytes > PAGE ? Math.max(bytes / 4, PAGE - 1) : bytes / 4;
      assertTrue(bytes < 256 || size <= bytes + most + 1, bytes + " in " + size);
      assertTrue(size < PAGE || size % PAGE == 0, size + " bytes are not whole pages");
      assertEquals(Blocks.index(bytes), Blocks.index(size));
    }
  }

  @Test
  void whatIsReachableOnlyThroughASliceIsNotGivenToAnother() {
    MemorySegment slice = Tensor.empty(DType.U8, Shape.of(BYTES)).fill(7).narrow(0, 5, 9).segment();
    for (int round = 0; round < 3; round++) {
      System.gc();
      for (int i = 0; i < 40; i++) {
        Tensor.empty(DType.U8, Shape.of(BYTES)).fill(1);
      }
    }
    for (long i = 0; i < 9; i++) {
      assertEquals(7, slice.get(ValueLayout.JAVA_BYTE, i));
    }
  }

  @Test
  void memoryThatNobodyReachesIsUsedAgain() {
    Set<Long> addresses = new HashSet<>();
    int made = 800;
    for (int i = 0; i < made; i++) {
      Tensor t = Tensor.empty(DType.U8, Shape.of(BYTES));
      addresses.add(t.segment().address());
      Reference.reachabilityFence(t);
    }
    assertTrue(addresses.size() < made, "so much was lent, and nothing came back");
  }

  @Test
  void whoAsksFasterThanMemoryComesBackWaitsForIt() {
    long limit = Math.min(1L << 30, Runtime.getRuntime().maxMemory() / 4);
    long bytes = 5000;
    Set<Long> addresses = new HashSet<>();
    for (long made = 0; made < 8 * limit / bytes; made++) {
      addresses.add(Tensor.zeros(DType.U8, Shape.of(bytes)).segment().address());
    }
    assertTrue(
        addresses.size() * 2 * PAGE < 3 * limit,
        addresses.size() + " blocks though one was in use at a time");
  }

  @Test
  void sizesThatNobodyAsksForMakeRoomForOthers() throws InterruptedException {
    long kept = Math.max(64L << 20, Runtime.getRuntime().maxMemory() / 4);
    Tensor[] outOfUse = new Tensor[(int) (kept / BYTES) + 9];
    Arrays.setAll(outOfUse, _ -> Tensor.empty(DType.U8, Shape.of(BYTES)));
    Arrays.fill(outOfUse, null);
    System.gc();
    Thread.sleep(200); // shorter, and all would be well even if nothing made room
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    boolean used = false;
    while (!used && System.nanoTime() < deadline) {
      Tensor.empty(DType.U8, Shape.of(BYTES / 9)).fill(7);
      System.gc();
      Thread.sleep(5);
      // Memory that was kept holds what it held; new memory is zero.
      used = Tensor.empty(DType.U8, Shape.of(BYTES / 9)).getInt(0) == 7;
    }
    assertTrue(used, "a size that came later is never kept");
  }

  @Test
  void zerosAreZeroInMemoryThatWasAnothers() {
    for (long elements : new long[] {1, 16, 300, 70_000, BYTES}) {
      for (int i = 0; i < 20; i++) {
        Tensor.empty(DType.U8, Shape.of(elements)).fill(3);
      }
      System.gc();
      assertTrue(
          Tensor.zeros(DType.U8, Shape.of(elements))
              .equal(Tensor.scalar(DType.U8, 0L).expand(elements)),
          elements + " elements");
    }
  }

  @Test
  void smallTensorsDoNotOverlap() {
    Tensor[] all = new Tensor[3000];
    for (int i = 0; i < all.length; i++) {
      all[i] = Tensor.empty(DType.I32, Shape.of(1 + i % 256)).fill((long) i);
    }
    for (int i = 0; i < all.length; i++) {
      assertEquals(i, all[i].getInt(0));
      assertEquals(i, all[i].getInt(-1));
      assertEquals(0, all[i].segment().address() % Storage.ALIGNMENT);
    }
  }
}
