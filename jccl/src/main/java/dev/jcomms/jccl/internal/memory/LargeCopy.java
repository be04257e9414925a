package dev.jcomms.jccl.internal.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.stream.IntStream;

/**
 * Copies of native memory, in the way that is the fastest for their size on this machine.
 *
 * <p>From 2.5 MiB on the JVM writes past the caches where it has vectors of 64 bytes. That spares
 * the reading of what is only overwritten, and took 0.6 of the time for 64 MiB on one processor,
 * but 1.6 times as long for 8 MiB on another. In pieces, copies stay in the caches. The C library
 * lets the processor copy by itself, which pays about where a cache is full. Nothing but trying
 * tells: so each size has {@link Rivals}.
 */
public final class LargeCopy {
  /** Bytes from which on the way matters. */
  static final long LEAST = 256 << 10;

  /** Sizes by their powers of two; all from the last on are one. */
  private static final int SIZES = 10;

  /**
   * Bytes of a row. Copies of 8 MiB were not yet after 32 what they became; after 256 they were.
   */
  private static final long ROW_BYTES = 256 << 20;

  /** Below 4 KiB the JVM's vectors have 32 bytes, which some processors are faster with. */
  private static final long PIECE = 4032;

  /** A way to copy. */
  enum Way {
    /** As the JVM does. */
    WHOLE,
    PIECEWISE,
    /** As the C library does. */
    LIBRARY;

    static final Way[] ALL = values();

    void copy(MemorySegment from, long at, MemorySegment to, long toAt, long bytes) {
      switch (this) {
        case WHOLE -> MemorySegment.copy(from, at, to, toAt, bytes);
        case PIECEWISE -> {
          for (long done = 0; done < bytes; done += PIECE) {
            MemorySegment.copy(from, at + done, to, toAt + done, Math.min(PIECE, bytes - done));
          }
        }
        case LIBRARY -> memcpy(to.asSlice(toAt, bytes), from.asSlice(at, bytes), bytes);
      }
    }
  }

  private static final MethodHandle MEMCPY = link();

  private static final Rivals[] RIVALS =
      IntStream.range(0, SIZES)
          .mapToObj(i -> new Rivals(Way.ALL.length, (int) Math.max(4, (ROW_BYTES / LEAST) >> i)))
          .toArray(Rivals[]::new);

  private LargeCopy() {}

  /** Copies as {@link MemorySegment#copy(MemorySegment, long, MemorySegment, long, long)} does. */
  public static void copy(MemorySegment from, long at, MemorySegment to, long toAt, long bytes) {
    if (bytes < LEAST || !areApart(from, at, to, toAt, bytes)) {
      MemorySegment.copy(from, at, to, toAt, bytes);
      return;
    }
    int size = Long.numberOfTrailingZeros(Long.highestOneBit(bytes / LEAST));
    Rivals rivals = RIVALS[Math.min(size, SIZES - 1)];
    long turn = rivals.turn();
    int way = rivals.way(turn);
    long start = rivals.counts(turn) ? System.nanoTime() : 0;
    Way.ALL[way].copy(from, at, to, toAt, bytes);
    if (start != 0) {
      rivals.took(turn, System.nanoTime() - start, bytes);
    }
  }

  /** Whether both are native, and no byte of the one is the other's. */
  private static boolean areApart(
      MemorySegment from, long at, MemorySegment to, long toAt, long bytes) {
    return from.isNative()
        && to.isNative()
        && Math.abs(from.address() + at - to.address() - toAt) >= bytes;
  }

  private static void memcpy(MemorySegment to, MemorySegment from, long bytes) {
    if (to.isReadOnly()) {
      throw new IllegalArgumentException("the memory to copy to is read-only");
    }
    try {
      MEMCPY.invokeExact(to, from, bytes);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("memcpy throws nothing of its own", e);
    }
  }

  @SuppressWarnings("restricted")
  private static MethodHandle link() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("memcpy"),
        FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, JAVA_LONG));
  }
}
