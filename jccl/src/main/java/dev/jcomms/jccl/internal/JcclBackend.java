package dev.jcomms.jccl.internal;

import dev.jcomms.Collective;
import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.OpOptions;
import dev.jcomms.Work;
import dev.jcomms.jccl.internal.algo.Engine;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.spi.AbortableBackend;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.spi.Promise;
import java.util.Set;
import java.util.stream.Collectors;

/** One rank's end of a communicator: hands operations to the engine. */
final class JcclBackend implements AbortableBackend {
  private static final Set<Class<? extends Collective>> KINDS =
      Collective.kinds().stream()
          .filter(kind -> kind != Collective.MonitoredBarrier.class)
          .filter(kind -> kind != Collective.Send.class)
          .filter(kind -> kind != Collective.Recv.class)
          .filter(kind -> kind != Collective.SendRecvBatch.class)
          .collect(Collectors.toUnmodifiableSet());

  private final Wiring wiring;
  private final Engine engine;
  private final Alarm alarm;

  private JcclBackend(Wiring wiring) {
    this.wiring = wiring;
    this.engine = wiring.engine();
    this.alarm = wiring.alarm();
  }

  static JcclBackend open(BackendContext context) {
    return new JcclBackend(Wiring.of(context));
  }

  @Override
  public Set<Class<? extends Collective>> supports() {
    return KINDS;
  }

  @Override
  public Work submit(Collective op, OpOptions options) {
    try {
      engine.perform(op, options, Deadline.of(options, alarm));
      return engine.wasPrompt() ? Promise.endedAtOnce() : Work.completed();
    } catch (CommException e) {
      // Before core hears of it: the others are to learn what happened, not that we were aborted.
      alarm.raise(e);
      throw e;
    }
  }

  @Override
  public String algorithm(Collective op, OpOptions options) {
    return engine.algorithm(op, options);
  }

  @Override
  public void abort(String reason) {
    alarm.raise(new CommAbortedException(reason));
  }

  @Override
  public void close() {
    wiring.close();
  }
}
