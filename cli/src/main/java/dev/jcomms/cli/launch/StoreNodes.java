package dev.jcomms.cli.launch;

import dev.jcomms.cli.CliException;
import dev.jcomms.store.PrefixStore;
import dev.jcomms.store.Store;
import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreSecret;
import dev.jcomms.store.StoreTimeoutException;
import dev.jcomms.store.TcpStore;
import dev.jcomms.store.TcpStoreOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/**
 * Launchers of several nodes, in step through the job's store.
 *
 * <p>Keys of a generation: {@code G/node/I}, what node I brings; {@code G/done}, how many nodes
 * ended well; {@code G/outcome}, set once: {@code done}, or {@code failed} or {@code stopped}, a
 * status, and why. At the end {@code bye/I} lets node 0 take the store away without cutting anyone
 * off.
 */
final class StoreNodes implements Nodes {
  static final Duration JOIN = Duration.ofSeconds(300);
  private static final Duration POLL = Duration.ofMillis(250);
  private static final Duration SILENT = Duration.ofSeconds(2);
  private static final Duration FAREWELL = Duration.ofSeconds(5);
  private static final Duration LONG = Duration.ofHours(1);

  private final LaunchSpec spec;
  private final int port;
  private final StoreSecret secret;
  private final BlockingQueue<Event> events;
  private final Console console;

  /** Meets the others, so that the thread that runs the job is free to hear of a signal. */
  private final ExecutorService caller =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("nodes").factory());

  /** Null until this node has joined. */
  private volatile TcpStore connection;

  private volatile Store store;

  StoreNodes(
      LaunchSpec spec, int port, StoreSecret secret, BlockingQueue<Event> events, Console console) {
    this.spec = spec;
    this.port = port;
    this.secret = secret;
    this.events = events;
    this.console = console;
  }

  @Override
  public Optional<List<Integer>> meet(int generation, int ranksHere) throws InterruptedException {
    Future<List<Integer>> meeting = caller.submit(() -> gather(generation, ranksHere));
    long start = System.nanoTime();
    boolean told = false;
    while (true) {
      try {
        return Optional.of(meeting.get(POLL.toMillis(), TimeUnit.MILLISECONDS));
      } catch (TimeoutException _) {
        if (events.stream().anyMatch(Event.Signalled.class::isInstance)) {
          meeting.cancel(true);
          return Optional.empty();
        }
      } catch (ExecutionException e) {
        if (e.getCause() instanceof RuntimeException why) throw why;
        throw new IllegalStateException(e);
      }
      if (store == null && !told && System.nanoTime() - start > SILENT.toNanos()) {
        console.say("waiting for node 0 at %s:%d".formatted(spec.masterAddress(), port));
        told = true;
      }
    }
  }

  private void join() {
    TcpStoreOptions options =
        TcpStoreOptions.defaults().timeout(JOIN).secret(secret).name("launcher");
    String host = spec.masterAddress();
    try {
      connection = TcpStore.connect(host, port, options);
      store = PrefixStore.of("jcomms/launch/", connection);
    } catch (StoreException e) {
      throw CliException.failure(
          "node %d cannot join node 0 at %s:%d: %s"
              .formatted(spec.nodeRank(), host, port, e.getMessage()));
    }
  }

  /** Waits for all nodes; returns how many ranks each runs. */
  private List<Integer> gather(int generation, int ranksHere) {
    if (store == null) join();
    String own = ranksHere + " " + spec.maxRestarts();
    List<String> keys =
        IntStream.range(0, spec.nodes()).mapToObj(i -> generation + "/node/" + i).toList();
    try {
      store.set(keys.get(spec.nodeRank()), bytes(own));
      await(keys);
      List<Integer> ranks = new ArrayList<>();
      for (byte[] value : store.multiGet(keys)) {
        String[] facts = text(value).split(" ");
        if (Integer.parseInt(facts[1]) != spec.maxRestarts()) {
          throw CliException.usage(
              "--max-restarts=%d here, %s on node %d: it must be the same on all nodes"
                  .formatted(spec.maxRestarts(), facts[1], ranks.size()));
        }
        ranks.add(Integer.parseInt(facts[0]));
      }
      Thread.ofPlatform().daemon().name("outcome").start(() -> watch(generation));
      return ranks;
    } catch (StoreException e) {
      throw CliException.failure(
          "the launcher of node 0 at %s is gone: %s"
              .formatted(spec.masterAddress(), e.getMessage()));
    }
  }

  private void await(List<String> keys) {
    long start = System.nanoTime();
    boolean told = false;
    while (true) {
      try {
        store.await(keys, POLL);
        return;
      } catch (StoreTimeoutException e) {
        List<Integer> missing =
            IntStream.range(0, keys.size())
                .filter(i -> !store.check(List.of(keys.get(i))))
                .boxed()
                .toList();
        Duration waited = Duration.ofNanos(System.nanoTime() - start);
        if (waited.compareTo(JOIN) > 0) {
          throw CliException.failure(
              "nodes %s of %d did not come within %d s"
                  .formatted(missing, spec.nodes(), JOIN.toSeconds()));
        }
        if (!told && waited.compareTo(SILENT) > 0) {
          console.say("waiting for nodes %s of %d".formatted(missing, spec.nodes()));
          told = true;
        }
      }
    }
  }

  private void watch(int generation) {
    try {
      String[] outcome = text(store.get(generation + "/outcome", LONG)).split(" ", 3);
      int status = outcome.length == 1 ? 0 : Integer.parseInt(outcome[1]);
      events.add(
          switch (outcome[0]) {
            case "done" -> new Event.AllDone(generation);
            case "failed" -> new Event.NodeFailed(generation, status, outcome[2], false);
            default -> new Event.NodeFailed(generation, status, outcome[2], true);
          });
    } catch (StoreTimeoutException e) {
      watch(generation);
    } catch (StoreException | IllegalStateException e) {
      events.add(new Event.NodeFailed(generation, 1, "node 0 is gone: " + e.getMessage(), true));
    }
  }

  @Override
  public void done(int generation) {
    if (store.add(generation + "/done", 1) == spec.nodes()) decide(generation, "done");
  }

  @Override
  public void failed(int generation, int status, String what) {
    decide(generation, "failed " + status + " " + what);
  }

  @Override
  public void stopped(int generation, String why) {
    decide(generation, "stopped 1 " + why);
  }

  private void decide(int generation, String outcome) {
    try {
      store.compareSet(generation + "/outcome", new byte[0], bytes(outcome));
    } catch (StoreException e) {
      console.say("cannot tell the other nodes '%s': %s".formatted(outcome, e.getMessage()));
    }
  }

  @Override
  public void close() {
    caller.shutdownNow();
    if (store == null) return;
    try {
      store.set("bye/" + spec.nodeRank(), new byte[0]);
      if (spec.nodeRank() == 0) {
        store.await(IntStream.range(0, spec.nodes()).mapToObj(i -> "bye/" + i).toList(), FAREWELL);
      } else {
        // Ends by an error, when node 0 takes the store away: the next job at this address must
        // not find this one's.
        store.await(List.of("never"), FAREWELL);
      }
    } catch (StoreException e) {
      // Someone left without a word; there is nobody to wait for.
    }
    connection.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
