package dev.jcomms.jccl.reliability;

import dev.jcomms.Comm;
import dev.jcomms.jccl.AlgorithmCollection;
import dev.jcomms.jccl.Algorithms;
import dev.jcomms.jccl.Jccl;
import dev.jcomms.jccl.Sample;
import dev.jcomms.spi.Backends;
import dev.jcomms.store.Store;
import dev.jcomms.store.StoreSecret;
import dev.jcomms.store.TcpStore;
import dev.jcomms.store.TcpStoreOptions;
import dev.jcomms.tensor.Device;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The communicators of one {@link RankProgram}, and the store that they meet at. */
final class RankComms implements AutoCloseable {
  private final int rank;
  private final int size;
  private final Duration patience;
  private final List<Comm> open = Collections.synchronizedList(new ArrayList<>());
  private final Map<String, CompletableFuture<String>> routes = new ConcurrentHashMap<>();
  private Store store;

  RankComms(int rank, int size, Duration patience) {
    this.rank = rank;
    this.size = size;
    this.patience = patience;
  }

  Comm open(String name) {
    return open(name, "jccl");
  }

  /** On jccl with all-reduce by a plan of packets beside its own. */
  Comm openPlanned(String name) {
    return open(name, AlgorithmCollection.defaults().with(Algorithms.ofPlan(Sample.packets(size))));
  }

  /** On jccl with other algorithms beside its own. */
  Comm open(String name, AlgorithmCollection algorithms) {
    String backend = "planned";
    Backends.register(backend, Jccl.with(algorithms));
    return open(name, backend);
  }

  private Comm open(String name, String backend) {
    String transport = System.getProperty("transport");
    boolean twoLevel = transport.equals("two-level");
    Comm.Builder builder =
        Comm.newBuilder(backend, Device.CPU)
            .name(name)
            .hint(twoLevel ? "ranks_per_host" : "transport", twoLevel ? "2" : transport)
            .hint("host.threads", System.getProperty("threads", "auto"))
            .timeout(patience)
            .initTimeout(patience);
    if (Boolean.getBoolean("routed")) {
      builder.ranks(rank, size).store(rerouted(store()));
    } else if (Integer.getInteger("victim", -1) == rank && System.getProperty("ends at") != null) {
      builder.ranks(rank, size).store(ending(store(), System.getProperty("ends at")));
    } else if (System.getProperty("ends at") != null) {
      builder.ranks(rank, size).store(store());
    } else if (System.getProperty("held at") != null) {
      boolean held = Integer.getInteger("victim") == rank;
      builder.ranks(rank, size).store(held ? holding(store()) : store());
      builder.initTimeout(Duration.ofSeconds(Long.getLong("init seconds", patience.toSeconds())));
    }
    Comm comm = builder.build();
    open.add(comm);
    return comm;
  }

  /** Closes it with the others. */
  void add(Comm comm) {
    open.add(comm);
  }

  /** The port that the test has put in front of one of this rank's. */
  void route(String port, String other) {
    way(port).complete(other);
  }

  private CompletableFuture<String> way(String port) {
    return routes.computeIfAbsent(port, _ -> new CompletableFuture<>());
  }

  /** The job's store, for the test's own ends. */
  synchronized Store store() {
    if (store == null) {
      TcpStoreOptions options = TcpStoreOptions.defaults().timeout(patience);
      StoreSecret secret = StoreSecret.fromEnvironment(System.getenv()).orElse(null);
      store =
          TcpStore.connect(
              System.getenv("JCOMMS_MASTER_ADDR"),
              Integer.parseInt(System.getenv("JCOMMS_MASTER_PORT")),
              secret == null ? options : options.secret(secret));
    }
    return store;
  }

  /** A store at which this process ends when a part of a communicator is to say something there. */
  private Store ending(Store behind, String topic) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (_, method, args) -> {
              if (method.getName().equals("set")
                  && ((String) args[0]).matches(".*/split/.*/" + topic + "/\\d+")) {
                Runtime.getRuntime().halt(1);
              }
              return invoke(method, behind, args);
            });
  }

  /**
   * A store at which this process stays for ever when it is to say something, or to wait for it:
   * {@code set} or {@code await}, and a pattern of the key.
   */
  private Store holding(Store behind) {
    String[] where = System.getProperty("held at").split(" ");
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (_, method, args) -> {
              if (method.getName().equals(where[0])
                  && (args[0] instanceof List<?> keys ? keys.getFirst() : args[0])
                      .toString()
                      .matches(where[1])) {
                Scenario.say("HELD");
                Thread.sleep(Duration.ofDays(1));
              }
              return invoke(method, behind, args);
            });
  }

  private static Object invoke(Method method, Store behind, Object[] args) throws Throwable {
    try {
      return method.invoke(behind, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** A store in which this rank's data ports are those that the test puts in front of them. */
  private Store rerouted(Store behind) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (_, method, args) -> {
              if (method.getName().equals("set") && ((String) args[0]).matches(".*/tcp/\\d+")) {
                args[1] = reroute((byte[]) args[1]);
              }
              return invoke(method, behind, args);
            });
  }

  /** {@code address port/secret}, see TcpFabric. */
  private byte[] reroute(byte[] told) throws Exception {
    String text = new String(told, StandardCharsets.UTF_8);
    String port = text.split("[ /]")[1];
    Scenario.say("ROUTE " + port);
    String other = way(port).get(patience.toSeconds(), TimeUnit.SECONDS);
    return text.replaceFirst(" " + port + "/", " " + other + "/").getBytes(StandardCharsets.UTF_8);
  }

  /** Closes all that are open. */
  @Override
  public void close() {
    open.forEach(Comm::close);
    open.clear();
  }
}
