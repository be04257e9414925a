package dev.jcomms.testkit.store;

import dev.jcomms.store.Store;
import dev.jcomms.testkit.ConformanceError;
import dev.jcomms.testkit.StoreSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The clients and threads of one scenario, and what it expects of them. Any thread. */
public final class Clients implements AutoCloseable {
  /** A wait that is to end at its deadline. */
  static final Duration SOON = Duration.ofMillis(50);

  /** A wait that is to end well before its deadline. */
  static final Duration LONG = Duration.ofSeconds(20);

  private final StoreSource source;
  private final List<Store> opened = new CopyOnWriteArrayList<>();
  private final List<Thread> threads = new CopyOnWriteArrayList<>();

  /** Clients of a content. */
  public Clients(StoreSource source) {
    this.source = source;
  }

  /** One client more. */
  Store open() {
    Store store = source.open();
    opened.add(store);
    return store;
  }

  /** Starts something that takes place beside what follows. */
  <T> Future<T> start(Callable<T> body) {
    FutureTask<T> task = new FutureTask<>(body);
    threads.add(Thread.ofPlatform().daemon().name("client-" + threads.size()).start(task));
    return task;
  }

  /** What it gives, once it has ended. */
  static <T> T finish(String what, Future<T> future) throws Exception {
    try {
      return future.get(LONG.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new ConformanceError(what + " has not ended after " + LONG.toSeconds() + " s", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof ConformanceError finding
          ? finding
          : new ConformanceError(what + " failed with " + e.getCause(), e.getCause());
    }
  }

  /** What one of several does, who have a client each and start together. */
  interface Player {
    void play(Store store, int me) throws Exception;
  }

  void together(String what, int clients, Player player) throws Exception {
    CyclicBarrier start = new CyclicBarrier(clients);
    List<Future<?>> players = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      Store store = open();
      int me = i;
      players.add(
          start(
              () -> {
                start.await(LONG.toSeconds(), TimeUnit.SECONDS);
                player.play(store, me);
                return null;
              }));
    }
    for (Future<?> each : players) {
      finish(what, each);
    }
  }

  static void equal(String what, Object expected, Object actual) {
    if (!Objects.equals(expected, actual)) {
      throw new ConformanceError(what + " is " + actual + "; it should be " + expected);
    }
  }

  static void equal(String what, String expected, byte[] actual) {
    equal(what, bytes(expected), actual);
  }

  static void equal(String what, byte[] expected, byte[] actual) {
    if (!Arrays.equals(expected, actual)) {
      int at = Arrays.mismatch(expected, actual);
      throw new ConformanceError(
          what
              + " has length="
              + actual.length
              + " and differs at "
              + at
              + (actual.length < 100 ? ": '" + text(actual) + "'" : "")
              + "; it should have length="
              + expected.length
              + (expected.length < 100 ? ": '" + text(expected) + "'" : ""));
    }
  }

  static void that(boolean holds, String otherwise) {
    if (!holds) {
      throw new ConformanceError(otherwise);
    }
  }

  /** What a call throws, which must be of this type and say these things. */
  static <E extends Throwable> E thrown(String what, Class<E> type, Runnable call, String... says) {
    try {
      call.run();
    } catch (Throwable t) {
      if (!type.isInstance(t)) {
        throw new ConformanceError(
            what + " must fail with " + type.getSimpleName() + "; it failed with " + t, t);
      }
      for (String fact : says) {
        that(
            String.valueOf(t.getMessage()).contains(fact),
            what + ": the error does not say '" + fact + "': " + t);
      }
      return type.cast(t);
    }
    throw new ConformanceError(what + " must fail with " + type.getSimpleName() + "; it returned");
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Bytes that depend on the length and the position. */
  static byte[] pattern(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i * 31 + length);
    }
    return bytes;
  }

  @Override
  public void close() {
    opened.forEach(Store::close);
    threads.forEach(Thread::interrupt);
  }
}
