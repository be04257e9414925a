package dev.jcomms.internal.bootstrap;

import dev.jcomms.store.Store;
import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreSecret;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Where the ranks of a job meet, and what has to be tidied up when the last communicator of this
 * rank has left.
 *
 * <p>Shared by a communicator and those split from it: each enters and leaves once.
 */
public final class Lodging {
  private final Store store;
  private final Optional<StoreSecret> secret;
  private final Deque<Consumer<Duration>> tidying = new ArrayDeque<>();
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
  Lodging tidy(Runnable action) {
    tidying.push(_ -> action.run());
    return this;
  }

  /** As {@link #tidy(Runnable)}, told how long it may take. */
  Lodging tidy(Consumer<Duration> action) {
    tidying.push(action);
    return this;
  }

  /** Leaves another lodging too, once all is done here. */
  public synchronized void leaveLast(Lodging other, Duration patience) {
    tidying.addLast(_ -> other.leave(patience));
  }

  /** One communicator more. */
  public synchronized Lodging enter() {
    guests++;
    return this;
  }

  /** One communicator less; the last one waits so long for the other ranks, if it has to. */
  public synchronized void leave(Duration patience) {
    if (--guests == 0) {
      tidyUp(patience);
    }
  }

  private void tidyUp(Duration patience) {
    while (!tidying.isEmpty()) {
      tidying.pop().accept(patience);
    }
  }

  /**
   * Says farewell in the end. The rank that hosts the store waits for everybody's, as long as it
   * has patience: its process may end next, and a rank that is still reading when its host goes
   * would take that for a failure.
   */
  Lodging partTogether(String key, int rank, int size, boolean host) {
    String farewell;
    try {
      // The k-th lodging of this rank belongs with the k-th of the others.
      farewell = key + "/" + store.add(key + "/arrived/" + rank, 1) + "/";
    } catch (RuntimeException e) {
      tidyUp(Duration.ZERO);
      throw e;
    }
    return tidy(
        patience -> {
          try {
            store.set(farewell + rank, new byte[0]);
            if (host) {
              store.await(IntStream.range(0, size).mapToObj(r -> farewell + r).toList(), patience);
            }
          } catch (StoreException | IllegalStateException e) {
            // A rank that has died, or a host that has gone, says no farewell.
          }
        });
  }
}
