package dev.jcomms.cli.launch;

import dev.jcomms.cli.CliException;
import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreSecret;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Launchers of several nodes, in step through a {@link NodeBoard}.
 *
 * <p>Node 0 may be slow to answer, or frozen, or cut off. So the thread that runs the job never
 * calls the board: that is done in turn by a thread of its own, while the job's hears of signals
 * and looks after its ranks.
 */
final class StoreNodes implements Nodes {
  /** A wait that is longer is told. */
  static final Duration SILENT = Duration.ofSeconds(2);

  private static final Duration POLL = Duration.ofMillis(250);
  private static final Duration FAREWELL = Duration.ofSeconds(5);

  private final LaunchSpec spec;
  private final int port;
  private final StoreSecret secret;
  private final BlockingQueue<Event> events;
  private final Console console;
  private final Pulse.Pace pace;
  private final ExecutorService caller =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("nodes").factory());

  /** Null until this node has joined. */
  private volatile NodeBoard board;

  private volatile boolean closed;

  StoreNodes(
      LaunchSpec spec,
      int port,
      StoreSecret secret,
      BlockingQueue<Event> events,
      Console console,
      Pulse.Pace pace) {
    this.spec = spec;
    this.port = port;
    this.secret = secret;
    this.events = events;
    this.console = console;
    this.pace = pace;
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
        if (Signals.ending(events).isPresent()) {
          meeting.cancel(true);
          stopped(generation, "node %d was told to stop".formatted(spec.nodeRank()));
          return Optional.empty();
        }
      } catch (ExecutionException e) {
        if (e.getCause() instanceof RuntimeException why) throw why;
        throw new IllegalStateException(e);
      }
      if (board == null && !told && System.nanoTime() - start > SILENT.toNanos()) {
        console.say("waiting for node 0 at %s:%d".formatted(spec.masterAddress(), port));
        told = true;
      }
    }
  }

  private List<Integer> gather(int generation, int ranksHere) {
    if (board == null) board = NodeBoard.join(spec, port, secret, pace);
    try {
      List<Integer> ranks = board.meet(generation, ranksHere, console);
      Thread.ofPlatform().daemon().name("outcome").start(() -> watch(generation));
      return ranks;
    } catch (StoreException e) {
      throw CliException.failure(
          "the launcher of node 0 at %s is gone: %s"
              .formatted(spec.masterAddress(), e.getMessage()));
    }
  }

  private void watch(int generation) {
    try {
      events.add(board.outcome(generation));
    } catch (StoreException | IllegalStateException e) {
      lost(generation, e);
    }
  }

  private void lost(int generation, RuntimeException why) {
    events.add(new Event.NodeFailed(generation, 1, "node 0 is gone: " + why.getMessage(), true));
  }

  @Override
  public void done(int generation) {
    caller.execute(
        () -> {
          try {
            board.done(generation);
          } catch (StoreException | IllegalStateException e) {
            lost(generation, e);
          }
        });
  }

  @Override
  public void failed(int generation, int status, String what) {
    tell(what, () -> board.failed(generation, status, what));
  }

  @Override
  public void stopped(int generation, String why) {
    tell(why, () -> board.stopped(generation, why));
  }

  private void tell(String what, Runnable call) {
    caller.execute(
        () -> {
          try {
            if (board != null) call.run();
          } catch (StoreException | IllegalStateException e) {
            if (!closed) {
              console.say("cannot tell the other nodes '%s': %s".formatted(what, e.getMessage()));
            }
          }
        });
  }

  @Override
  public void close() {
    try {
      if (board != null) part();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      closed = true;
      caller.shutdownNow();
      if (board != null) board.close();
    }
  }

  private void part() throws InterruptedException {
    Future<?> bye = caller.submit(() -> board.bye());
    Future<?> end = caller.submit(() -> board.awaitEnd(FAREWELL));
    try {
      bye.get(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
      end.get(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      if (!bye.isDone()) {
        console.say("node 0 does not answer; other nodes may not know that this one has ended");
      }
    } catch (ExecutionException e) {
      // Node 0 is gone, or someone left without a word: there is nobody to wait for.
    }
  }
}
