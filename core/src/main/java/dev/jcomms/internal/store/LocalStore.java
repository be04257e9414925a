package dev.jcomms.internal.store;

import dev.jcomms.store.HashStore;
import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreTimeoutException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** A {@link StoreState} behind a lock. Each waiting call has its own condition. */
public final class LocalStore implements HashStore {
  private final ReentrantLock lock = new ReentrantLock();
  private final StoreState state =
      new StoreState(new Budget("stored bytes", Long.MAX_VALUE), Integer.MAX_VALUE - 8);
  private final Set<Call> calls = new HashSet<>();
  private final Duration timeout;
  private boolean closed;

  /** An empty store. */
  public LocalStore(Duration timeout) {
    if (timeout.isNegative()) throw new IllegalArgumentException("store: timeout=" + timeout);
    this.timeout = timeout;
  }

  @Override
  public void set(String key, byte[] value) {
    byte[] copy = value.clone();
    run("set", key, () -> state.set(key, copy));
  }

  @Override
  public byte[] get(String key, Duration timeout) {
    return multiGet("get", List.of(key), timeout).getFirst();
  }

  @Override
  public long add(String key, long delta) {
    return call("add", key, () -> state.add(key, delta));
  }

  @Override
  public byte[] compareSet(String key, byte[] expected, byte[] desired) {
    Objects.requireNonNull(expected, "expected");
    byte[] copy = desired.clone();
    return call("compareSet", key, () -> state.compareSet(key, expected, copy).clone());
  }

  @Override
  public void await(List<String> keys, Duration timeout) {
    List<String> all = List.copyOf(keys);
    Deadline deadline = Deadline.after(timeout);
    locked(
        () -> {
          Call call = new Call();
          if (!state.await(call, all)) call.sleep("await", all, deadline);
          state.release(call); // The push that woke it is for one who pops.
          return null;
        });
  }

  @Override
  public boolean check(List<String> keys) {
    List<String> all = List.copyOf(keys);
    return locked(() -> state.has(all));
  }

  @Override
  public boolean delete(String key) {
    return call("delete", key, () -> state.delete(key));
  }

  @Override
  public long numKeys() {
    return locked(state::count);
  }

  @Override
  public void append(String key, byte[] value) {
    byte[] copy = value.clone();
    run("append", key, () -> state.append(key, copy));
  }

  @Override
  public List<byte[]> multiGet(List<String> keys, Duration timeout) {
    return multiGet("multiGet", List.copyOf(keys), timeout);
  }

  @Override
  public void multiSet(Map<String, byte[]> values) {
    values.forEach(
        (key, value) -> {
          Objects.requireNonNull(key, "key");
          Objects.requireNonNull(value, "value");
        });
    locked(
        () -> {
          values.forEach((key, value) -> state.set(key, value.clone()));
          return null;
        });
  }

  @Override
  public List<String> listKeys() {
    return locked(() -> List.copyOf(state.keys()));
  }

  @Override
  public void queuePush(String key, byte[] value) {
    byte[] copy = value.clone();
    run("queuePush", key, () -> state.push(key, copy));
  }

  @Override
  public byte[] queuePop(String key, Duration timeout) {
    Objects.requireNonNull(key, "key");
    Deadline deadline = Deadline.after(timeout);
    return locked(
        () -> {
          Call call = new Call();
          while (true) {
            byte[] value = state.pop(call, key);
            if (value != null) return value;
            if (!state.awaitQueue(call, key)) call.sleep("queuePop", List.of(key), deadline);
          }
        });
  }

  @Override
  public Optional<byte[]> queuePoll(String key) {
    return call("queuePoll", key, () -> Optional.ofNullable(state.pop(new Call(), key)));
  }

  @Override
  public long queueLength(String key) {
    return call("queueLength", key, () -> state.length(key));
  }

  @Override
  public void barrier(String key, int participants, Duration timeout) {
    Deadline deadline = Deadline.after(timeout);
    run(
        "barrier",
        key,
        () -> {
          Call call = new Call();
          if (!state.barrier(call, key, participants)) {
            call.sleep("barrier", List.of(key), deadline);
            state.release(call);
          }
        });
  }

  @Override
  public Duration timeout() {
    return timeout;
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      calls.forEach(call -> call.changed.signal());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return "HashStore@" + Integer.toHexString(System.identityHashCode(this));
  }

  private List<byte[]> multiGet(String operation, List<String> keys, Duration timeout) {
    Deadline deadline = Deadline.after(timeout);
    return locked(
        () -> {
          // A key may be deleted between the wake-up and this thread's turn: then wait again.
          while (!keys.stream().allMatch(key -> state.get(key) != null)) {
            Call call = new Call();
            if (!state.awaitValues(call, keys)) call.sleep(operation, keys, deadline);
          }
          return keys.stream().map(key -> state.get(key).clone()).toList();
        });
  }

  private void run(String operation, String key, Runnable body) {
    call(
        operation,
        key,
        () -> {
          body.run();
          return null;
        });
  }

  private <T> T call(String operation, String key, Supplier<T> body) {
    Objects.requireNonNull(key, "key");
    try {
      return locked(body);
    } catch (RefusedException e) {
      throw new StoreException(operation + " key=" + key + " at " + this + ": " + e.getMessage());
    }
  }

  private <T> T locked(Supplier<T> body) {
    lock.lock();
    try {
      if (closed) throw new IllegalStateException("store is closed: " + this);
      return body.get();
    } finally {
      lock.unlock();
    }
  }

  /** One waiting call; the lock is held in all its methods. */
  private final class Call extends Waiter {
    private final Condition changed = lock.newCondition();
    private boolean woken;

    @Override
    protected void wake() {
      woken = true;
      changed.signal();
    }

    /** Returns when woken; otherwise ends the wait and throws. */
    void sleep(String operation, List<String> keys, Deadline deadline) {
      boolean done = false;
      calls.add(this);
      try {
        while (!woken) {
          if (closed)
            throw new StoreException(operation + ": closed meanwhile: " + LocalStore.this);
          if (deadline.passed()) throw timedOut(operation, keys, deadline);
          changed.awaitNanos(deadline.nanos());
        }
        woken = false;
        done = true;
      } catch (InterruptedException e) {
        throw Interrupts.during(operation + " keys=" + keys + " at " + LocalStore.this, e);
      } finally {
        calls.remove(this);
        if (!done) state.cancel(this);
      }
    }

    private StoreTimeoutException timedOut(String operation, List<String> keys, Deadline deadline) {
      List<String> missing = keys.stream().filter(missing()::contains).toList();
      return new StoreTimeoutException(
          operation, missing, deadline.timeout(), LocalStore.this.toString());
    }
  }
}
