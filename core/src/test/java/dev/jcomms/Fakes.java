package dev.jcomms;

import dev.jcomms.fake.FakeProvider;
import dev.jcomms.fake.FakeScript;
import dev.jcomms.spi.Backend;
import dev.jcomms.spi.BackendProvider;
import dev.jcomms.spi.Backends;
import dev.jcomms.store.HashStore;
import dev.jcomms.store.Store;
import dev.jcomms.tensor.Device;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Communicators on the fake, for tests of core: one rank of a world, or a world of threads. */
public final class Fakes {
  private static final AtomicInteger COUNT = new AtomicInteger();

  private Fakes() {}

  /** A backend of a name nobody else uses. */
  public static String register(BackendProvider provider) {
    String name = "fake-" + COUNT.incrementAndGet();
    Backends.register(name, provider);
    return name;
  }

  /** A backend that a test has made, whoever opens it. */
  public static String register(Backend backend) {
    return register(new FakeProvider(_ -> backend));
  }

  public static String register(FakeScript script) {
    return register(new FakeProvider(script));
  }

  /** A world of one. */
  public static Comm alone(FakeScript script) {
    return builder(register(script)).build();
  }

  public static Comm.Builder builder(String backend) {
    return Comm.newBuilder(backend, Device.CPU)
        .environment(Map.of())
        .ranks(0, 1)
        .timeout(Duration.ofSeconds(20));
  }

  /** What a launcher tells one rank of two, of which the first hosts the store. */
  public static Map<String, String> environment(int rank, int port) {
    return Map.of(
        "RANK", "" + rank, "WORLD_SIZE", "2", "MASTER_ADDR", "127.0.0.1", "MASTER_PORT", "" + port);
  }

  /** Rank {@code rank} of a larger world whose other ranks only ever came to the meeting. */
  public static Comm oneOf(int size, int rank, FakeScript script) {
    return oneOf(size, rank, register(script));
  }

  public static Comm oneOf(int size, int rank, String backend) {
    Store store = HashStore.create();
    for (int r = 0; r < size; r++) {
      if (r != rank) {
        int other = r;
        Thread.ofPlatform()
            .daemon()
            .start(() -> builder(backend).ranks(other, size).store(store).build());
      }
    }
    return builder(backend).ranks(rank, size).store(store).build();
  }
}
