package dev.jcomms.benchmarks;

import dev.jcomms.store.StoreSecret;
import dev.jcomms.store.TcpStore;
import dev.jcomms.store.TcpStoreOptions;
import dev.jcomms.store.TcpStoreServer;
import dev.jcomms.store.TcpStoreServerOptions;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** One exchange with a store over loopback: client and server in one process, with a secret. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class StoreRoundTrip {
  private final byte[] value = new byte[100];
  private TcpStoreServer server;
  private TcpStore store;

  /** A server and a client. */
  @Setup
  public void open() {
    StoreSecret secret = StoreSecret.generate();
    server = TcpStoreServer.start(TcpStoreServerOptions.defaults().secret(secret));
    store = TcpStore.connect("127.0.0.1", server.port(), TcpStoreOptions.defaults().secret(secret));
    store.set("there", value);
  }

  /** Ends them. */
  @TearDown
  public void close() {
    store.close();
    server.close();
  }

  /** One request, one answer. */
  @Benchmark
  public long add() {
    return store.add("counter", 1);
  }

  /** A write, and the ping behind it that acknowledges it. */
  @Benchmark
  public void set() {
    store.set("key", value);
  }

  /** A look whether the key is there, then its value: two exchanges. */
  @Benchmark
  public byte[] get() {
    return store.get("there");
  }
}
