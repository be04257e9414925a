package dev.jcomms.jccl.internal.mail;

import java.lang.foreign.MemorySegment;

/** Where the payload of one frame goes. Used under the mailroom's guard. */
interface Sink {
  /** The memory; null if nobody wants it any more. Asked for before each piece. */
  MemorySegment memory();

  /** Where in {@link #memory()} the frame's payload begins. */
  default long at() {
    return 0;
  }

  /** Says that all of it has come. */
  void filled();

  /** Says that the memory cannot be written. From now on there is none. */
  void spoiled(RuntimeException e);
}
