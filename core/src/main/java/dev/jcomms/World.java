package dev.jcomms;

import dev.jcomms.store.HashStore;
import dev.jcomms.store.Store;
import dev.jcomms.tensor.Device;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Ranks as threads of this JVM, with no set-up at all: {@code World.run(4, comm -> …)}.
 *
 * <p>The first rank to fail ends the others: their communicators are aborted, and {@link
 * RankFailure} with the rank and its exception is thrown once all threads have returned.
 */
public final class World {
  /** What one rank does. */
  @FunctionalInterface
  public interface Body {
    void run(Comm comm) throws Exception;
  }

  /** What one rank computes. */
  @FunctionalInterface
  public interface Computation<T> {
    T compute(Comm comm) throws Exception;
  }

  /** A rank threw: the cause is what it threw; what other ranks threw later is suppressed. */
  public static final class RankFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int rank;

    RankFailure(int rank, int size, Throwable cause) {
      super("rank " + rank + " of " + size + " failed: " + cause, cause);
      this.rank = rank;
    }

    /** Which. */
    public int rank() {
      return rank;
    }
  }

  private final int size;
  private final String backend;
  private final Duration timeout;
  private final Map<String, String> hints;

  private World(int size, String backend, Duration timeout, Map<String, String> hints) {
    if (size < 1) {
      throw new IllegalArgumentException("size=" + size + " is not at least 1");
    }
    this.size = size;
    this.backend = backend;
    this.timeout = timeout;
    this.hints = hints;
  }

  /** Runs {@code body} on so many ranks, on the backend that {@link Setting#BACKEND} names. */
  public static void run(int size, Body body) {
    of(size).run(body);
  }

  /** A world of so many ranks, to be told more. */
  public static World of(int size) {
    return new World(size, null, null, Map.of());
  }

  /** This world on a backend of that name. */
  public World backend(String name) {
    return new World(size, name, timeout, hints);
  }

  /** This world with one hint more for the backend. */
  public World hint(String name, String value) {
    Map<String, String> more = new TreeMap<>(hints);
    more.put(name, value);
    return new World(size, backend, timeout, more);
  }

  /** This world with a timeout for operations and for meeting. */
  public World timeout(Duration timeout) {
    return new World(size, backend, OpOptions.positive(timeout), hints);
  }

  /** Runs {@code body} on every rank and returns when all are done. */
  public void run(Body body) {
    compute(
        comm -> {
          body.run(comm);
          return null;
        });
  }

  /** What every rank computes, by rank. */
  public <T> List<T> compute(Computation<T> body) {
    String name = backend != null ? backend : Comm.defaultBackend();
    try (Store store = HashStore.create()) {
      return new Run<>(this, name, store, body).join();
    }
  }

  /** One run: its threads, what they made and how they ended. */
  private static final class Run<T> {
    private final World world;
    private final Map<Integer, Comm> comms = new ConcurrentHashMap<>();
    private final Map<Integer, T> results = new ConcurrentHashMap<>();
    private final Map<Integer, Throwable> failures = new ConcurrentHashMap<>();
    private final AtomicReference<RankFailure> first = new AtomicReference<>();
    private final List<Thread> threads = new ArrayList<>();
    private final CountDownLatch go = new CountDownLatch(1);

    Run(World world, String backend, Store store, Computation<T> body) {
      this.world = world;
      try {
        for (int r = 0; r < world.size; r++) {
          int rank = r;
          threads.add(
              Thread.ofPlatform().name("rank-" + r).start(() -> rank(rank, backend, store, body)));
        }
      } catch (Error e) {
        threads.forEach(Thread::interrupt); // there are no more threads to be had
        throw e;
      }
      go.countDown();
    }

    private void rank(int rank, String backend, Store store, Computation<T> body) {
      try {
        go.await();
        // The threads of this JVM are all there is: what started the process says nothing of them.
        Comm.Builder builder =
            Comm.newBuilder(backend, Device.CPU).ranks(rank, world.size).store(store);
        world.hints.forEach(builder::hint);
        if (world.timeout != null) {
          builder.timeout(world.timeout).initTimeout(world.timeout);
        }
        try (Comm comm = builder.build()) {
          comms.put(rank, comm);
          if (first.get() != null) {
            comm.abort(first.get().getMessage());
          }
          try {
            T result = body.compute(comm);
            if (result != null) {
              results.put(rank, result);
            }
          } catch (Throwable t) {
            // Told before this rank's communicator waits for its own pending work.
            failed(rank, t);
            abort(comm, first.get().getMessage());
          }
        }
      } catch (Throwable t) {
        failed(rank, t);
      }
    }

    private void failed(int rank, Throwable failure) {
      failures.putIfAbsent(rank, failure);
      if (first.compareAndSet(null, new RankFailure(rank, world.size, failure))) {
        for (int r = 0; r < threads.size(); r++) {
          if (r != rank) {
            Comm comm = comms.get(r);
            if (comm != null) {
              abort(comm, first.get().getMessage());
            }
            // It may wait where no abort reaches it: for its world, or in a part of it.
            threads.get(r).interrupt();
          }
        }
      }
    }

    private static void abort(Comm comm, String reason) {
      try {
        comm.abort(reason);
      } catch (IllegalStateException e) {
        // That rank has finished already.
      }
    }

    List<T> join() {
      boolean interrupted = false;
      for (Thread thread : threads) {
        while (thread.isAlive()) {
          try {
            thread.join();
          } catch (InterruptedException e) {
            interrupted = true;
            comms.values().forEach(comm -> abort(comm, "the world was interrupted"));
            threads.forEach(Thread::interrupt); // of ranks that have none yet, say
          }
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      RankFailure failure = first.get();
      if (failure != null) {
        new TreeMap<>(failures)
            .forEach(
                (rank, late) -> {
                  if (rank != failure.rank()) {
                    failure.addSuppressed(new RankFailure(rank, world.size, late));
                  }
                });
        throw failure;
      }
      List<T> all = new ArrayList<>();
      for (int r = 0; r < world.size; r++) {
        all.add(results.get(r));
      }
      return all;
    }
  }
}
