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
 * status, and why; {@code G/alive/I}, see {@link Pulse}. At the end {@code bye/I} lets node 0 take
 * the store away without cutting anyone off.
 */
final class NodeBoard implements AutoCloseable {
  /** How long nodes may take to come. */
  private static final Duration JOIN = Duration.ofSeconds(300);

  private static final Duration POLL = Duration.ofMillis(250);

  private final LaunchSpec spec;
  private final Pulse.Pace pace;
  private final TcpStore connection;
  private final Store store;

  private NodeBoard(LaunchSpec spec, Pulse.Pace pace, TcpStore connection) {
    this.spec = spec;
    this.pace = pace;
    this.connection = connection;
    this.store = PrefixStore.of("jcomms/launch/", connection);
  }

  static NodeBoard join(LaunchSpec spec, int port, StoreSecret secret, Pulse.Pace pace) {
    TcpStoreOptions options = TcpStoreOptions.defaults().secret(secret).name("launcher");
    String host = spec.masterAddress();
    try {
      // Node 0 may take long to come; once it is there, it is to answer within its limit.
      TcpStore.connect(host, port, options.timeout(JOIN)).close();
      TcpStore connection = TcpStore.connect(host, port, options.timeout(pace.limit()));
      return new NodeBoard(spec, pace, connection);
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
    await(generation, console);
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

  private void await(int generation, Console console) {
    List<String> keys = keys(generation + "/node/");
    long start = System.nanoTime();
    boolean told = false;
    while (true) {
      try {
        store.await(keys, POLL);
        return;
      } catch (StoreTimeoutException e) {
        refuseIfStopped(generation);
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

  /** A node that was told to stop while it waited will not be there when all have come. */
  private void refuseIfStopped(int generation) {
    if (!store.check(List.of(generation + "/outcome"))) return;
    if (outcome(generation) instanceof Event.NodeFailed(_, _, String what, boolean stopped)
        && stopped) {
      throw CliException.failure("another node ended the job: " + what);
    }
  }

  /** Waits until the generation has an outcome, and returns it as what this node hears. */
  Event outcome(int generation) {
    Pulse pulse = new Pulse(store, generation, spec.nodeRank(), spec.nodes(), pace);
    while (true) {
      try {
        String[] outcome = text(store.get(generation + "/outcome", pace.beat())).split(" ", 3);
        int status = outcome.length == 1 ? 0 : Integer.parseInt(outcome[1]);
        return switch (outcome[0]) {
          case "done" -> new Event.AllDone(generation);
          case "failed" -> new Event.NodeFailed(generation, status, outcome[2], false);
          default -> new Event.NodeFailed(generation, status, outcome[2], true);
        };
      } catch (StoreTimeoutException e) {
        pulse.beat().ifPresent(node -> stopped(generation, lost(node)));
      }
    }
  }

  private String lost(int node) {
    return "node %d was not heard of for %d s".formatted(node, pace.limit().toSeconds());
  }

  void done(int generation) {
    if (store.add(generation + "/done", 1) == spec.nodes()) decide(generation, "done");
  }

  void failed(int generation, int status, String what) {
    decide(generation, "failed " + status + " " + what);
  }

  /** Ends the job; where this generation has ended otherwise, the next one does not begin. */
  void stopped(int generation, String why) {
    if (!decide(generation, "stopped 1 " + why)) decide(generation + 1, "stopped 1 " + why);
  }

  /** Sets the outcome; false if it is another already. */
  private boolean decide(int generation, String outcome) {
    byte[] now = store.compareSet(generation + "/outcome", new byte[0], bytes(outcome));
    return text(now).equals(outcome);
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
