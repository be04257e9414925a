package dev.jcomms.testkit;

import dev.jcomms.store.Store;

/**
 * One content to be tried, empty at first, and clients of it. Made anew for each scenario, and
 * closed after it. {@link #open} is called by any thread.
 */
public interface StoreSource extends AutoCloseable {
  /** One more client of this content; the kit closes it. */
  Store open();

  /** Whether the store has queues; one that has none must say so when they are used. */
  default boolean hasQueues() {
    return true;
  }

  /** Frees the content, once all clients are closed. */
  @Override
  default void close() {}
}
