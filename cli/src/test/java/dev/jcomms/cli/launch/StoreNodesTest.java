package dev.jcomms.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.store.StoreSecret;
import dev.jcomms.store.TcpStoreServer;
import dev.jcomms.store.TcpStoreServerOptions;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two launchers in step, as threads of one process. */
@Timeout(60)
final class StoreNodesTest {
  private final StoreSecret secret = StoreSecret.generate();
  private final TcpStoreServer server =
      TcpStoreServer.start(TcpStoreServerOptions.defaults().secret(secret));
  private final Node first = new Node(0);
  private final Node second = new Node(1);

  @AfterEach
  void close() {
    server.close();
    first.nodes.close();
    second.nodes.close();
  }

  @Test
  void allAreDoneWhenEachIs() throws Exception {
    meet(0);
    first.nodes.done(0);
    second.nodes.done(0);
    assertThat(first.hears()).isEqualTo(new Event.AllDone(0));
    assertThat(second.hears()).isEqualTo(new Event.AllDone(0));
  }

  @Test
  void aNodeThatIsDoneWhenNode0IsGoneHearsThat() throws Exception {
    meet(0);
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

  private void meet(int generation) throws Exception {
    var others =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return second.nodes.meet(generation, 2);
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    assertThat(first.nodes.meet(generation, 1)).contains(List.of(1, 2));
    assertThat(others.get(30, TimeUnit.SECONDS)).contains(List.of(1, 2));
  }

  private final class Node {
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final StoreNodes nodes;

    Node(int rank) {
      OutputStream nowhere = OutputStream.nullOutputStream();
      nodes =
          new StoreNodes(
              spec(rank),
              server.port(),
              secret,
              events,
              new Console(nowhere, nowhere, false, false));
    }

    Event hears() throws InterruptedException {
      return events.poll(30, TimeUnit.SECONDS);
    }
  }

  private static LaunchSpec spec(int nodeRank) {
    return new LaunchSpec(
        1,
        2,
        nodeRank,
        "127.0.0.1",
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
