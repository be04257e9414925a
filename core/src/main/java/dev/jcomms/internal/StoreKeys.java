package dev.jcomms.internal;

import dev.jcomms.store.PrefixStore;
import dev.jcomms.store.Store;
import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Where the keys of one communicator are in the job's store, core's and backends' alike, and how
 * they go in the end. Any thread.
 *
 * <p>A key may go when nobody reads it any more: when all ranks have closed. Each says then which
 * it has made, and the last one takes down everything. After a failure not all ranks come, and the
 * keys stay as long as the store.
 */
final class StoreKeys {
  /** Between keys; in none. */
  private static final String NEXT = "\0";

  /** So many are noted: who makes more at a time has to take down the rest by itself. */
  private static final int MOST = 10_000;

  private final String root;
  private final String said;
  private final String gone;
  private final Set<String> made = ConcurrentHashMap.newKeySet();

  /** Whether the store has failed. */
  private volatile boolean deaf;

  /**
   * @param root what they begin with, and no other communicator's
   */
  StoreKeys(String root) {
    this.root = root;
    this.said = root + "/made";
    this.gone = root + "/gone";
  }

  String root() {
    return root;
  }

  /** Those below a name, in the job's store. */
  Store below(String name, Store store) {
    return PrefixStore.of(root + "/" + name, new Noting(store));
  }

  /** This rank needs the store no more, for this communicator of so many ranks. */
  void clear(Store store, int ranks) {
    if (ranks == 1 || deaf) {
      return; // there are none, or a silent store takes as long again
    }
    try {
      store.append(said, (String.join(NEXT, made) + NEXT).getBytes(StandardCharsets.UTF_8));
      if (store.add(gone, 1) == ranks) {
        String all = new String(store.get(said), StandardCharsets.UTF_8);
        // Whatever stands there, only keys of this communicator go.
        Stream<String> left = Stream.of(all.split(NEXT)).filter(key -> key.startsWith(root + "/"));
        store.multiDelete(Stream.concat(left, Stream.of(said, gone)).distinct().toList());
      }
    } catch (StoreException | IllegalStateException e) {
      // The store has gone before us: nobody will miss the keys.
    } catch (IllegalArgumentException e) {
      // More than a value can hold: they stay.
    }
  }

  private void note(String key) {
    if (made.size() < MOST) {
      made.add(key);
    }
  }

  private <T> T asked(Supplier<T> answer) {
    try {
      return answer.get();
    } catch (StoreException e) {
      if (!(e instanceof StoreTimeoutException) || Membership.isSilence(e)) {
        deaf = true;
      }
      throw e;
    }
  }

  /** A store that remembers which keys were made through it. */
  private final class Noting implements Store {
    private final Store store;

    Noting(Store store) {
      this.store = store;
    }

    private void told(Runnable request) {
      asked(
          () -> {
            request.run();
            return null;
          });
    }

    @Override
    public void set(String key, byte[] value) {
      note(key);
      told(() -> store.set(key, value));
    }

    @Override
    public byte[] get(String key, Duration timeout) {
      return asked(() -> store.get(key, timeout));
    }

    @Override
    public long add(String key, long delta) {
      note(key);
      return asked(() -> store.add(key, delta));
    }

    @Override
    public byte[] compareSet(String key, byte[] expected, byte[] desired) {
      note(key);
      return asked(() -> store.compareSet(key, expected, desired));
    }

    @Override
    public void await(List<String> keys, Duration timeout) {
      told(() -> store.await(keys, timeout));
    }

    @Override
    public boolean check(List<String> keys) {
      return asked(() -> store.check(keys));
    }

    @Override
    public boolean delete(String key) {
      boolean deleted = asked(() -> store.delete(key));
      made.remove(key);
      return deleted;
    }

    @Override
    public void multiDelete(List<String> keys) {
      told(() -> store.multiDelete(keys));
      keys.forEach(made::remove);
    }

    @Override
    public long numKeys() {
      return asked(store::numKeys);
    }

    @Override
    public void append(String key, byte[] value) {
      note(key);
      told(() -> store.append(key, value));
    }

    @Override
    public List<byte[]> multiGet(List<String> keys, Duration timeout) {
      return asked(() -> store.multiGet(keys, timeout));
    }

    @Override
    public void multiSet(Map<String, byte[]> values) {
      values.keySet().forEach(StoreKeys.this::note);
      told(() -> store.multiSet(values));
    }

    @Override
    public List<String> listKeys() {
      return asked(store::listKeys);
    }

    @Override
    public void queuePush(String key, byte[] value) {
      told(() -> store.queuePush(key, value));
    }

    @Override
    public byte[] queuePop(String key, Duration timeout) {
      return asked(() -> store.queuePop(key, timeout));
    }

    @Override
    public Optional<byte[]> queuePoll(String key) {
      return asked(() -> store.queuePoll(key));
    }

    @Override
    public long queueLength(String key) {
      return asked(() -> store.queueLength(key));
    }

    @Override
    public void barrier(String key, int participants, Duration timeout) {
      note(key);
      told(() -> store.barrier(key, participants, timeout));
    }

    @Override
    public Duration timeout() {
      return store.timeout();
    }

    /** It is the job's. */
    @Override
    public void close() {}

    @Override
    public String toString() {
      return store.toString();
    }
  }
}
