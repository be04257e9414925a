package dev.jcomms.jccl.internal.transport.shm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WordsTest {
  private static final int ROOM = 4096;
  private static final int AT = 64;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, 63, 64, 65, 191, 192, 1000, 1023, 1024, 1025, 3000})
  void everyByteComesAndNoOtherChanges(int bytes) {
    try (Arena arena = Arena.ofConfined()) {
      copies(arena.allocate(ROOM, 64).asSlice(0, bytes), arena.allocate(ROOM, 64));
      copies(arena.allocate(ROOM, 64).asSlice(3, bytes), arena.allocate(ROOM, 64));
      copies(MemorySegment.ofArray(new byte[bytes]), arena.allocate(ROOM, 64));
      copies(arena.allocate(ROOM, 64).asSlice(0, bytes), MemorySegment.ofArray(new byte[ROOM]));
    }
  }

  private static void copies(MemorySegment from, MemorySegment to) {
    for (long i = 0; i < from.byteSize(); i++) {
      from.set(JAVA_BYTE, i, (byte) (i * 31 + 1));
    }
    to.fill((byte) -1);
    Words.copy(from, to, AT);
    for (long i = 0; i < ROOM; i++) {
      long k = i - AT;
      int expected = k >= 0 && k < from.byteSize() ? (byte) (k * 31 + 1) : -1;
      assertEquals(expected, to.get(JAVA_BYTE, i), "byte " + i + " of " + from.byteSize());
    }
  }

  @Test
  void memoryThatIsGoneIsRefused() {
    MemorySegment gone;
    try (Arena arena = Arena.ofConfined()) {
      gone = arena.allocate(128);
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment there = arena.allocate(128);
      assertThrows(IllegalStateException.class, () -> Words.copy(gone, there, 0));
      assertThrows(IllegalStateException.class, () -> Words.copy(there, gone, 0));
    }
  }

  @Test
  void aPlaceOutsideIsRefused() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment from = arena.allocate(128);
      MemorySegment to = arena.allocate(ROOM);
      for (long at : new long[] {-8, ROOM - 120, Long.MAX_VALUE - 7}) {
        assertThrows(IndexOutOfBoundsException.class, () -> Words.copy(from, to, at));
      }
    }
  }
}
