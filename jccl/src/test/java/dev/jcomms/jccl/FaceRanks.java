package dev.jcomms.jccl;

import dev.jcomms.Comm;
import dev.jcomms.Registration;
import dev.jcomms.World;
import dev.jcomms.fake.FakeProvider;
import dev.jcomms.spi.BackendProvider;
import dev.jcomms.spi.Backends;
import dev.jcomms.store.HashStore;
import dev.jcomms.tensor.Device;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Ranks as threads, on a backend of the test's making. */
final class FaceRanks {
  static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final AtomicInteger NAMES = new AtomicInteger();

  private FaceRanks() {}

  static void run(int size, BackendProvider backend, Map<String, String> hints, World.Body body) {
    run(List.of(backend), size, hints, body).forEach(FaceRanks::rethrow);
  }

  static void run(int size, BackendProvider backend, World.Body body) {
    run(size, backend, Map.of(), body);
  }

  /** What each rank threw; null for nothing. Rank r has backend r, or the only one. */
  static List<Throwable> run(
      List<? extends BackendProvider> backends,
      int size,
      Map<String, String> hints,
      World.Body body) {
    // Ranks with different backends of one name: what two processes may do, one JVM cannot.
    List<CompletableFuture<Throwable>> ends = new ArrayList<>();
    ThreadLocal<BackendProvider> own = new ThreadLocal<>();
    String name = "face-" + NAMES.incrementAndGet();
    BackendProvider any = new FakeProvider(context -> own.get().open(context));
    try (HashStore store = HashStore.create();
        Registration _ = Backends.register(name, any);
        var threads = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().factory())) {
      for (int r = 0; r < size; r++) {
        int rank = r;
        ends.add(
            CompletableFuture.supplyAsync(
                () -> {
                  own.set(backends.get(Math.min(rank, backends.size() - 1)));
                  Comm.Builder builder =
                      Comm.newBuilder(name, Device.CPU)
                          .ranks(rank, size)
                          .store(store)
                          .timeout(DEADLINE)
                          .initTimeout(DEADLINE);
                  hints.forEach(builder::hint);
                  try (Comm comm = builder.build()) {
                    body.run(comm);
                    return null;
                  } catch (Throwable t) {
                    return t;
                  }
                },
                threads));
      }
      List<Throwable> failures = new ArrayList<>();
      ends.forEach(end -> failures.add(end.join()));
      return failures;
    }
  }

  private static void rethrow(Throwable failure) {
    switch (failure) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new CompletionException(failure);
    }
  }
}
