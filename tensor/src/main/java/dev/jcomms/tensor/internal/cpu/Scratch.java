package dev.jcomms.tensor.internal.cpu;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Native memory of one thread, for a few blocks of elements; small enough to stay in cache. */
public final class Scratch {
  /** Elements of a block. */
  static final int BLOCK = 1024;

  /** Blocks of the widest carrier that a thread has. */
  static final int BLOCKS = 7;

  private static final ThreadLocal<Scratch> MINE = ThreadLocal.withInitial(Scratch::new);

  private final MemorySegment memory = Arena.ofAuto().allocate((long) BLOCKS * BLOCK * 8, 64);

  private Scratch() {}

  static Scratch mine() {
    return MINE.get();
  }

  /** What a loop in stages keeps between them: a block that nobody else uses. */
  public static long between() {
    return mine().block(BLOCKS - 1);
  }

  /** The address of a block; valid for this thread, as long as the thread keeps the scratch. */
  long block(int which) {
    return memory.address() + (long) which * BLOCK * 8;
  }
}
