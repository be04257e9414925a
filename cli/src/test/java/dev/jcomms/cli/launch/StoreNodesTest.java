package dev.jcomms.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.cli.CliException;
import dev.jcomms.store.StoreSecret;
import dev.jcomms.store.TcpStore;
import dev.jcomms.store.TcpStoreOptions;
import dev.jcomms.store.TcpStoreServer;
import dev.jcomms.store.TcpStoreServerOptions;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Launchers in step, as threads of one process. */
@Timeout(60)
final class StoreNodesTest {
  private static final Console CONSOLE =
      new Console(OutputStream.nullOutputStream(), OutputStream.nullOutputStream(), false, false);

  private final StoreSecret secret = StoreSecret.generate();
  private final TcpStoreServer server =
      TcpStoreServer.start(TcpStoreServerOptions.defaults().secret(secret));
  private final List<Node> all = new ArrayList<>();

  @AfterEach
  void close() {
    server.close();
    all.forEach(node -> node.nodes.close());
  }

  @Test
  void allAreDoneWhenEachIs() throws Exception {
    Node first = new Node(0, 2);
    Node second = new Node(1, 2);
    meet(first, second);
    first.nodes.done(0);
    second.nodes.done(0);
    assertThat(first.hears()).isEqualTo(new Event.AllDone(0));
    assertThat(second.hears()).isEqualTo(new Event.AllDone(0));
  }

  @Test
  void aNodeThatIsDoneWhenNode0IsGoneHearsThat() throws Exception {
    Node first = new Node(0, 2);
    Node second = new Node(1, 2);
    meet(first, second);
    server.close();
    second.nodes.done(0);
    assertThat(second.hears())
        .isInstanceOfSatisfying(
            Event.NodeFailed.class,
            event -> {
              assertThat(event.stopped()).isTrue();
              assertThat(event.what()).startsWith("node 0 is gone");
            });
  }

  @Test
  void aNodeThatLeavesWithoutAWordEndsTheJob() throws Exception {
    Pulse.Pace fast = new Pulse.Pace(Duration.ofMillis(50), 100);
    Node first = new Node(0, 2, fast);
    var mute =
        apart(
            () -> {
              try (NodeBoard board = NodeBoard.join(spec(1, 2), server.port(), secret, fast)) {
                return board.meet(0, 2, CONSOLE);
              }
            });
    assertThat(first.nodes.meet(0, 1)).contains(List.of(1, 2));
    assertThat(mute.get(30, TimeUnit.SECONDS)).isEqualTo(List.of(1, 2));
    first.nodes.done(0);
    assertThat(first.hears())
        .isEqualTo(new Event.NodeFailed(0, 1, "node 1 was not heard of for 5 s", true));
  }

  @Test
  void aNodeThatIsStoppedWhileItWaitsEndsTheWaitOfOthers() throws Exception {
    Node first = new Node(0, 3);
    Node second = new Node(1, 3);
    var waiting = apart(() -> first.meets(1));
    var leaving = apart(() -> second.meets(1));
    awaitKey("0/node/1");
    second.events.add(new Event.Signalled(15));
    assertThat(leaving.get(30, TimeUnit.SECONDS)).isEmpty();
    assertThatThrownBy(() -> waiting.get(30, TimeUnit.SECONDS))
        .hasCauseInstanceOf(CliException.class)
        .hasMessageContaining("another node ended the job: node 1 was told to stop");
  }

  @Test
  void aNodeThatStopsAfterAFailureKeepsTheOthersFromTheNextStart() throws Exception {
    Node first = new Node(0, 2);
    Node second = new Node(1, 2);
    meet(first, second);
    second.nodes.failed(0, 5, "rank 1");
    assertThat(first.hears()).isEqualTo(new Event.NodeFailed(0, 5, "rank 1", false));
    second.nodes.stopped(0, "told to stop");
    assertThatThrownBy(() -> first.nodes.meet(1, 1))
        .isInstanceOf(CliException.class)
        .hasMessageContaining("told to stop");
  }

  private void awaitKey(String key) {
    TcpStoreOptions options = TcpStoreOptions.defaults().secret(secret);
    try (TcpStore store = TcpStore.connect("127.0.0.1", server.port(), options)) {
      store.await(List.of("jcomms/launch//" + key), Duration.ofSeconds(30));
    }
  }

  /** On a thread of its own: the common pool of a small machine has but one. */
  private static <T> CompletableFuture<T> apart(Supplier<T> call) {
    return CompletableFuture.supplyAsync(call, task -> Thread.ofPlatform().daemon().start(task));
  }

  private static void meet(Node first, Node second) throws Exception {
    var others = apart(() -> second.meets(2));
    assertThat(first.nodes.meet(0, 1)).contains(List.of(1, 2));
    assertThat(others.get(30, TimeUnit.SECONDS)).contains(List.of(1, 2));
  }

  private final class Node {
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final StoreNodes nodes;

    Node(int rank, int count) {
      this(rank, count, Pulse.Pace.USUAL);
    }

    Node(int rank, int count, Pulse.Pace pace) {
      LaunchSpec spec = spec(rank, count);
      nodes = new StoreNodes(spec, server.port(), secret, events, CONSOLE, pace);
      all.add(this);
    }

    Optional<List<Integer>> meets(int ranks) {
      try {
        return nodes.meet(0, ranks);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    Event hears() throws InterruptedException {
      return events.poll(30, TimeUnit.SECONDS);
    }
  }

  static LaunchSpec spec(int nodeRank, int nodes) {
    return spec(nodeRank, nodes, "127.0.0.1");
  }

  static LaunchSpec spec(int nodeRank, int nodes, String masterAddress) {
    return new LaunchSpec(
        1,
        nodes,
        nodeRank,
        masterAddress,
        OptionalInt.empty(),
        "job",
        "default",
        0,
        Optional.empty(),
        Streams.NONE,
        Streams.NONE,
        Set.of(),
        Map.of(),
        Optional.empty(),
        false);
  }
}
