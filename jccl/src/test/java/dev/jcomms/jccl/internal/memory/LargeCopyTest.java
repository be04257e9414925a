package dev.jcomms.jccl.internal.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LargeCopyTest {
  private static final long MANY = LargeCopy.LEAST;

  /** Offsets that are no multiple of anything. */
  private static final long AT = 3;

  private static final long TO_AT = 5;

  private static MemorySegment random(long bytes) {
    byte[] content = new byte[(int) bytes];
    new Random(bytes).nextBytes(content);
    return Arena.ofAuto().allocate(bytes).copyFrom(MemorySegment.ofArray(content));
  }

  private static void assertCopied(MemorySegment from, MemorySegment to, long bytes) {
    assertThat(to.asSlice(TO_AT, bytes).mismatch(from.asSlice(AT, bytes))).isEqualTo(-1);
    for (long i = 0; i < TO_AT; i++) {
      assertThat(to.get(JAVA_BYTE, i)).isZero();
      assertThat(to.get(JAVA_BYTE, TO_AT + bytes + i)).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyWayCopiesAllBytesAndNoOthers(LargeCopy.Way way) {
    for (long bytes : new long[] {0, 1, 63, 4031, 4032, 4033, MANY, MANY + 1, 5_000_011}) {
      MemorySegment from = random(AT + bytes);
      MemorySegment to = Arena.ofAuto().allocate(2 * TO_AT + bytes);
      way.copy(from, AT, to, TO_AT, bytes);
      assertCopied(from, to, bytes);
    }
  }

  /** Often enough for each way to have its turns, which come many in a row. */
  @ParameterizedTest
  @CsvSource({"0, 20", "1, 20", "262143, 20", "262144, 3200", "786439, 1600"})
  void whicheverIsTaken(long bytes, int turns) {
    MemorySegment from = random(AT + bytes);
    MemorySegment to = Arena.ofAuto().allocate(2 * TO_AT + bytes);
    for (int i = 0; i < turns; i++) {
      to.fill((byte) 0);
      LargeCopy.copy(from, AT, to, TO_AT, bytes);
      assertCopied(from, to, bytes);
    }
  }

  @Test
  void arraysAreCopiedToo() {
    MemorySegment from = random(MANY);
    MemorySegment array = MemorySegment.ofArray(new byte[(int) MANY]);
    LargeCopy.copy(from, 0, array, 0, MANY);
    MemorySegment back = Arena.ofAuto().allocate(MANY);
    LargeCopy.copy(array, 0, back, 0, MANY);
    assertThat(back.mismatch(from)).isEqualTo(-1);
  }

  /** As if it were copied to a third place first. */
  @ParameterizedTest
  @ValueSource(longs = {-100, -1, 0, 1, 100})
  void whatOverlapsIsMoved(long shift) {
    MemorySegment memory = random(MANY + 200);
    MemorySegment before = Arena.ofAuto().allocate(MANY).copyFrom(memory.asSlice(100, MANY));
    LargeCopy.copy(memory, 100, memory, 100 + shift, MANY);
    assertThat(memory.asSlice(100 + shift, MANY).mismatch(before)).isEqualTo(-1);
  }

  @ParameterizedTest
  @EnumSource
  void noWayLeavesItsSegments(LargeCopy.Way way) {
    MemorySegment large = random(MANY + 1);
    MemorySegment small = random(MANY);
    assertThatThrownBy(() -> way.copy(large, 0, small, 0, MANY + 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> way.copy(small, 1, large, 0, MANY))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> way.copy(small, -1, large, 0, MANY))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @ParameterizedTest
  @EnumSource
  void memoryToReadIsNotWritten(LargeCopy.Way way) {
    MemorySegment from = random(MANY);
    MemorySegment to = Arena.ofAuto().allocate(MANY);
    assertThatThrownBy(() -> way.copy(from, 0, to.asReadOnly(), 0, MANY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("read-only");
    assertThat(to.mismatch(Arena.ofAuto().allocate(MANY))).isEqualTo(-1);
  }

  @ParameterizedTest
  @EnumSource
  void memoryThatIsGoneIsRefused(LargeCopy.Way way) {
    MemorySegment gone;
    try (Arena arena = Arena.ofShared()) {
      gone = arena.allocate(MANY);
    }
    MemorySegment other = random(MANY);
    assertThatThrownBy(() -> way.copy(gone, 0, other, 0, MANY))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> way.copy(other, 0, gone, 0, MANY))
        .isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @EnumSource
  void anotherThreadsMemoryIsRefused(LargeCopy.Way way) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment own = arena.allocate(MANY);
      MemorySegment other = random(MANY);
      way.copy(own, 0, other, 0, MANY);
      assertThat(
              CompletableFuture.runAsync(() -> way.copy(own, 0, other, 0, MANY))
                  .handle((_, thrown) -> thrown.getCause())
                  .join())
          .isInstanceOf(WrongThreadException.class);
    }
  }
}
