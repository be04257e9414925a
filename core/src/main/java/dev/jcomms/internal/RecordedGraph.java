package dev.jcomms.internal;

import dev.jcomms.Collective;
import dev.jcomms.CommException;
import dev.jcomms.CommGraph;
import dev.jcomms.Work;
import dev.jcomms.spi.GraphBackend;
import dev.jcomms.spi.Promise;
import java.time.Duration;
import java.util.List;

/**
 * A recorded sequence. Where one backend with graphs serves all of it, that backend replays it;
 * else the operations are run one after the other, checked and routed when they were recorded.
 */
final class RecordedGraph implements CommGraph {
  private final Communicator comm;
  private final List<Request> steps;
  private final GraphBackend.Recording recording;
  private volatile boolean closed;

  RecordedGraph(Communicator comm, List<Request> steps) {
    this.comm = comm;
    this.steps = steps;
    this.recording = prepare(steps);
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
    replayAsync().await();
  }

  @Override
  public Work replayAsync() {
    if (closed) {
      throw new IllegalStateException("comm '" + comm.name() + "': the graph is closed");
    }
    return comm.enqueue(new Replay());
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
  private final class Replay implements Lane.Job {
    private Promise promise;
    private long number;

    @Override
    public void numbered(long number) {
      this.number = number;
      promise = new Promise(comm.site("replay", number));
    }

    @Override
    public Runnable run() {
      promise.start();
      comm.hooks().replay(comm, RecordedGraph.this);
      try {
        if (recording == null) {
          for (Request step : steps) {
            new Operation(comm, step).perform(number);
          }
        } else {
          comm.guard().requireHealthy("replay", number);
          replayRecording();
        }
        return promise::complete;
      } catch (RuntimeException e) {
        return () -> promise.fail(e);
      }
    }

    private void replayRecording() {
      try {
        comm.guard().track(recording.replay(), timeout(), comm.site("replay", number)).await();
      } catch (CommException e) {
        CommException failure = e.comm() == null ? e.at(comm.site("replay", number)) : e;
        comm.guard().failed(steps.getFirst().op(), failure);
        throw failure;
      }
    }

    @Override
    public Promise promise() {
      return promise;
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
