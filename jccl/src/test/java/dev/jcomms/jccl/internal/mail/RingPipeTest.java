package dev.jcomms.jccl.internal.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.jcomms.jccl.internal.posix.SharedFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RingPipeTest {
  private static final int RANKS = 40; // their rings are short, so that they wrap around often

  @Test
  void ringsStayWithinTheirBudget() {
    assertThat(RingArea.bytes(8)).isLessThan(4 << 20);
    assertThat(RingArea.bytes(64)).isLessThan(64 << 20);
    for (int ranks = 2; ranks <= 64; ranks++) {
      assertThat(Long.bitCount(RingArea.ringBytes(ranks))).isEqualTo(1);
      assertThat(RingArea.ringBytes(ranks)).isBetween(16L << 10, 256L << 10);
    }
    assertThat(RingArea.ringBytes(1000)).isEqualTo(4 << 10);
  }

  @Test
  void bytesComeOutAsTheyWentIn() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      RingArea area = new RingArea(arena.allocate(RingArea.bytes(RANKS), 128), RANKS);
      RingPipe left = area.pipe(3, 17);
      RingPipe right = area.pipe(17, 3);
      Random random = new Random(1);
      MemorySegment out = arena.allocate(64 << 10);
      MemorySegment in = arena.allocate(64 << 10);
      long written = 0;
      long read = 0;
      while (read < 4 << 20) {
        int bytes = random.nextInt(40_000);
        for (int i = 0; i < bytes; i++) {
          out.set(ValueLayout.JAVA_BYTE, i, pattern(written + i));
        }
        written += left.write(out, 0, bytes);
        left.flush();
        long got = right.read(in, 0, random.nextInt(40_000));
        for (int i = 0; i < got; i++) {
          if (in.get(ValueLayout.JAVA_BYTE, i) != pattern(read + i)) {
            fail("byte " + (read + i) + " is wrong");
          }
        }
        read += got;
        right.flush();
      }
    }
  }

  private static byte pattern(long position) {
    return (byte) (position * 31 + (position >> 8));
  }

  @Test
  void aFullRingTakesNothingAndAnEmptyOneGivesNothing() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      RingArea area = new RingArea(arena.allocate(RingArea.bytes(2), 128), 2);
      RingPipe left = area.pipe(0, 1);
      RingPipe right = area.pipe(1, 0);
      MemorySegment bytes = arena.allocate(1 << 20);
      assertThat(right.read(bytes, 0, 10)).isZero();
      assertThat(left.write(bytes, 0, 1 << 20)).isEqualTo(RingArea.ringBytes(2));
      assertThat(left.write(bytes, 0, 1)).isZero();
      assertThat(right.read(bytes, 0, 5)).isEqualTo(5);
      assertThat(left.write(bytes, 0, 10)).as("before the room was given back").isZero();
      right.flush();
      assertThat(left.write(bytes, 0, 10)).isEqualTo(5);
    }
  }

  @Test
  void whatWasWrittenIsNotSeenBeforeItIsFlushed() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      RingArea area = new RingArea(arena.allocate(RingArea.bytes(2), 128), 2);
      RingPipe left = area.pipe(0, 1);
      RingPipe right = area.pipe(1, 0);
      MemorySegment bytes = arena.allocate(100);
      left.write(bytes, 0, 10);
      assertThat(right.read(bytes, 0, 100)).isZero();
      left.flush();
      assertThat(right.read(bytes, 0, 100)).isEqualTo(10);
    }
  }

  @Test
  void theEndComesAfterTheLastByte() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      RingArea area = new RingArea(arena.allocate(RingArea.bytes(2), 128), 2);
      RingPipe left = area.pipe(0, 1);
      RingPipe right = area.pipe(1, 0);
      MemorySegment bytes = arena.allocate(100);
      left.write(bytes, 0, 3);
      left.flush();
      area.bell(0).leave();
      assertThat(right.read(bytes, 0, 100)).isEqualTo(3);
      assertThat(right.read(bytes, 0, 100)).isEqualTo(Pipe.END);
      assertThatThrownBy(() -> right.write(bytes, 0, 1)).isInstanceOf(IOException.class);
    }
  }

  /** Memory that another process has damaged must not make this one write beyond the ring. */
  @Test
  void positionsThatCannotBeAreRefused() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(RingWriter.POSITIONS + 4096, 128);
      RingWriter writer = new RingWriter(memory);
      RingReader reader = new RingReader(memory);
      MemorySegment bytes = arena.allocate(8192);
      memory.set(ValueLayout.JAVA_LONG, RingWriter.HEAD, 10_000);
      assertThatThrownBy(() -> writer.write(bytes, 0, 8192)).isInstanceOf(IOException.class);
      memory.set(ValueLayout.JAVA_LONG, RingWriter.TAIL, 10_000);
      assertThatThrownBy(() -> reader.read(bytes, 0, 10)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void twoThreadsPassAMillionWords() throws Exception {
    try (Arena arena = Arena.ofShared()) {
      RingArea area = new RingArea(arena.allocate(RingArea.bytes(RANKS), 128), RANKS);
      CompletableFuture<Void> writer =
          CompletableFuture.runAsync(() -> write(area, 0, 1, 1_000_000));
      read(area, 1, 0, 1_000_000);
      writer.get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void twoProcessesPassAMillionWords() throws Exception {
    Path file = SharedFile.path("jcomms-test-" + UUID.randomUUID());
    SharedFile.create(file, RingArea.bytes(RANKS));
    try (Arena arena = Arena.ofShared()) {
      RingArea area = new RingArea(SharedFile.map(file, RingArea.bytes(RANKS), arena), RANKS);
      Process child = Child.start(RingPipeTest.class, file.toString());
      try {
        read(area, 1, 0, 1_000_000);
        assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(child.exitValue()).isZero();
      } finally {
        child.destroyForcibly();
      }
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /** The other process: writes. */
  public static void main(String[] args) throws IOException {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment memory = SharedFile.map(Path.of(args[0]), RingArea.bytes(RANKS), arena);
      write(new RingArea(memory, RANKS), 0, 1, 1_000_000);
    }
  }

  private static void write(RingArea area, int from, int to, int words) {
    Random random = new Random(7);
    try (Arena arena = Arena.ofConfined()) {
      RingPipe pipe = area.pipe(from, to);
      Bell bell = area.bell(from);
      MemorySegment buffer = arena.allocate(8L * 5000, 8);
      long deadline = System.nanoTime() + 30_000_000_000L;
      for (int sent = 0; sent < words; ) {
        int count = Math.min(words - sent, 1 + random.nextInt(5000));
        for (int i = 0; i < count; i++) {
          buffer.set(ValueLayout.JAVA_LONG, 8L * i, sent + i);
        }
        for (long done = 0; done < 8L * count; ) {
          int ticket = bell.ticket(Bell.DRIVER);
          bell.arm(Bell.DRIVER);
          long bytes = pipe.write(buffer, done, 8L * count - done);
          pipe.flush();
          if (bytes == 0) {
            bell.sleep(Bell.DRIVER, ticket, 1_000_000_000);
          }
          done += bytes;
          assertThat(System.nanoTime()).isLessThan(deadline);
        }
        sent += count;
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static void read(RingArea area, int to, int from, int words) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      RingPipe pipe = area.pipe(to, from);
      Bell bell = area.bell(to);
      MemorySegment buffer = arena.allocate(8L * 4096, 8);
      long deadline = System.nanoTime() + 30_000_000_000L;
      long kept = 0;
      for (long next = 0; next < words; ) {
        int ticket = bell.ticket(Bell.DAEMON);
        bell.arm(Bell.DAEMON);
        long bytes = pipe.read(buffer, kept, buffer.byteSize() - kept);
        pipe.flush();
        if (bytes == 0) {
          bell.sleep(Bell.DAEMON, ticket, 1_000_000_000);
        }
        kept += bytes;
        long whole = kept / 8;
        for (long i = 0; i < whole; i++) {
          if (buffer.get(ValueLayout.JAVA_LONG, 8 * i) != next++) {
            fail("word " + (next - 1) + " is wrong");
          }
        }
        MemorySegment.copy(buffer, 8 * whole, buffer, 0, kept % 8);
        kept %= 8;
        assertThat(System.nanoTime()).isLessThan(deadline);
      }
    }
  }
}
