package dev.jcomms.internal.bootstrap;

import dev.jcomms.internal.store.tcp.TcpClient;
import dev.jcomms.store.Store;
import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreSecret;
import dev.jcomms.store.StoreTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
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
  private final Deque<Runnable> tidying = new ArrayDeque<>();
  private final boolean own;
  private boolean atFirstRank;
  private String arrivals;
  private int guests;

  /**
   * How long each rank is waited for in the end, as the last communicator has left it that had this
   * rank: a failure among some says nothing of the others, and one in which all was well later
   * outdoes one before it.
   */
  private Duration[] patience = {};

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

  /** Whether the store has ended, for everybody: not only this rank's way to it. Asks its host. */
  public boolean isStoreGone() {
    return store instanceof TcpClient client && client.isGone();
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
    tidying.push(action);
    return this;
  }

  /** Leaves another lodging too, once all is done here. */
  public synchronized void leaveLast(Lodging other, Duration wait) {
    tidying.addLast(() -> other.leave(wait));
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

  /** One less, that had all ranks: in the end they are waited for so long, if at all. */
  public synchronized void leave(Duration wait) {
    Arrays.fill(patience, wait);
    depart();
  }

  /** One less, that had these ranks: in the end they are waited for so long, if at all. */
  public synchronized void leave(List<Integer> ranks, Duration wait) {
    for (int rank : ranks) {
      if (rank < patience.length) {
        patience[rank] = wait;
      }
    }
    depart();
  }

  private void depart() {
    if (--guests == 0) {
      tidyUp();
    }
  }

  private void tidyUp() {
    while (!tidying.isEmpty()) {
      tidying.pop().run();
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
      tidyUp();
      throw e;
    }
    patience = new Duration[size];
    Arrays.fill(patience, Duration.ZERO);
    return tidy(
        () -> {
          if (arrivals == null) {
            return;
          }
          try {
            store(patience[0]).set(farewell + rank, new byte[0]);
            if (host) {
              awaitFarewells(farewell);
            }
          } catch (StoreException | IllegalStateException e) {
            // A host that has gone hears no farewell.
          }
        });
  }

  /** The least patience first: who has died says none, and costs the others nothing. */
  private void awaitFarewells(String farewell) {
    long start = System.nanoTime();
    for (Duration wait : new TreeSet<>(Arrays.asList(patience))) {
      List<String> keys =
          IntStream.range(0, patience.length)
              .filter(r -> patience[r].equals(wait))
              .mapToObj(r -> farewell + r)
              .toList();
      long left = wait.toNanos() - (System.nanoTime() - start);
      try {
        store(wait).await(keys, Duration.ofNanos(Math.max(0, left)));
      } catch (StoreTimeoutException e) {
        // They do not come.
      }
    }
  }
}
