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
import java.util.stream.IntStream;

/**
 * What the launchers of a job tell each other, through the job's store. Any thread; every call may
 * have to wait for node 0, and fails with a {@link StoreException} when that is gone.
 *
 * <p>Keys of a generation: {@code G/node/I}, what node I brings; {@code G/done}, how many nodes
 * ended well; {@code G/outcome}, set once: {@code done}, or {@code failed} or {@code stopped}, a
 * status, and why. At the end {@code bye/I} lets node 0 take the store away without cutting anyone
 * off.
 */
final class NodeBoard implements AutoCloseable {
  /** How long nodes may take to come. */
  private static final Duration JOIN = Duration.ofSeconds(300);

  private static final Duration POLL = Duration.ofMillis(250);
  private static final Duration LONG = Duration.ofHours(1);

  private final LaunchSpec spec;
  private final TcpStore connection;
  private final Store store;

  private NodeBoard(LaunchSpec spec, TcpStore connection) {
    this.spec = spec;
    this.connection = connection;
    this.store = PrefixStore.of("jcomms/launch/", connection);
  }

  static NodeBoard join(LaunchSpec spec, int port, StoreSecret secret) {
    TcpStoreOptions options =
        TcpStoreOptions.defaults().timeout(JOIN).secret(secret).name("launcher");
    String host = spec.masterAddress();
    try {
      return new NodeBoard(spec, TcpStore.connect(host, port, options));
    } catch (StoreException e) {
      throw CliException.failure(
          "node %d cannot join node 0 at %s:%d: %s"
              .formatted(spec.nodeRank(), host, port, e.getMessage()));
    }
  }

  /** Waits for all nodes; returns how many ranks each runs. */
  List<Integer> meet(int generation, int ranksHere, Console console) {
    String own = ranksHere + " " + spec.maxRestarts();
    List<String> keys = keys(generation + "/node/");
    store.set(keys.get(spec.nodeRank()), bytes(own));
    await(keys, console);
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
    return ranks;
  }

  private void await(List<String> keys, Console console) {
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
        if (!told && waited.compareTo(StoreNodes.SILENT) > 0) {
          console.say("waiting for nodes %s of %d".formatted(missing, spec.nodes()));
          told = true;
        }
      }
    }
  }

  /** Waits until the generation has an outcome, and returns it as what this node hears. */
  Event outcome(int generation) {
    while (true) {
      try {
        String[] outcome = text(store.get(generation + "/outcome", LONG)).split(" ", 3);
        int status = outcome.length == 1 ? 0 : Integer.parseInt(outcome[1]);
        return switch (outcome[0]) {
          case "done" -> new Event.AllDone(generation);
          case "failed" -> new Event.NodeFailed(generation, status, outcome[2], false);
          default -> new Event.NodeFailed(generation, status, outcome[2], true);
        };
      } catch (StoreTimeoutException e) {
        // A job may take any time.
      }
    }
  }

  void done(int generation) {
    if (store.add(generation + "/done", 1) == spec.nodes()) decide(generation, "done");
  }

  void failed(int generation, int status, String what) {
    decide(generation, "failed " + status + " " + what);
  }

  void stopped(int generation, String why) {
    decide(generation, "stopped 1 " + why);
  }

  private void decide(int generation, String outcome) {
    store.compareSet(generation + "/outcome", new byte[0], bytes(outcome));
  }

  /** This node will not ask for anything any more. */
  void bye() {
    store.set("bye/" + spec.nodeRank(), new byte[0]);
  }

  /**
   * Waits until all have said so; node 0 for the others, they for node 0 to take the store away.
   */
  void awaitEnd(Duration patience) {
    // The next job at this address must not find this one's store.
    store.await(spec.nodeRank() == 0 ? keys("bye/") : List.of("never"), patience);
  }

  @Override
  public void close() {
    connection.close();
  }

  private List<String> keys(String prefix) {
    return IntStream.range(0, spec.nodes()).mapToObj(i -> prefix + i).toList();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
