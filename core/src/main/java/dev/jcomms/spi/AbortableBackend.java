package dev.jcomms.spi;

/**
 * A backend whose waiting operations can be woken. Without it, core interrupts the waiting thread.
 */
public interface AbortableBackend extends Backend {
  /**
   * Ends every operation under way with {@link dev.jcomms.CommAbortedException}. Any thread; called
   * once at most.
   */
  void abort(String reason);
}
