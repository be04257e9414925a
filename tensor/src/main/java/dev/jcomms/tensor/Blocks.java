package dev.jcomms.tensor;

import dev.jcomms.tensor.internal.memory.FileRanges;
import dev.jcomms.tensor.spi.TensorMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Native memory for tensors that are not small, kept for the next tensor of about its size when the
 * garbage collector has found the last one unreachable. New memory is dear: the kernel zeroes and
 * maps it page by page, for longer than an operator takes to fill it. What is handed out again
 * holds what it held.
 *
 * <p>Blocks of a page and more are in the process's {@linkplain TensorMemory file}, while there is
 * room, so that ranks of the same host can read tensors where they are.
 *
 * <p>The collector sees small headers and not what hangs on them, so it would come far too late. So
 * each block leaves some garbage on the heap; and where much is lent and nothing there to reuse,
 * the collector is called. How much that is grows with what turns out to be in use.
 */
final class Blocks {
  /** Four sizes in each doubling: at most a quarter is lost, but of few pages. */
  private static final int STEPS = 4;

  private static final int CLASSES = 64 * STEPS;

  /** Blocks are whole pages from one page on; those are in the file. */
  private static final long PAGE = 4 << 10;

  /** The largest block: larger memory is freed, not kept, and no longer than it must be. */
  private static final long LARGEST = 1L << 30;

  /** The most that is kept unused: a quarter of what the JVM may take for its heap. */
  private static final long MOST_KEPT =
      Long.getLong("jcomms.memory.kept", Math.max(64L << 20, Runtime.getRuntime().maxMemory() / 4));

  /** Lent bytes above which the collector is called, as long as less is in use. */
  private static final long LEAST_LIMIT = Math.min(1L << 30, Runtime.getRuntime().maxMemory() / 4);

  /** A collection has found no more if nothing came back for so long. */
  private static final int STILL_MILLIS = 20;

  /** How long to wait for what a collection has found, whatever still comes back. */
  private static final int MOST_MILLIS = 2000;

  private static final long MOST_GARBAGE = 1 << 20;

  private static final Blocks ALL = new Blocks();

  private final List<ConcurrentLinkedDeque<Block>> free =
      Stream.generate(ConcurrentLinkedDeque<Block>::new).limit(CLASSES).toList();
  private final FileRanges shared = new FileRanges(CLASSES);
  private final AtomicLong kept = new AtomicLong();
  private final AtomicLong lent = new AtomicLong();
  private final ReentrantLock collecting = new ReentrantLock();
  private volatile long limit = LEAST_LIMIT;

  /** When a block of each class was last asked for, as {@code nanoTime}; of any thread. */
  private final AtomicLongArray asked = new AtomicLongArray(CLASSES);

  /** Somewhere to put garbage, so that it is not optimised away. */
  private static volatile byte[] garbage;

  /** Memory, and the arena that frees it; null for a range of the file. */
  private record Block(MemorySegment memory, Arena arena, int index) {}

  private Blocks() {}

  /** Of any content, aligned to {@link Storage#ALIGNMENT} bytes. */
  static MemorySegment allocate(long bytes) {
    return ALL.take(bytes, false);
  }

  /** Of zeros, aligned alike. */
  static MemorySegment allocateZeroed(long bytes) {
    return ALL.take(bytes, true);
  }

  private MemorySegment take(long bytes, boolean zeroed) {
    if (bytes > LARGEST) {
      return Arena.ofAuto().allocate(bytes, Storage.ALIGNMENT);
    }
    int index = index(bytes);
    asked.setPlain(index, System.nanoTime());
    litter(bytes / 32);
    Block block = free.get(index).pollLast();
    if (block == null && lent.get() + bytes > limit) {
      collect(bytes);
      block = free.get(index).pollLast();
    }
    if (block == null) {
      block = fresh(index);
    } else {
      kept.addAndGet(-block.memory.byteSize());
      if (zeroed) {
        block.memory.asSlice(0, bytes).fill((byte) 0);
      }
    }
    lent.addAndGet(block.memory.byteSize());
    return lend(block, bytes);
  }

  /**
   * Calls the collector if so many bytes are more than may be lent, and waits until all that it
   * found has come back: whoever asks for memory faster than it comes back would otherwise have
   * ever more. One thread does it for all, and the others wait.
   */
  private void collect(long bytes) {
    collecting.lock();
    try {
      if (lent.get() + bytes <= limit) {
        return; // another has done it meanwhile
      }
      System.gc();
      long least = lent.get();
      int still = 0;
      for (int i = 0; i < MOST_MILLIS && still < STILL_MILLIS; i++) {
        LockSupport.parkNanos(1_000_000);
        long now = lent.get();
        still = now < least ? 0 : still + 1;
        least = Math.min(least, now);
      }
      limit = Math.max(LEAST_LIMIT, 2 * least);
    } finally {
      collecting.unlock();
    }
  }

  /** Everything cut from this keeps the arena reachable; afterwards the block comes back. */
  @SuppressWarnings("restricted")
  private MemorySegment lend(Block block, long bytes) {
    return block.memory.asSlice(0, bytes).reinterpret(Arena.ofAuto(), _ -> give(block));
  }

  private void give(Block block) {
    lent.addAndGet(-block.memory.byteSize());
    if (block.arena == null && shared.isWithdrawn(block.memory)) {
      release(block);
      return;
    }
    free.get(block.index).addLast(block);
    long now = kept.addAndGet(block.memory.byteSize());
    while (now > MOST_KEPT) {
      Block old = stalest();
      if (old == null) {
        return; // others have taken them
      }
      now = kept.addAndGet(-old.memory.byteSize());
      release(old);
    }
  }

  /** Of the blocks that are kept, one of the class that nobody has asked for longest; or null. */
  private Block stalest() {
    long now = System.nanoTime();
    int stalest = -1;
    long age = -1;
    for (int index = 0; index < CLASSES; index++) {
      long since = now - asked.getPlain(index);
      if (since > age && !free.get(index).isEmpty()) {
        stalest = index;
        age = since;
      }
    }
    return stalest < 0 ? null : free.get(stalest).pollFirst();
  }

  private void release(Block block) {
    if (block.arena == null) {
      shared.give(block.index, block.memory);
    } else {
      block.arena.close();
    }
  }

  /** Of zeros. */
  private Block fresh(int index) {
    MemorySegment range = size(index) < PAGE ? null : shared.take(index, size(index));
    if (range != null) {
      return new Block(range, null, index);
    }
    try {
      return allocated(index);
    } catch (OutOfMemoryError e) {
      drop(); // what other sizes keep counts against the same limit
      return allocated(index);
    }
  }

  private static Block allocated(int index) {
    Arena arena = Arena.ofShared();
    try {
      return new Block(arena.allocate(size(index), Storage.ALIGNMENT), arena, index);
    } catch (OutOfMemoryError e) {
      arena.close();
      throw e;
    }
  }

  private void drop() {
    for (ConcurrentLinkedDeque<Block> list : free) {
      for (Block b = list.pollLast(); b != null; b = list.pollLast()) {
        kept.addAndGet(-b.memory.byteSize());
        release(b);
      }
    }
  }

  private static void litter(long bytes) {
    garbage = new byte[(int) Math.min(MOST_GARBAGE, bytes)];
  }

  /** The class whose blocks are the smallest that hold so many bytes. */
  static int index(long bytes) {
    long n = Math.max(Storage.ALIGNMENT * STEPS, bytes);
    if (n > PAGE) {
      n = (n + PAGE - 1) & -PAGE;
    }
    int doubling = 63 - Long.numberOfLeadingZeros(n);
    long base = 1L << doubling;
    long step = base / STEPS;
    int over = (int) ((n - base + step - 1) / step);
    return doubling * STEPS + over;
  }

  /** Bytes of the blocks of a class. */
  static long size(int index) {
    long base = 1L << index / STEPS;
    return base + index % STEPS * (base / STEPS);
  }
}
