package dev.jcomms.jccl.internal.transport;

import java.lang.foreign.MemorySegment;

/** What has to be known of a user's memory before others touch it. */
public final class UserMemory {
  /** Any thread but the user's. */
  private static final Thread ANOTHER = Thread.ofPlatform().unstarted(() -> {});

  private UserMemory() {}

  /** Whether any thread may touch it: not where it belongs to one. */
  public static boolean isEverybodys(MemorySegment segment) {
    return segment.isAccessibleBy(ANOTHER);
  }

  /**
   * Refuses memory that was freed, before anybody hears of the operation: the kernel and packets
   * have addresses alone, and find there whatever is there by then.
   *
   * @throws IllegalArgumentException so that the next operation is none the worse for it
   */
  public static void requireAlive(MemorySegment segment) {
    if (!segment.scope().isAlive()) {
      throw new IllegalArgumentException("the tensor's memory was freed: its arena is closed");
    }
  }
}
