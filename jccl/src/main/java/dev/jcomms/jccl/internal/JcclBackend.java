package dev.jcomms.jccl.internal;

import dev.jcomms.BackendException;
import dev.jcomms.BootstrapException;
import dev.jcomms.Collective;
import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.OpOptions;
import dev.jcomms.Work;
import dev.jcomms.jccl.internal.algo.Apart;
import dev.jcomms.jccl.internal.algo.Engine;
import dev.jcomms.jccl.internal.exec.Executor;
import dev.jcomms.jccl.internal.mail.Mailroom;
import dev.jcomms.jccl.internal.select.Customs;
import dev.jcomms.jccl.internal.select.SelectingEngine;
import dev.jcomms.jccl.internal.select.Tuning;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.Facts;
import dev.jcomms.jccl.internal.transport.shm.SymmetricMemory;
import dev.jcomms.spi.AbortableBackend;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.spi.Promise;
import dev.jcomms.spi.SymmetricBackend;
import dev.jcomms.spi.WindowBackend;
import dev.jcomms.store.StoreException;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * One rank's end of a communicator: gives collectives to the engine, and what goes between two
 * ranks to the mailroom.
 */
public final class JcclBackend implements AbortableBackend, WindowBackend, SymmetricBackend {
  private static final Set<Class<? extends Collective>> KINDS =
      Collective.kinds().stream()
          .filter(kind -> kind != Collective.MonitoredBarrier.class)
          .collect(Collectors.toUnmodifiableSet());

  private final Wiring wiring;
  private final Engine engine;
  private final Mailroom mail;
  private final Alarm alarm;
  private final int rank;

  private JcclBackend(Wiring wiring, Engine engine) {
    this.wiring = wiring;
    this.engine = engine;
    this.rank = engine.rank();
    this.mail = wiring.mail();
    this.alarm = wiring.alarm();
  }

  /** With jccl's own choice of algorithms, unless the context names a tuning table. */
  public static JcclBackend open(BackendContext context) {
    return open(context, Customs.NONE);
  }

  /** With what a user has given. Without any of it, an operation takes no other way than before. */
  public static JcclBackend open(BackendContext context, Customs customs) {
    Wiring wiring = Wiring.of(context, Tuning.isGiven(customs, context));
    try {
      Engine plain = wiring.engine();
      Engine engine = SelectingEngine.over(plain, customs, context, wiring.resources());
      return new JcclBackend(wiring, engine == plain ? plain : wiring.own(engine));
    } catch (RuntimeException | Error e) {
      wiring.close();
      throw e;
    }
  }

  /** What runs plans on this rank. */
  public Executor executor() {
    return wiring.executor();
  }

  /** How long an operation may take that begins now. */
  public Deadline deadline(Duration timeout) {
    return new Deadline(timeout, alarm);
  }

  @Override
  public Set<Class<? extends Collective>> supports() {
    return KINDS;
  }

  @Override
  public Work submit(Collective op, OpOptions options) {
    return goesBetweenTwo(op)
        ? mail.submit(op, options)
        : collective(op, options, Deadline.of(options, alarm));
  }

  @Override
  public Work perform(Collective op, OpOptions options, Turn turn) {
    if (goesBetweenTwo(op)) {
      turn.begun();
      mail.perform(op, options, turn::passOn);
      return Work.completed();
    }
    return collective(op, options, Deadline.of(options, alarm, turn));
  }

  private static boolean goesBetweenTwo(Collective op) {
    return op instanceof Collective.PointToPoint || op instanceof Collective.SendRecvBatch;
  }

  private Work collective(Collective op, OpOptions options, Deadline deadline) {
    try {
      mail.settle(op, deadline);
      engine.perform(Apart.of(op, rank), options, deadline);
      if (engine.wasPrompt()) {
        return Promise.endedAtOnce();
      }
      deadline.begun();
      return Work.completed();
    } catch (CommException e) {
      // Before core hears of it: the others are to learn what happened, not that we were aborted.
      alarm.raise(e);
      throw e;
    }
  }

  @Override
  public RegisteredWindow register(Tensor tensor, OpOptions options) {
    return aside("window register", () -> mail.register(tensor, options));
  }

  @Override
  public <T> T aside(String what, Supplier<T> meeting) {
    return wiring.aside().during(what, meeting);
  }

  @Override
  public Tensor symmetric(DType dtype, Shape shape, OpOptions options) {
    Duration timeout = options.timeoutOr(null);
    Deadline deadline = new Deadline(timeout, alarm);
    try {
      SymmetricMemory.Asked asked = wiring.symmetric().ask(dtype, shape);
      // As for a collective: others may have come with something else.
      engine.agree(Facts.SYMMETRIC, 0, deadline);
      return wiring
          .symmetric()
          .allocate(asked, Duration.ofNanos(Math.max(1, deadline.leftNanos())));
    } catch (BootstrapException e) {
      CommException late = new CommTimeoutException(timeout, e.detail(), e.missingRanks());
      alarm.raise(late);
      throw late;
    } catch (BackendException e) {
      throw e; // no rank has got any, and all know it: they are in step
    } catch (CommException e) {
      alarm.raise(e);
      throw e;
    } catch (StoreException e) {
      CommException unheard =
          e.getCause() instanceof InterruptedException
              ? new CommAbortedException("the thread was interrupted", e)
              : new BackendException("the store failed: " + e.getMessage(), e);
      alarm.raise(unheard); // the others wait for what this rank has not told
      throw unheard;
    }
  }

  @Override
  public String algorithm(Collective op, OpOptions options) {
    return goesBetweenTwo(op) ? "" : engine.algorithm(op, options);
  }

  @Override
  public String transport() {
    return wiring.resources().transport().toString();
  }

  @Override
  public void abort(String reason) {
    alarm.raise(new CommAbortedException(reason));
  }

  @Override
  public void fail(CommException failure) {
    alarm.raise(failure);
  }

  @Override
  public void requireAlive() {
    wiring.look();
    alarm.check();
  }

  @Override
  public Set<Integer> departed() {
    return wiring.departed();
  }

  @Override
  public void close() {
    wiring.close();
  }
}
