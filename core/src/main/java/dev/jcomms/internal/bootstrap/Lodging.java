package dev.jcomms.internal.bootstrap;

import dev.jcomms.internal.store.tcp.TcpClient;
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
  private final boolean own;
  private boolean atFirstRank;
  private String arrivals;
  private int guests;

  /** Of all that have left so far: one that saw a failure knows what the last one may not. */
  private Duration leastPatience;

  private Lodging(Store store, Optional<StoreSecret> secret, boolean own) {
    this.store = store;
    this.secret = secret;
    this.own = own;
  }

  /** At a store of its own. */
  Lodging(Store store, Optional<StoreSecret> secret) {
    this(store, secret, true);
  }

  /** At a store that was given. */
  static Lodging at(Store given, Optional<StoreSecret> secret) {
    return new Lodging(given, secret, false);
  }

  /** The job's store, keys of all communicators in it. */
  public Store store() {
    return store;
  }

  /**
   * The ranks have met: from now on a store that does not answer for so long counts as lost, as a
   * rank does. A store that was given is its owner's to be patient with.
   */
  public void requireAnswersWithin(Duration limit) {
    if (own && store instanceof TcpClient client) {
      client.requireAnswersWithin(limit);
    }
  }

  /** The job's store, where nothing is waited for longer that can be answered at once. */
  public Store store(Duration patience) {
    return store instanceof TcpClient client ? client.inAHurry(patience) : store;
  }

  /** Whether the first rank of the job has the store in its process. */
  public boolean isAtFirstRank() {
    return atFirstRank;
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

  /**
   * Makes it as if this rank had never come, since no other has: its next attempt is the first for
   * all. There is nobody to part from then.
   */
  public synchronized void uncount(Store soon) {
    if (arrivals != null) {
      soon.add(arrivals, -1);
      arrivals = null;
    }
  }

  /** One communicator more. */
  public synchronized Lodging enter() {
    guests++;
    return this;
  }

  /**
   * One communicator less; the last one waits for the other ranks, if it has to, as long as the one
   * with the least patience would have.
   */
  public synchronized void leave(Duration patience) {
    if (leastPatience == null || patience.compareTo(leastPatience) < 0) {
      leastPatience = patience;
    }
    if (--guests == 0) {
      tidyUp(leastPatience);
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
    atFirstRank = true;
    try {
      // The k-th lodging of this rank belongs with the k-th of the others.
      arrivals = key + "/arrived/" + rank;
      farewell = key + "/" + store.add(arrivals, 1) + "/";
    } catch (RuntimeException e) {
      tidyUp(Duration.ZERO);
      throw e;
    }
    return tidy(
        patience -> {
          if (arrivals == null) {
            return;
          }
          try {
            Store soon = store(patience);
            soon.set(farewell + rank, new byte[0]);
            if (host) {
              soon.await(IntStream.range(0, size).mapToObj(r -> farewell + r).toList(), patience);
            }
          } catch (StoreException | IllegalStateException e) {
            // A rank that has died, or a host that has gone, says no farewell.
          }
        });
  }
}
