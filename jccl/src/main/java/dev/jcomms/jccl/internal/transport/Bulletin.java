package dev.jcomms.jccl.internal.transport;

import dev.jcomms.BootstrapException;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.store.Store;
import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

/**
 * Where ranks pin up what the others must know, in the communicator's store. For set-up: an
 * exchange is a few round trips to the store, not to a peer. Any thread.
 */
public final class Bulletin {
  private final Store store;
  private final int rank;
  private final int size;
  private final Duration timeout;
  private final ConcurrentLinkedQueue<String> pinned = new ConcurrentLinkedQueue<>();

  public Bulletin(BackendContext context) {
    this.store = context.store();
    this.rank = context.rank();
    this.size = context.size();
    this.timeout = context.timeout();
  }

  /** Every rank's text about a topic, by rank. Collective; a topic is used once. */
  public List<String> exchange(String topic, String mine) {
    return exchange(topic, mine, timeout);
  }

  /** A text that is the same on all ranks and was never used before. Collective. */
  public String unique(String topic) {
    return exchange(topic, rank == 0 ? UUID.randomUUID().toString() : "").getFirst();
  }

  /** Every rank's text about a topic, by rank, within a time. */
  public List<String> exchange(String topic, String mine, Duration timeout) {
    return exchange(topic, mine, IntStream.range(0, size).boxed().toList(), timeout);
  }

  /** The texts of some ranks about a topic, by rank, null for the others. Collective over them. */
  public List<String> exchange(String topic, String mine, List<Integer> among, Duration timeout) {
    if (among.size() > 1) {
      pin(topic + "/" + rank, mine);
    }
    String[] all = new String[size];
    long deadline = System.nanoTime() + timeout.toNanos();
    for (int r : among) {
      all[r] = r == rank ? mine : read(topic, r, deadline);
    }
    return Arrays.asList(all);
  }

  /** Pins up a text under a key. */
  public void pin(String key, String text) {
    store.set(key, text.getBytes(StandardCharsets.UTF_8));
    pinned.add(key);
  }

  /** The text under a topic's key of a rank, waiting for it until a time. */
  private String read(String topic, int from, long deadlineNanos) {
    try {
      Duration left = Duration.ofNanos(Math.max(1, deadlineNanos - System.nanoTime()));
      return new String(store.get(topic + "/" + from, left), StandardCharsets.UTF_8);
    } catch (StoreTimeoutException e) {
      Set<Integer> missing = missing(topic);
      throw new BootstrapException(
          "jccl: ranks " + missing + " have not told their '" + topic + "'", missing, e);
    }
  }

  private Set<Integer> missing(String topic) {
    Set<Integer> missing = new TreeSet<>();
    for (int r = 0; r < size; r++) {
      if (!store.check(List.of(topic + "/" + r))) {
        missing.add(r);
      }
    }
    return missing;
  }

  /**
   * Takes down what this rank has pinned up, when all have read it: when every rank has come here.
   * The last one to come takes down everything.
   */
  public void clear() {
    if (size == 1) {
      return; // it has pinned up nothing
    }
    try {
      for (String key : pinned) {
        store.append("pinned", (key + "\n").getBytes(StandardCharsets.UTF_8));
      }
      if (store.add("left", 1) == size) {
        for (String key : new String(store.get("pinned", timeout)).split("\n")) {
          store.delete(key);
        }
        store.delete("pinned");
        store.delete("left");
      }
    } catch (StoreException | IllegalStateException e) {
      // The store has gone before us: nobody will miss the keys.
    }
  }
}
