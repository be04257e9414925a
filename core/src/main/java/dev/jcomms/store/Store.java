package dev.jcomms.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A small key-value service through which ranks find each other: what {@code
 * torch.distributed.Store} is to PyTorch.
 *
 * <p>Made by {@link TcpStore}, {@link FileStore}, {@link HashStore} or {@link PrefixStore}. Safe
 * for use by many threads at once; {@code add} and {@code compareSet} are atomic among all clients
 * of the store. Every call that waits has a deadline, and the {@link StoreTimeoutException} it ends
 * with names the keys that are missing.
 */
public interface Store extends AutoCloseable {

  /** Sets a key, replacing what was there. */
  void set(String key, byte[] value);

  /** The value of a key, waiting for it up to {@link #timeout()}. */
  default byte[] get(String key) {
    return get(key, timeout());
  }

  /** The value of a key, waiting for it up to {@code timeout}. */
  byte[] get(String key, Duration timeout);

  /**
   * Adds to a decimal counter (an absent one is 0) and returns the new value, which wraps around at
   * 64 bits. A present value counts as the number it begins with; one that begins with none: {@link
   * StoreException}.
   */
  long add(String key, long delta);

  /**
   * Sets the key to {@code desired} if its value is {@code expected}; an absent key is set if
   * {@code expected} is empty.
   *
   * @return the value after the call: {@code desired} where it was set, else the present one, and
   *     {@code expected} itself where the key is absent and was not set
   */
  byte[] compareSet(String key, byte[] expected, byte[] desired);

  /**
   * Waits up to {@code timeout} until all the keys exist. (PyTorch's {@code wait}, a name that Java
   * has taken.)
   */
  void await(List<String> keys, Duration timeout);

  /** Waits up to {@link #timeout()} until all the keys exist. */
  default void await(List<String> keys) {
    await(keys, timeout());
  }

  /** Whether all the keys exist now; true of no keys. */
  boolean check(List<String> keys);

  /** Removes a key; true if it was there. */
  boolean delete(String key);

  /** Removes several keys, those that are there, in one exchange where the store can. */
  default void multiDelete(List<String> keys) {
    keys.forEach(this::delete);
  }

  /** How many keys the whole store holds, those outside a prefix included. */
  long numKeys();

  /** Appends to the value of a key, creating it if absent. */
  void append(String key, byte[] value);

  /**
   * The values of several keys in one exchange, waiting for all of them up to {@link #timeout()}.
   */
  default List<byte[]> multiGet(List<String> keys) {
    return multiGet(keys, timeout());
  }

  /** The values of several keys in one exchange, waiting for all of them up to {@code timeout}. */
  List<byte[]> multiGet(List<String> keys, Duration timeout);

  /** Sets several keys in one exchange, in the map's order. */
  void multiSet(Map<String, byte[]> values);

  /** The keys of this store; below a prefix, without it. */
  List<String> listKeys();

  /** Appends to the queue of a name; queues and keys do not share values. */
  void queuePush(String key, byte[] value);

  /** Takes the first of a queue, waiting for it up to {@code timeout}. */
  byte[] queuePop(String key, Duration timeout);

  /** Takes the first of a queue if there is one. */
  Optional<byte[]> queuePoll(String key);

  /** How many values a queue holds. */
  long queueLength(String key);

  /**
   * Returns when {@code participants} calls with this key were made, or fails at the deadline. The
   * key holds their number: it serves once, a call that failed stays counted, and nothing else may
   * write it.
   */
  void barrier(String key, int participants, Duration timeout);

  /** How long calls without a timeout of their own wait. */
  Duration timeout();

  /**
   * Ends this client (and nothing of the store's content). Idempotent; any later call: {@link
   * IllegalStateException}.
   */
  @Override
  void close();
}
