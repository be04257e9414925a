package dev.jcomms.jccl.internal.transport;

import dev.jcomms.BootstrapException;
import dev.jcomms.CommException;
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
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Where ranks pin up what the others must know, in the communicator's store. For set-up: an
 * exchange is a few round trips to the store, not to a peer. Any thread.
 */
public final class Bulletin {
  /** So long a wait lasts before it looks whether the others can still come. */
  private static final long SLICE_NANOS = 50_000_000;

  /** How often to look for a lost rank when the store has failed, which may have been with it. */
  private static final int LAST_LOOKS = 100;

  private static final long LAST_PAUSE_NANOS = 10_000_000;

  /** So many texts of a rank hang here before it takes down those that all have read. */
  private static final int MANY = 32;

  /** What all texts begin with: a store looks twice at an empty value. */
  private static final String TEXT = "=";

  private final Store store;
  private final int rank;
  private final int size;
  private final Duration timeout;
  private final Alarm alarm;
  private volatile IntFunction<CommException> left = _ -> null;

  private final ConcurrentLinkedQueue<String> pinned = new ConcurrentLinkedQueue<>();

  /** The alarm ends its waits. */
  public Bulletin(BackendContext context, Alarm alarm) {
    this.alarm = alarm;
    this.store = context.store();
    this.rank = context.rank();
    this.size = context.size();
    this.timeout = context.timeout();
  }

  /** Tells of ranks that take part no more, and why: who has pinned up nothing, will not. */
  public void excuse(IntFunction<CommException> left) {
    this.left = left;
  }

  /** Every rank's text about a topic, by rank. Collective; a topic is used once. */
  public List<String> exchange(String topic, String mine) {
    return exchange(topic, mine, timeout);
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
    return posted(topic, mine, among, timeout);
  }

  /** Pins up this rank's text about a topic, for an exchange of which the rest follows. */
  public void post(String topic, String mine) {
    if (size > 1) {
      pin(topic + "/" + rank, mine);
    }
  }

  /** The rest of an exchange, after {@link #post}. */
  public List<String> posted(String topic, String mine, Duration timeout) {
    return posted(topic, mine, IntStream.range(0, size).boxed().toList(), timeout);
  }

  private List<String> posted(String topic, String mine, List<Integer> among, Duration timeout) {
    String[] all = new String[size];
    all[rank] = mine;
    List<Integer> others = among.stream().filter(r -> r != rank).toList();
    List<byte[]> told;
    try {
      told = read(topic, others, System.nanoTime() + timeout.toNanos());
    } catch (StoreException e) {
      throw explain(e);
    }
    for (int i = 0; i < told.size(); i++) {
      all[others.get(i)] = new String(told.get(i), StandardCharsets.UTF_8).substring(TEXT.length());
    }
    if (among.size() == size && pinned.size() > MANY) {
      takeDown(topic);
    }
    return Arrays.asList(all);
  }

  /** All have come to a topic, one after the other: so nobody reads those before it any more. */
  private void takeDown(String topic) {
    List<String> read = pinned.stream().takeWhile(key -> !key.equals(topic + "/" + rank)).toList();
    try {
      store.multiDelete(read);
    } catch (StoreException e) {
      throw explain(e);
    }
    pinned.removeAll(read);
  }

  private void pin(String key, String text) {
    try {
      store.set(key, (TEXT + text).getBytes(StandardCharsets.UTF_8));
    } catch (StoreException e) {
      throw explain(e);
    }
    pinned.add(key);
  }

  /**
   * The store has failed.
   *
   * @throws CommException if that was with a rank that is lost: its process may have had the store
   */
  private StoreException explain(StoreException failure) {
    boolean interrupted = failure.getCause() instanceof InterruptedException;
    for (int look = 0; look < LAST_LOOKS && !interrupted; look++) {
      alarm.look();
      alarm.check();
      for (int r = 0; r < size; r++) {
        CommException reason = r == rank ? null : left.apply(r);
        if (reason != null) {
          throw reason.again();
        }
      }
      // A process that ends lets go of its connections first.
      LockSupport.parkNanos(LAST_PAUSE_NANOS);
      interrupted = Thread.currentThread().isInterrupted();
    }
    return failure;
  }

  /** What ranks have under a topic, waiting for it until a time; one trip for all of it. */
  private List<byte[]> read(String topic, List<Integer> from, long deadlineNanos) {
    List<String> keys = from.stream().map(r -> topic + "/" + r).toList();
    while (!keys.isEmpty()) {
      long left = deadlineNanos - System.nanoTime();
      try {
        return store.multiGet(keys, Duration.ofNanos(Math.clamp(left, 1, SLICE_NANOS)));
      } catch (StoreTimeoutException e) {
        alarm.look();
        alarm.check();
        from.forEach(r -> requirePresent(topic, r));
        if (left <= SLICE_NANOS) {
          Set<Integer> missing = missing(topic, from);
          throw new BootstrapException(
              "jccl: ranks " + missing + " have not told their '" + topic + "'", missing, e);
        }
      }
    }
    return List.of();
  }

  private void requirePresent(String topic, int from) {
    CommException reason = left.apply(from);
    if (reason != null && !store.check(List.of(topic + "/" + from))) {
      throw reason.again();
    }
  }

  private Set<Integer> missing(String topic, List<Integer> from) {
    Set<Integer> missing = new TreeSet<>();
    for (int r : from) {
      if (!store.check(List.of(topic + "/" + r))) {
        missing.add(r);
      }
    }
    return missing;
  }
}
