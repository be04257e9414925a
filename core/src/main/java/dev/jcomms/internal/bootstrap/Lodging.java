package dev.jcomms.internal.bootstrap;

import dev.jcomms.store.Store;
import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreSecret;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Where the ranks of a job meet, and what has to be tidied up when the last communicator of this
 * rank has left.
 *
 * <p>Shared by a communicator and those split from it: each enters and leaves once.
 */
public final class Lodging {
  private static final Duration FAREWELL = Duration.ofSeconds(10);

  private final Store store;
  private final Optional<StoreSecret> secret;
  private final Deque<Runnable> tidying = new ArrayDeque<>();
  private int guests;

  Lodging(Store store, Optional<StoreSecret> secret) {
    this.store = store;
    this.secret = secret;
  }

  /** The job's store, keys of all communicators in it. */
  public Store store() {
    return store;
  }

  /** The job's secret, if it has one. */
  public Optional<StoreSecret> secret() {
    return secret;
  }

  /** Done when the last has left, the newest first. */
  synchronized Lodging tidy(Runnable action) {
    tidying.push(action);
    return this;
  }

  /** One communicator more. */
  public synchronized Lodging enter() {
    guests++;
    return this;
  }

  /** One communicator less. */
  public synchronized void leave() {
    if (--guests == 0) {
      while (!tidying.isEmpty()) {
        tidying.pop().run();
      }
    }
  }

  /**
   * Keeps a store that this rank hosts open until the other ranks have left too, or a short while
   * has passed: a rank that is still reading when its host goes would take that for a failure.
   */
  static void waitForOthers(Store store, String key, int rank, int size, boolean host) {
    try {
      if (host) {
        store.barrier(key, size, FAREWELL);
      } else {
        store.add(key, 1);
      }
    } catch (StoreException | IllegalStateException e) {
      // A rank that has died, or a host that has gone, says no farewell.
    }
  }
}
