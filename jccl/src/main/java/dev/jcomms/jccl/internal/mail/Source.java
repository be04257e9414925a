package dev.jcomms.jccl.internal.mail;

import java.lang.foreign.MemorySegment;

/**
 * Something that has frames for a peer, one or several, and is asked for them one after the other.
 * Used under the mailroom's guard.
 */
abstract class Source {
  /**
   * Fills in its next frame's header, which is cleared.
   *
   * @return false if there is nothing to send any more
   */
  abstract boolean next(Header header);

  /** The memory that the payload of its frame is in; null where it has none. */
  MemorySegment payload() {
    return null;
  }

  /** Where in {@link #payload()} the frame's begins. */
  long payloadAt() {
    return 0;
  }

  /**
   * Says that the frame has been written.
   *
   * @return whether there are more
   */
  boolean written(Header header) {
    return false;
  }

  /** Says that the memory of its payload cannot be read. */
  void spoiled(RuntimeException e) {
    throw e;
  }
}
