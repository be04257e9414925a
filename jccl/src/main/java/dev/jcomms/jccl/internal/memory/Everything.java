package dev.jcomms.jccl.internal.memory;

import java.lang.foreign.MemorySegment;

/**
 * All memory of this process as one segment, in which offsets are addresses.
 *
 * <p>A constant: an access through it is compiled to a few instructions. A segment in a field is
 * asked each time whether it is alive, whose it is and how long, which takes about thirty; where
 * code has met heap and native ones, virtual calls.
 *
 * <p>Who goes this way has made sure that the memory is there, and sees to it that it stays.
 */
public final class Everything {
  @SuppressWarnings("restricted")
  public static final MemorySegment EVERYTHING = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private Everything() {}
}
