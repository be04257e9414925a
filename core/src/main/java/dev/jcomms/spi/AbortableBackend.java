package dev.jcomms.spi;

import dev.jcomms.CommException;

/**
 * A backend whose waiting operations can be woken. Without it, core interrupts the waiting thread.
 */
public interface AbortableBackend extends Backend {
  /**
   * Ends every operation under way with {@link dev.jcomms.CommAbortedException}. Any thread; called
   * once at most.
   */
  void abort(String reason);

  /**
   * As {@link #abort}, called instead of it where core has found a peer gone, or that ranks
   * disagree: the other ranks are to learn that, not that this one gave up.
   */
  default void fail(CommException failure) {
    abort(failure.getMessage());
  }
}
