package dev.jcomms.testkit.reference;

import dev.jcomms.CommAbortedException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.store.Store;
import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Every wait of one communicator: for keys of the store, until they are there, the deadline has
 * passed, the thread is interrupted, or a rank has aborted. Any thread.
 *
 * <p>An abort is one key of the store. Whoever waits looks for it after every slice, so ranks learn
 * of it without waiting out their own deadlines. What has arrived counts even then: all ranks that
 * can know why an operation failed say so, whoever aborts first.
 */
final class Waits {
  private static final Duration SLICE = Duration.ofMillis(40);
  private static final String ABORT = "abort";

  private final Store store;
  private final int rank;
  private volatile String reason;

  Waits(Store store, int rank) {
    this.store = store;
    this.rank = rank;
  }

  /** Returns when all keys are there; each is owed by a rank, which an error names. */
  void await(Map<String, Integer> owed, Deadline deadline) {
    List<String> keys = List.copyOf(owed.keySet());
    while (true) {
      try {
        store.await(keys, deadline.left(SLICE));
        return;
      } catch (StoreTimeoutException e) {
        if (knowsAbort()) {
          if (store.check(keys)) {
            return;
          }
          throw new CommAbortedException(reason);
        }
        if (deadline.passed()) {
          throw timedOut(owed, deadline);
        }
      } catch (StoreException e) {
        throw meaning(e);
      }
    }
  }

  private CommTimeoutException timedOut(Map<String, Integer> owed, Deadline deadline) {
    Set<Integer> missing = new TreeSet<>();
    owed.forEach(
        (key, owner) -> {
          if (!store.check(List.of(key))) {
            missing.add(owner);
          }
        });
    return new CommTimeoutException(deadline.timeout(), "waiting for ranks " + missing, missing);
  }

  /**
   * What a store's failure means: an interrupt gives the operation up, the rest is the store's own.
   */
  static RuntimeException meaning(StoreException e) {
    return e.getCause() instanceof InterruptedException
        ? new CommAbortedException("the waiting thread was interrupted", e)
        : e;
  }

  /** Whether this rank knows of an abort. */
  boolean isAborted() {
    return reason != null;
  }

  /** Refuses to go on once any rank has aborted. */
  void requireNoAbort() {
    if (knowsAbort()) {
      throw new CommAbortedException(reason);
    }
  }

  private boolean knowsAbort() {
    if (reason == null && store.check(List.of(ABORT))) {
      reason = new String(store.get(ABORT), StandardCharsets.UTF_8);
    }
    return reason != null;
  }

  /** Ends the waits of all ranks. */
  void abort(String why) {
    if (reason == null) {
      reason = why;
    }
    try {
      // Those who end because of it abort too: the first reason is the one that matters.
      store.compareSet(
          ABORT, new byte[0], ("rank " + rank + ": " + why).getBytes(StandardCharsets.UTF_8));
    } catch (StoreException | IllegalStateException e) {
      // The others cannot be told: they have lost the store too, or have ended with it.
    }
  }
}
