package dev.jcomms.internal.store;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * What a store holds and who waits for it: keys, queues and waiters, without threads or sockets.
 *
 * <p>The results are those of PyTorch's libuv store, with two differences, both for waiters: a
 * {@code compareSet} that leaves a key absent wakes nobody, and a queue that has values counts as
 * present also where other keys are waited for with it.
 *
 * <p>Not safe for threads: one owner at a time. Values are kept and returned as they are; the owner
 * copies where that matters.
 */
public final class StoreState {
  /** What an entry costs beside its bytes, roughly: map node, string, two array headers. */
  private static final int ENTRY_BYTES = 128;

  private final Map<String, byte[]> values = new HashMap<>();
  private final Map<String, ArrayDeque<byte[]>> queues = new HashMap<>();
  private final Map<String, LinkedHashSet<Waiter>> waiters = new HashMap<>();
  private final Budget budget;
  private final long valueBytes;

  /** An empty state that charges what it holds to {@code budget}. */
  public StoreState(Budget budget, long valueBytes) {
    this.budget = budget;
    this.valueBytes = valueBytes;
  }

  /** Sets a key and wakes who waits for it. */
  public void set(String key, byte[] value) {
    put(key, value);
    wakeAll(key);
  }

  /** The value of a key, or null. */
  public byte[] get(String key) {
    return values.get(key);
  }

  /** The value after setting the key to {@code desired} if it was as expected. */
  public byte[] compareSet(String key, byte[] expected, byte[] desired) {
    byte[] present = values.get(key);
    boolean matches = present == null ? expected.length == 0 : Arrays.equals(present, expected);
    if (matches) {
      set(key, desired);
      return desired;
    }
    return present == null ? expected : present;
  }

  /** Adds to a counter; wraps around at 64 bits. */
  public long add(String key, long delta) {
    long sum = sum(key, delta);
    set(key, Counter.format(sum));
    return sum;
  }

  /** Appends to a value. */
  public void append(String key, byte[] value) {
    byte[] present = values.get(key);
    if (present == null) {
      set(key, value);
      return;
    }
    long length = (long) present.length + value.length;
    if (length > valueBytes) {
      throw new RefusedException("value bytes=" + length + " passes the limit " + valueBytes);
    }
    byte[] joined = Arrays.copyOf(present, (int) length);
    System.arraycopy(value, 0, joined, present.length, value.length);
    set(key, joined);
  }

  /** Removes a key; its queue, if there is one of that name, stays. */
  public boolean delete(String key) {
    byte[] value = values.remove(key);
    if (value == null) return false;
    budget.take(-cost(key, value));
    return true;
  }

  /** How many keys there are. */
  public long count() {
    return values.size();
  }

  /** The keys, as a view. */
  public Set<String> keys() {
    return values.keySet();
  }

  /** Whether every key, or queue with a value in it, is there. */
  public boolean has(Collection<String> keys) {
    for (String key : keys) {
      if (!has(key)) return false;
    }
    return true;
  }

  /** Whether a key, or queue with a value in it, is there. */
  public boolean has(String key) {
    return values.containsKey(key) || queues.containsKey(key);
  }

  /**
   * Waits for keys or queues: true if all are there, else the waiter is woken when each has been
   * there once. A wait begun earlier by this waiter is forgotten.
   */
  public boolean await(Waiter waiter, Collection<String> keys) {
    cancel(waiter);
    if (has(keys)) return true;
    for (String key : keys) {
      if (!has(key)) enlist(waiter, key);
    }
    return false;
  }

  /** Waits for keys, and takes no queue for one. */
  public boolean awaitValues(Waiter waiter, Collection<String> keys) {
    cancel(waiter);
    waiter.valuesOnly = true;
    for (String key : keys) {
      if (!values.containsKey(key)) enlist(waiter, key);
    }
    return waiter.missing().isEmpty();
  }

  /** Waits for a push to a queue: true if it has a value now. */
  public boolean awaitQueue(Waiter waiter, String key) {
    cancel(waiter);
    if (queues.containsKey(key)) return true;
    enlist(waiter, key);
    return false;
  }

  /**
   * Adds one to the barrier's counter: true, with everybody woken, if that makes {@code
   * participants}. Whatever else writes the key releases the barrier too.
   */
  public boolean barrier(Waiter waiter, String key, long participants) {
    cancel(waiter);
    long sum = sum(key, 1);
    put(key, Counter.format(sum));
    if (sum >= participants) {
      wakeAll(key);
      return true;
    }
    enlist(waiter, key);
    return false;
  }

  /** Ends a wait, or gives up what was promised to the waiter. */
  public void cancel(Waiter waiter) {
    for (String key : waiter.missing()) {
      LinkedHashSet<Waiter> others = waiters.get(key);
      if (others != null && others.remove(waiter) && others.isEmpty()) waiters.remove(key);
    }
    waiter.lackNothing();
    waiter.valuesOnly = false;
    release(waiter);
  }

  /** Offers to the next one what was promised to a waiter that does not come for it. */
  public void release(Waiter waiter) {
    if (waiter.promised == null) return;
    String queue = waiter.promised;
    waiter.promised = null;
    if (queues.containsKey(queue)) wakeOne(queue);
  }

  /** Appends to a queue and wakes one of those who wait for it. */
  public void push(String key, byte[] value) {
    budget.take(cost(key, value));
    queues.computeIfAbsent(key, _ -> new ArrayDeque<>(1)).add(value);
    wakeOne(key);
  }

  /** Takes the first of a queue, or null if it is empty. */
  public byte[] pop(Waiter waiter, String key) {
    if (key.equals(waiter.promised)) waiter.promised = null;
    else release(waiter);
    ArrayDeque<byte[]> queue = queues.get(key);
    if (queue == null) return null;
    byte[] value = queue.remove();
    if (queue.isEmpty()) queues.remove(key);
    budget.take(-cost(key, value));
    return value;
  }

  /** How many values a queue holds. */
  public long length(String key) {
    ArrayDeque<byte[]> queue = queues.get(key);
    return queue == null ? 0 : queue.size();
  }

  private long sum(String key, long delta) {
    byte[] present = values.get(key);
    return present == null ? delta : Counter.parse(present) + delta;
  }

  private void put(String key, byte[] value) {
    byte[] present = values.get(key);
    budget.take(present == null ? cost(key, value) : value.length - present.length);
    values.put(key, value);
  }

  private static long cost(String key, byte[] value) {
    return ENTRY_BYTES + key.length() + value.length;
  }

  private void enlist(Waiter waiter, String key) {
    waiter.lack(key);
    waiters.computeIfAbsent(key, _ -> LinkedHashSet.newLinkedHashSet(1)).add(waiter);
  }

  private void wakeAll(String key) {
    LinkedHashSet<Waiter> woken = waiters.remove(key);
    if (woken == null) return;
    for (Waiter waiter : woken) {
      if (waiter.got(key)) waiter.wake();
    }
  }

  /** The queue's value is there for all who wait for it, but only one is told to come for it. */
  private void wakeOne(String key) {
    LinkedHashSet<Waiter> waiting = waiters.get(key);
    if (waiting == null) return;
    Waiter chosen = null;
    for (Iterator<Waiter> each = waiting.iterator(); chosen == null && each.hasNext(); ) {
      Waiter waiter = each.next();
      if (waiter.valuesOnly) continue;
      each.remove();
      if (waiter.got(key)) chosen = waiter;
    }
    if (waiting.isEmpty()) waiters.remove(key);
    if (chosen != null) {
      chosen.promised = key;
      chosen.wake();
    }
  }
}
