package dev.jcomms.store;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A view of a store in which every key begins with a prefix and a slash: {@code k} here is {@code
 * prefix/k} below. Views nest, as PyTorch's {@code PrefixStore} does and with the same keys.
 *
 * <p>As safe for threads as the store below. Closing a view leaves the store below open.
 */
public final class PrefixStore implements Store {
  private final String prefix;
  private final Store store;
  private volatile boolean closed;

  private PrefixStore(String prefix, Store store) {
    this.prefix = prefix;
    this.store = store;
  }

  /** The keys of {@code store} that begin with {@code prefix} and a slash. */
  public static PrefixStore of(String prefix, Store store) {
    return new PrefixStore(
        Objects.requireNonNull(prefix, "prefix") + "/", Objects.requireNonNull(store, "store"));
  }

  @Override
  public void set(String key, byte[] value) {
    below().set(full(key), value);
  }

  @Override
  public byte[] get(String key, Duration timeout) {
    return below().get(full(key), timeout);
  }

  @Override
  public long add(String key, long delta) {
    return below().add(full(key), delta);
  }

  @Override
  public byte[] compareSet(String key, byte[] expected, byte[] desired) {
    return below().compareSet(full(key), expected, desired);
  }

  @Override
  public void await(List<String> keys, Duration timeout) {
    below().await(full(keys), timeout);
  }

  @Override
  public boolean check(List<String> keys) {
    return below().check(full(keys));
  }

  @Override
  public boolean delete(String key) {
    return below().delete(full(key));
  }

  @Override
  public void multiDelete(List<String> keys) {
    below().multiDelete(full(keys));
  }

  @Override
  public long numKeys() {
    return below().numKeys();
  }

  @Override
  public void append(String key, byte[] value) {
    below().append(full(key), value);
  }

  @Override
  public List<byte[]> multiGet(List<String> keys, Duration timeout) {
    return below().multiGet(full(keys), timeout);
  }

  @Override
  public void multiSet(Map<String, byte[]> values) {
    Map<String, byte[]> full = LinkedHashMap.newLinkedHashMap(values.size());
    values.forEach((key, value) -> full.put(full(key), value));
    below().multiSet(full);
  }

  @Override
  public List<String> listKeys() {
    return below().listKeys().stream()
        .filter(key -> key.startsWith(prefix))
        .map(key -> key.substring(prefix.length()))
        .toList();
  }

  @Override
  public void queuePush(String key, byte[] value) {
    below().queuePush(full(key), value);
  }

  @Override
  public byte[] queuePop(String key, Duration timeout) {
    return below().queuePop(full(key), timeout);
  }

  @Override
  public Optional<byte[]> queuePoll(String key) {
    return below().queuePoll(full(key));
  }

  @Override
  public long queueLength(String key) {
    return below().queueLength(full(key));
  }

  @Override
  public void barrier(String key, int participants, Duration timeout) {
    below().barrier(full(key), participants, timeout);
  }

  @Override
  public Duration timeout() {
    return store.timeout();
  }

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public String toString() {
    return store + "/" + prefix;
  }

  private Store below() {
    if (closed) throw new IllegalStateException("store view is closed: " + this);
    return store;
  }

  private String full(String key) {
    return prefix + Objects.requireNonNull(key, "key");
  }

  private List<String> full(List<String> keys) {
    return keys.stream().map(this::full).toList();
  }
}
