package dev.jcomms.testkit.reference;

import dev.jcomms.store.Store;
import java.time.Duration;
import java.util.List;

/**
 * A queue with many writers and one reader, of counters and keys alone: not every store has queues.
 * Entries are taken in the order their writers took a number.
 */
final class Mailbox {
  private final Store store;
  private final String key;
  private long taken;

  Mailbox(Store store, String key) {
    this.store = store;
    this.key = key;
  }

  /** Adds an entry. Any thread of any rank. */
  void push(byte[] entry) {
    long number = store.add(key + "/count", 1);
    store.set(key + "/" + number, entry);
  }

  /**
   * Takes the first entry. The owner's one reader.
   *
   * @throws dev.jcomms.store.StoreTimeoutException if there is none within the time
   */
  byte[] take(Duration most) {
    String next = key + "/" + (taken + 1);
    store.await(List.of(next), most);
    byte[] entry = store.get(next);
    store.delete(next);
    taken++;
    return entry;
  }
}
