package dev.jcomms.internal;

import dev.jcomms.Collective;
import dev.jcomms.CommException;
import dev.jcomms.CommGraph;
import dev.jcomms.Work;
import dev.jcomms.spi.GraphBackend;
import dev.jcomms.spi.Promise;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * A recorded sequence. Where one backend with graphs serves all of it, that backend replays it;
 * else the operations are run one after the other, checked and routed when they were recorded.
 */
final class RecordedGraph implements CommGraph {
  private static final String NAME = "replay";

  private final Communicator comm;
  private final List<Request> steps;
  private final GraphBackend.Recording recording;

  /** The first operation over memory of one thread alone; null if there is none. */
  private final Collective ofOneThread;

  private volatile boolean closed;

  RecordedGraph(Communicator comm, List<Request> steps) {
    this.comm = comm;
    this.steps = steps;
    this.recording = prepare(steps);
    this.ofOneThread =
        steps.stream()
            .map(Request::op)
            .filter(comm.checks()::isOfOneThread)
            .findFirst()
            .orElse(null);
  }

  private static GraphBackend.Recording prepare(List<Request> steps) {
    if (steps.isEmpty()
        || !(steps.getFirst().route().backend() instanceof GraphBackend backend)
        || steps.stream().anyMatch(step -> step.route().backend() != backend)
        || steps.stream().anyMatch(step -> step.op() instanceof Collective.MonitoredBarrier)) {
      return null;
    }
    return backend.record(
        steps.stream().map(s -> new GraphBackend.Step(s.op(), s.options())).toList());
  }

  @Override
  public List<Collective> operations() {
    return steps.stream().map(Request::op).toList();
  }

  @Override
  public void replay() {
    admit();
    if (ofOneThread == null) {
      comm.run(new Replay());
    } else {
      comm.runHere(new Replay(), ofOneThread, timeout());
    }
  }

  @Override
  public Work replayAsync() {
    admit();
    if (ofOneThread != null) {
      comm.checks().requireShared(ofOneThread);
    }
    return comm.enqueue(new Replay());
  }

  private void admit() {
    comm.admit(NAME);
    if (closed) {
      throw new IllegalStateException("comm '" + comm.name() + "': the graph is closed");
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      if (recording != null) {
        // In its turn: replays that are on their way still need it.
        comm.lastly(recording::close);
      }
    }
  }

  /** One run of the sequence, in its turn on the lane. */
  private final class Replay extends Turn<Void> {
    Replay() {
      super(comm, NAME);
    }

    @Override
    Supplier<Void> perform(long number) {
      comm.hooks().replay(comm, RecordedGraph.this);
      if (recording == null) {
        for (Request step : steps) {
          new Operation(comm, step).perform(number);
        }
      } else {
        comm.guard().requireHealthy(NAME, number);
        replayRecording(number);
      }
      return () -> null;
    }

    private void replayRecording(long number) {
      Promise pending = null;
      try {
        pending = comm.guard().track(recording.replay(), timeout(), comm.site(NAME, number));
        pending.await();
      } catch (CommException e) {
        CommException failure = e.comm() == null ? e.at(comm.site(NAME, number)) : e;
        comm.guard().failed(steps.getFirst().op(), failure);
        if (pending != null) {
          Health.awaitLast(pending);
        }
        throw failure;
      }
    }
  }

  /** As long as all its operations together may take. */
  private Duration timeout() {
    Duration sum = Duration.ZERO;
    for (Request step : steps) {
      sum = sum.plus(step.options().timeoutOr(Duration.ZERO));
    }
    return sum;
  }
}
